"""One lock: no update is lost, forced and at random."""

from collections.abc import Callable

import pytest

from ratelimit import (
    Allowed,
    CompositeConfig,
    Decision,
    Denied,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    ManualTicker,
    RateLimiter,
    SlidingLogConfig,
    SlidingWindowConfig,
    SynchronizedLimiter,
    TokenBucketConfig,
)
from tests.concurrency.pausing import PausingBucket
from tests.concurrency.schedule import Gate, Task, WatchedLock, together


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[RateLimiter], SynchronizedLimiter]:
    """Wraps a limiter with a lock that tells when a thread waits for it."""
    monkeypatch.setattr("ratelimit.synchronized.Lock", WatchedLock)
    return SynchronizedLimiter


def attempts(limiter: RateLimiter, threads: int, each: int) -> list[Decision]:
    def ask() -> list[Decision]:
        return [limiter.acquire() for _ in range(each)]

    return [decision for decisions in together([ask] * threads) for decision in decisions]


def test_without_a_lock_two_threads_spend_one_token_twice() -> None:
    """What the lock is for; and a proof that this schedule finds such a fault."""
    gate = Gate()
    bucket = PausingBucket(ManualTicker(), 1, 1, gate)
    first = Task(bucket.acquire)
    gate.wait_for_arrival()
    assert bucket.acquire() == Allowed(0)
    gate.open()
    assert first.result() == Allowed(0)


@pytest.mark.parametrize("second_asks", ["acquire", "peek"])
def test_with_a_lock_the_second_waits_and_sees_what_the_first_wrote(
    watched: Callable[[RateLimiter], SynchronizedLimiter], second_asks: str
) -> None:
    gate = Gate()
    limiter = watched(PausingBucket(ManualTicker(), 1, 1, gate))
    lock = limiter.lock
    assert isinstance(lock, WatchedLock)
    first = Task(limiter.acquire)
    gate.wait_for_arrival()
    second = Task(getattr(limiter, second_asks))
    lock.wait_for_contention()
    assert not second.is_done
    gate.open()
    assert first.result() == Allowed(0)
    assert second.result() == Denied(1_000)


def test_at_most_one_thread_is_inside_the_clock(
    watched: Callable[[RateLimiter], SynchronizedLimiter],
) -> None:
    """The first to come in waits there until another one wants to."""

    class Crowd:
        inside = most = 0
        first = True

        def now_ms(self) -> int:
            self.inside += 1
            self.most = max(self.most, self.inside)
            if limiter and self.first:
                self.first = False
                lock = limiter[0].lock
                assert isinstance(lock, WatchedLock)
                lock.wait_for_contention()
            self.inside -= 1
            return 0

    limiter: list[SynchronizedLimiter] = []
    ticker = Crowd()
    limiter.append(watched(TokenBucketConfig(20, 1).build(ticker)))
    decisions = attempts(limiter[0], threads=8, each=20)
    left = [decision.remaining for decision in decisions if isinstance(decision, Allowed)]
    assert sorted(left, reverse=True) == list(range(19, -1, -1))
    assert sum(isinstance(decision, Denied) for decision in decisions) == 140
    assert ticker.most == 1


@pytest.mark.parametrize(
    "config",
    [
        TokenBucketConfig(100, 1),
        LeakyBucketConfig(100, 1),
        FixedWindowConfig(100, 1_000),
        SlidingWindowConfig(100, 1_000),
        SlidingLogConfig(100, 1_000),
        CompositeConfig((TokenBucketConfig(100, 1), FixedWindowConfig(130, 1_000))),
    ],
    ids=lambda config: type(config).__name__,
)
def test_eight_threads_share_one_limiter(config: LimiterConfig) -> None:
    """No time passes, so exactly 100 of 400 attempts win, whoever makes them."""
    decisions = attempts(SynchronizedLimiter(config.build(ManualTicker())), threads=8, each=50)
    allowed = sum(isinstance(decision, Allowed) for decision in decisions)
    assert f"attempts: {len(decisions)}, allowed: {allowed}" == "attempts: 400, allowed: 100"
