import pytest

from ratelimit import (
    Allowed,
    Decision,
    FixedWindow,
    LeakyBucket,
    ManualTicker,
    RateLimiter,
    SlidingLog,
    SlidingWindow,
    TokenBucket,
)
from ratelimit.lab import Level
from ratelimit.lab.levels import read_level


def test_the_level_of_a_bucket_is_its_tokens_in_thousandths() -> None:
    clock = ManualTicker()
    bucket = TokenBucket(clock, capacity=10, refill_per_sec=3)
    bucket.acquire(10)
    clock.advance(401)
    assert read_level(bucket, 401) == Level(401, 1_203, 0)


def test_the_level_of_a_leaky_bucket_is_what_is_in_it() -> None:
    clock = ManualTicker()
    bucket = LeakyBucket(clock, capacity=10, leak_per_sec=3)
    bucket.acquire(10)
    clock.advance(401)
    assert read_level(bucket, 401) == Level(401, 8_797, 0)


def test_the_level_of_a_sliding_window_is_its_usage_with_the_part_carried_over() -> None:
    clock = ManualTicker(900)
    window = SlidingWindow(clock, limit=10, window_ms=1_000)
    window.acquire(8)
    clock.move_to(1_250)
    window.acquire(3)
    assert read_level(window, 1_250) == Level(1_250, 9_000, 6_000)


@pytest.mark.parametrize("kind", [FixedWindow, SlidingLog])
def test_the_level_of_a_count_is_in_thousandths_and_nothing_is_carried_over(
    kind: type[FixedWindow] | type[SlidingLog],
) -> None:
    window = kind(ManualTicker(77), limit=10, window_ms=1_000)
    window.acquire(4)
    assert read_level(window, 77) == Level(77, 4_000, 0)


@pytest.mark.parametrize("kind", [TokenBucket, SlidingWindow, FixedWindow, SlidingLog])
def test_reading_changes_no_decision(
    kind: type[TokenBucket] | type[SlidingWindow] | type[FixedWindow] | type[SlidingLog],
) -> None:
    decisions: list[list[Decision]] = []
    for reads in (False, True):
        clock = ManualTicker()
        limiter: RateLimiter = kind(clock, 3, 40)
        decisions.append([])
        for at_ms in range(0, 200, 7):
            clock.move_to(at_ms)
            if reads:
                read_level(limiter, at_ms)
            decisions[-1].append(limiter.acquire())
    assert decisions[0] == decisions[1]


class Generous:
    def acquire(self, cost: int = 1) -> Decision:
        return Allowed(cost)


def test_a_limiter_without_a_level_is_refused_with_a_remedy() -> None:
    with pytest.raises(
        TypeError, match="Generous shows no level; simulate it without levels_at_ms"
    ):
        read_level(Generous(), 0)
