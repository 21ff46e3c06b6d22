"""The fields in a real response, and a real client that does what they say."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
import urllib3
from urllib3.util import Retry, retry

from ratelimit import Allowed, ManualTicker, TokenBucket, rate_limit_headers


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing: a test's output is for failures."""


def limited_app(bucket: TokenBucket, ticker: ManualTicker) -> WSGIApplication:
    """Return an app that answers 200 or 429 by the decision, with the fields for it."""

    def app(_environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        decision = bucket.acquire()
        headers = list(rate_limit_headers(decision, {"api": bucket}, ticker).items())
        if isinstance(decision, Allowed):
            start_response("200 OK", headers)
            return [b"hello"]
        start_response("429 Too Many Requests", headers)
        return [b"too many requests"]

    return app


@contextmanager
def served(app: WSGIApplication) -> Iterator[str]:
    with make_server("127.0.0.1", 0, app, handler_class=QuietHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def emptied() -> tuple[TokenBucket, ManualTicker]:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 1, 1)
    bucket.acquire()
    ticker.advance(300)
    return bucket, ticker


def test_a_denied_request_is_a_429_with_the_fields() -> None:
    bucket, ticker = emptied()
    with served(limited_app(bucket, ticker)) as url, urllib3.PoolManager() as client:
        response = client.request("GET", url, retries=False)
    assert response.status == 429
    assert response.headers["Retry-After"] == "1"
    assert response.headers["RateLimit-Policy"] == '"api";q=1;w=1'
    assert response.headers["RateLimit"] == '"api";r=0;t=1'


def test_a_client_that_honours_retry_after_comes_back_once_and_is_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It sleeps for as long as the field says, here by moving the server's clock."""
    bucket, ticker = emptied()
    slept: list[float] = []

    class SimulatedTime:
        @staticmethod
        def sleep(seconds: float) -> None:
            slept.append(seconds)
            ticker.advance(round(seconds * 1_000))

    monkeypatch.setattr(retry, "time", SimulatedTime)
    retries = Retry(total=3, status_forcelist=[429], backoff_factor=0)
    with served(limited_app(bucket, ticker)) as url, urllib3.PoolManager() as client:
        response = client.request("GET", url, retries=retries)
    assert (response.status, response.data) == (200, b"hello")
    assert slept == [1]
    assert response.retries is not None
    assert [each.status for each in response.retries.history] == [429]
