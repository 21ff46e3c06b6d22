"""Our code prints the facts of the reference program's transcript, in Python's notation.

The transcript's last part, from the limiter per key on, is held where those objects are tested.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ratelimit import ManualTicker, SlidingWindow, TokenBucket

TRANSCRIPT = Path(__file__).with_name("transcript.txt").read_text(encoding="utf-8")


def in_python(line: str) -> str:
    """Return a line of the transcript with its records in Python's notation."""
    line = line.replace("retryAfterMs", "retry_after_ms")
    return re.sub(r"(Allowed|Denied)\[(\w+=\d+)\]", r"\1(\2)", line)


def message_of(action: Callable[[], object]) -> str:
    try:
        action()
    except ValueError as error:
        return f"rejected: {error}"
    raise AssertionError("nothing was rejected")


def bucket_lines() -> Iterator[str]:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 3, 1)
    for _ in range(4):
        yield f"t=0     {bucket.acquire(1)}"
    ticker.advance(500)
    yield f"t=500   {bucket.acquire(1)}"
    ticker.advance(500)
    yield f"t=1000  {bucket.acquire(1)}"
    ticker.advance(60_000)
    yield f"t=61000 {bucket.acquire(3)} (refill is capped at capacity)"
    yield message_of(lambda: bucket.acquire(5))
    yield message_of(lambda: TokenBucket(ticker, 0, 1))


def window_lines() -> Iterator[str]:
    ticker = ManualTicker()
    ticker.advance(900)
    window = SlidingWindow(ticker, 10, 1_000)
    yield f"t=900   {window.acquire(10)}"
    ticker.advance(100)
    yield f"t=1000  {window.acquire(1)}"
    ticker.advance(500)
    yield f"t=1500  {window.acquire(5)}"
    yield f"t=1500  {window.acquire(1)}"


def test_bucket_and_window_print_the_transcript() -> None:
    ours = [*bucket_lines(), *window_lines()]
    theirs = [in_python(line) for line in TRANSCRIPT.splitlines()]
    assert ours == theirs[: len(ours)]
    assert theirs[len(ours)].startswith("alice")
