"""HTTP fields: whole seconds, up; names as strings of structured fields; the tightest limit."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ratelimit import (
    Allowed,
    CompositeLimiter,
    Decision,
    Denied,
    FixedWindow,
    LeakyBucket,
    ManualTicker,
    SlidingLog,
    SlidingWindow,
    SynchronizedLimiter,
    TokenBucket,
    http,
)
from ratelimit.http import rate_limit_headers
from ratelimit.limiter import PeekableLimiter


@pytest.mark.parametrize(
    ("ms", "seconds"),
    [
        (1, "1"),
        (200, "1"),
        (900, "1"),
        (999, "1"),
        (1_000, "1"),
        (1_001, "2"),
        (1_900, "2"),
        (2_000, "2"),
        (5_001, "6"),
        (60_000, "60"),
        (10**12 + 1, "1000000001"),
    ],
)
def test_retry_after_is_whole_seconds_rounded_up(ms: int, seconds: str) -> None:
    assert rate_limit_headers(Denied(ms)) == {"Retry-After": seconds}


def test_what_is_allowed_is_not_told_to_retry() -> None:
    assert rate_limit_headers(Allowed(0)) == {}


def used_minute() -> tuple[FixedWindow, ManualTicker, Decision]:
    ticker = ManualTicker(15_500)
    window = FixedWindow(ticker, 100, 60_000)
    return window, ticker, window.acquire(56)


def test_one_limit_is_told_by_name() -> None:
    window, ticker, decision = used_minute()
    assert rate_limit_headers(decision, {"minute": window}, ticker) == {
        "RateLimit-Policy": '"minute";q=100;w=60',
        "RateLimit": '"minute";r=44;t=45',
    }


def test_the_older_form_is_there_on_request() -> None:
    window, ticker, decision = used_minute()
    headers = rate_limit_headers(decision, {"minute": window}, ticker, older_form=True)
    assert headers["RateLimit-Limit"] == "100"
    assert headers["RateLimit-Remaining"] == "44"
    assert headers["RateLimit-Reset"] == "45"


def test_of_several_limits_the_tightest_is_told() -> None:
    ticker = ManualTicker()
    second, hour = TokenBucket(ticker, 10, 10), FixedWindow(ticker, 1_000, 3_600_000)
    both = CompositeLimiter([second, hour])
    both.acquire(10)
    headers = rate_limit_headers(both.acquire(), {"second": second, "hour": hour}, ticker)
    assert headers == {
        "Retry-After": "1",
        "RateLimit-Policy": '"second";q=10;w=1, "hour";q=1000;w=3600',
        "RateLimit": '"second";r=0;t=1',
    }


@pytest.mark.parametrize(
    ("limiter", "policy", "limit"),
    [
        (lambda t: TokenBucket(t, 10, 4), "q=10;w=3", "r=7;t=1"),
        (lambda t: TokenBucket(t, 10, Fraction(1, 6)), "q=10;w=60", "r=7;t=18"),
        (lambda t: LeakyBucket(t, 10, 4), "q=10;w=3", "r=7;t=1"),
        (lambda t: FixedWindow(t, 10, 1_500), "q=10;w=2", "r=7;t=2"),
        (lambda t: SlidingLog(t, 10, 1_500), "q=10;w=2", "r=7;t=2"),
        (lambda t: SlidingWindow(t, 10, 1_500), "q=10;w=2", "r=7;t=3"),
        (lambda t: SynchronizedLimiter(SlidingLog(t, 10, 1_000)), "q=10;w=1", "r=7;t=1"),
    ],
)
def test_every_algorithm_tells_quota_window_rest_and_reset(
    limiter: Callable[[ManualTicker], PeekableLimiter],
    policy: str,
    limit: str,
) -> None:
    ticker = ManualTicker()
    made = limiter(ticker)
    headers = rate_limit_headers(made.acquire(3), {"api": made}, ticker)
    assert headers["RateLimit-Policy"] == f'"api";{policy}'
    assert headers["RateLimit"] == f'"api";{limit}'


def test_what_was_never_used_has_nothing_to_restore() -> None:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 5, 1)
    assert (
        rate_limit_headers(bucket.peek(), {"api": bucket}, ticker)["RateLimit"] == '"api";r=5;t=0'
    )


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("a b", '"a b"'), ('say "hi"', '"say \\"hi\\""'), ("back\\slash", '"back\\\\slash"')],
)
def test_a_name_is_quoted(name: str, quoted: str) -> None:
    window, ticker, decision = used_minute()
    headers = rate_limit_headers(decision, {name: window}, ticker)
    assert headers["RateLimit"] == f"{quoted};r=44;t=45"


@pytest.mark.parametrize(
    ("name", "error"), [("", ValueError), ("ü", ValueError), ("a\nb", ValueError), (1, TypeError)]
)
def test_a_name_that_http_cannot_carry_is_refused(name: Any, error: type[Exception]) -> None:  # noqa: ANN401
    window, ticker, decision = used_minute()
    with pytest.raises(error, match="a limit's name must be"):
        rate_limit_headers(decision, {name: window}, ticker)


def test_misuse_is_named_with_the_remedy() -> None:
    window, ticker, decision = used_minute()
    with pytest.raises(TypeError, match="ticker must be the clock that the limits read"):
        rate_limit_headers(decision, {"minute": window})
    with pytest.raises(ValueError, match="pass limits="):
        rate_limit_headers(decision, older_form=True)
    with pytest.raises(TypeError, match="decision must be Allowed or Denied, got bool"):
        rate_limit_headers(True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is a CompositeLimiter, which has no quota"):
        rate_limit_headers(decision, {"all": CompositeLimiter([window])}, ticker)


def test_the_drafts_number_is_in_one_place() -> None:
    assert http.DRAFT == "draft-ietf-httpapi-ratelimit-headers-10"
    assert http.OLDER_DRAFT.endswith("-06")
