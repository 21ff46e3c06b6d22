"""Synchronized: what a single thread can see of it."""

import pytest
from hypothesis import given

from ratelimit import (
    Allowed,
    CompositeLimiter,
    Decision,
    Denied,
    LimiterConfig,
    ManualTicker,
    RateLimiter,
    SynchronizedLimiter,
    TokenBucket,
    TokenBucketConfig,
)
from tests import sequences
from tests.sequences import Ask


class OnlyAcquire:
    def acquire(self, cost: int = 1) -> Decision:
        return Allowed(cost)


@given(config=sequences.configs, asks=sequences.both_ways, start_ms=sequences.starts_ms)
def test_it_decides_like_the_limiter_inside(
    config: LimiterConfig, asks: list[Ask], start_ms: int
) -> None:
    ticker = ManualTicker(start_ms)
    bare = config.build(ticker)
    limiter = SynchronizedLimiter(config.build(ticker))
    for ask in asks:
        ticker.advance(ask.step_ms)
        cost = ask.cost(bare)
        assert limiter.peek(cost) == bare.peek(cost)
        assert limiter.acquire(cost) == bare.acquire(cost)


@pytest.mark.parametrize("method", ["acquire", "peek"])
@pytest.mark.parametrize("cost", [0, -5, 3, True, 1.0, 0.5])
def test_an_error_passes_through_and_the_lock_is_given_back(method: str, cost: object) -> None:
    limiter = SynchronizedLimiter(TokenBucket(ManualTicker(), 2, 1))
    with pytest.raises((TypeError, ValueError), match="cost"):
        getattr(limiter, method)(cost)
    assert not limiter.lock.locked()
    assert limiter.acquire(2) == Allowed(0)


def test_the_lock_is_held_during_a_decision_and_the_reading_of_the_clock() -> None:
    limiters: list[SynchronizedLimiter] = []
    held: list[bool] = []

    class Looking:
        def now_ms(self) -> int:
            held.extend(limiter.lock.locked() for limiter in limiters)
            return 0

    limiter = SynchronizedLimiter(TokenBucket(Looking(), 2, 1))
    limiters.append(limiter)
    limiter.acquire()
    limiter.peek()
    assert held == [True, True]
    assert not limiter.lock.locked()


def test_it_shows_what_is_inside() -> None:
    bucket = TokenBucket(ManualTicker(), 2, 1)
    assert SynchronizedLimiter(bucket).limiter is bucket


def test_a_wrapper_has_a_higher_number_than_what_it_wraps() -> None:
    inner = SynchronizedLimiter(TokenBucket(ManualTicker(), 2, 1))
    outer = SynchronizedLimiter(CompositeLimiter([inner]))
    assert outer.number > inner.number


def test_a_limiter_with_acquire_alone_is_enough_until_it_is_peeked_at() -> None:
    limiter = SynchronizedLimiter(OnlyAcquire())
    assert limiter.acquire() == Allowed(1)
    with pytest.raises(TypeError, match="OnlyAcquire has no peek; give it peek"):
        limiter.peek()


@pytest.mark.parametrize("limiter", [None, 5, TokenBucketConfig(1, 1), ManualTicker()])
def test_what_is_no_limiter_is_refused(limiter: RateLimiter) -> None:
    with pytest.raises(TypeError, match=r"limiter must have acquire\(cost\), got"):
        SynchronizedLimiter(limiter)


def test_a_composite_goes_past_the_wrapper_but_not_past_its_lock() -> None:
    held: list[bool] = []

    class Looking(TokenBucket):
        def acquire(self, cost: int = 1) -> Decision:
            held.append(limiter.lock.locked())
            return super().acquire(cost)

        def ask(self, cost: int = 1) -> Decision:
            held.append(limiter.lock.locked())
            return super().ask(cost)

        def peek(self, cost: int = 1) -> Decision:
            held.append(limiter.lock.locked())
            return super().peek(cost)

    limiter = SynchronizedLimiter(Looking(ManualTicker(), 1, 1))
    composite = CompositeLimiter([CompositeLimiter([limiter])])
    assert composite.peek() == composite.ask() == composite.acquire() == Allowed(0)
    assert composite.acquire() == Denied(1_000)
    assert held == [True] * 5
    with pytest.raises(ValueError, match="is outside"):
        composite.acquire(2)
    assert not limiter.lock.locked()
