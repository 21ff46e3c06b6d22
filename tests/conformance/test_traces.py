"""Every decision recorded from the reference implementation is ours as well."""

import json
from pathlib import Path
from typing import TypedDict

import pytest

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    ManualTicker,
    SlidingWindowConfig,
    TokenBucketConfig,
)


class Recording(TypedDict, total=False):
    """Parameters of a limiter, and steps of [now_ms, cost, allowed, value]."""

    capacity: int
    refill_per_sec: int
    limit: int
    window_ms: int
    start_ms: int
    steps: list[tuple[int, int, int, int]]


RECORDINGS: dict[str, list[Recording]] = json.loads(
    Path(__file__).with_name("traces.json").read_text(encoding="utf-8")
)


def config_of(algorithm: str, recording: Recording) -> TokenBucketConfig | SlidingWindowConfig:
    if algorithm == "token_bucket":
        return TokenBucketConfig(recording["capacity"], recording["refill_per_sec"])
    return SlidingWindowConfig(recording["limit"], recording["window_ms"])


def test_all_of_them_are_here() -> None:
    steps = [len(each["steps"]) for recordings in RECORDINGS.values() for each in recordings]
    assert sum(steps) == 4_500


@pytest.mark.parametrize(
    ("algorithm", "recording"),
    [(algorithm, each) for algorithm, recordings in RECORDINGS.items() for each in recordings],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_decision_is_the_recorded_one(algorithm: str, recording: Recording) -> None:
    ticker = ManualTicker(recording["start_ms"])
    limiter = config_of(algorithm, recording).build(ticker)
    for step, (now_ms, cost, allowed, value) in enumerate(recording["steps"]):
        ticker.move_to(now_ms)
        recorded: Decision = Allowed(value) if allowed else Denied(value)
        assert limiter.peek(cost) == recorded, step
        assert limiter.acquire(cost) == recorded, step
