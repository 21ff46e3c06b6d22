"""Composites that share members: no circle of waiting, nothing half-charged."""

from collections.abc import Callable

import pytest

from ratelimit import (
    Allowed,
    CompositeLimiter,
    Decision,
    Denied,
    ManualTicker,
    RateLimiter,
    SynchronizedLimiter,
    TokenBucket,
)
from tests.concurrency.pausing import PausingBucket
from tests.concurrency.schedule import Gate, Task, WatchedLock, together

Wrap = Callable[[RateLimiter], SynchronizedLimiter]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Wrap:
    monkeypatch.setattr("ratelimit.synchronized.Lock", WatchedLock)
    return SynchronizedLimiter


def lock_of(limiter: SynchronizedLimiter) -> WatchedLock:
    assert isinstance(limiter.lock, WatchedLock)
    return limiter.lock


def test_opposite_orders_take_the_locks_in_one_order(watched: Wrap) -> None:
    """The second composite stops at the very lock that the first took first, holding none."""
    gate, ticker = Gate(), ManualTicker()
    a = watched(PausingBucket(ticker, 1, 1, gate))
    b = watched(TokenBucket(ticker, 5, 1))
    first = Task(CompositeLimiter([a, b]).acquire)
    gate.wait_for_arrival()
    second = Task(CompositeLimiter([b, a]).acquire)
    lock_of(b).wait_for_contention()
    assert not lock_of(a).contended.is_set()
    assert not second.is_done
    gate.open()
    assert first.result() == Allowed(0)
    assert second.result() == Denied(1_000)
    assert b.peek(4) == Allowed(0)


def test_a_member_cannot_be_spent_between_the_question_and_the_charge(watched: Wrap) -> None:
    """The composite has asked and stops before it charges; a direct call has to wait."""
    gate, ticker = Gate(), ManualTicker()

    class Stopping(TokenBucket):
        def acquire(self, cost: int = 1) -> Decision:
            gate.pass_through()
            return super().acquire(cost)

    stopping = watched(Stopping(ticker, 5, 1))
    shared = watched(TokenBucket(ticker, 1, 1))
    composite = Task(CompositeLimiter([stopping, shared]).acquire)
    gate.wait_for_arrival()
    direct = Task(shared.acquire)
    lock_of(shared).wait_for_contention()
    gate.open()
    assert composite.result() == Allowed(0)
    assert direct.result() == Denied(1_000)
    assert stopping.peek(4) == Allowed(0)


def test_a_wrapper_around_a_composite_is_taken_before_what_is_inside(watched: Wrap) -> None:
    """Directly, or as a member: outer before inner, so the two ways can't block each other."""
    gate, ticker = Gate(), ManualTicker()
    inner = watched(PausingBucket(ticker, 1, 1, gate))
    outer = watched(CompositeLimiter([inner]))
    above = CompositeLimiter([watched(TokenBucket(ticker, 5, 1)), outer])
    direct = Task(outer.acquire)
    gate.wait_for_arrival()
    through = Task(above.acquire)
    lock_of(outer).wait_for_contention()
    assert not lock_of(inner).contended.is_set()
    gate.open()
    assert direct.result() == Allowed(0)
    assert through.result() == Denied(1_000)


def test_a_lock_around_the_composite_is_enough_for_members_of_its_own() -> None:
    ticker = ManualTicker()
    buckets = [TokenBucket(ticker, 100, 1), TokenBucket(ticker, 150, 1)]
    limiter = SynchronizedLimiter(CompositeLimiter(buckets))

    def ask() -> int:
        return sum(isinstance(limiter.acquire(), Allowed) for _ in range(50))

    assert sum(together([ask] * 8)) == 100
    assert [bucket.tokens_milli for bucket in buckets] == [0, 50_000]


def test_threads_loop_on_composites_in_every_order() -> None:
    ticker = ManualTicker()
    buckets = [TokenBucket(ticker, capacity, 1) for capacity in (300, 500, 900)]
    a, b, c = (SynchronizedLimiter(bucket) for bucket in buckets)
    nested = SynchronizedLimiter(CompositeLimiter([c, b]))
    limiters: list[RateLimiter] = [
        CompositeLimiter([a, b]),
        CompositeLimiter([b, a]),
        CompositeLimiter([a, nested]),
        CompositeLimiter([CompositeLimiter([b]), c, a]),
        nested,
        b,
    ]

    def ask(limiter: RateLimiter) -> Callable[[], int]:
        return lambda: sum(isinstance(limiter.acquire(), Allowed) for _ in range(200))

    ab, ba, an, bca, n, direct = together([ask(limiter) for limiter in limiters])
    with_a, with_b = ab + ba + an + bca, ab + ba + an + bca + n + direct
    assert buckets[0].tokens_milli == 1_000 * (300 - with_a)
    assert buckets[1].tokens_milli == 1_000 * (500 - with_b)
    assert buckets[2].tokens_milli == 1_000 * (900 - an - bca - n)
    assert with_b == 500 or with_a == 300
