"""Per key, for threads: who waits for whom, and no spend lost on the way in or out."""

from threading import Barrier

import pytest

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    LimiterFactory,
    ManualTicker,
    RateLimiter,
    Ticker,
    TokenBucket,
    TokenBucketConfig,
)
from ratelimit import SynchronizedPerKeyLimiter as Limiter
from tests.concurrency.pausing import PausingConfig
from tests.concurrency.schedule import STUCK_S, Gate, Task, WatchedLock, together

A, D = Allowed, Denied


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratelimit.synchronized_per_key.Lock", WatchedLock)


def lock_of(limiter: Limiter, key: str) -> WatchedLock:
    entry = limiter._generations.find(key)
    assert entry is not None
    assert isinstance(entry.lock, WatchedLock)
    return entry.lock


class MeetingConfig:
    """Lets two threads build before either goes on, after a first limiter for the check."""

    def __init__(self) -> None:
        self.built = 0
        self.meeting = Barrier(2)

    def build(self, ticker: Ticker) -> RateLimiter:
        self.built += 1
        if self.built > 1:
            self.meeting.wait(STUCK_S)
        return TokenBucket(ticker, 1, 1)


class NaivePerKey:
    """Check, then insert: the fault that the tests below must be able to find."""

    def __init__(self, config: LimiterFactory, ticker: Ticker) -> None:
        config.build(ticker)
        self._config = config
        self._ticker = ticker
        self._limiters: dict[str, RateLimiter] = {}

    def acquire(self, key: str) -> Decision:
        if key not in self._limiters:
            self._limiters[key] = self._config.build(self._ticker)
        return self._limiters[key].acquire()


class TestTwoThreadsBringOneKey:
    def test_a_naive_map_may_give_each_a_limiter(self) -> None:
        gate = Gate()

        class Gated:
            def build(self, ticker: Ticker) -> RateLimiter:
                bucket = TokenBucket(ticker, 1, 1)
                if checked:
                    gate.pass_through()
                return bucket

        checked = False
        limiter = NaivePerKey(Gated(), ManualTicker())
        checked = True
        first = Task(lambda: limiter.acquire("k"))
        gate.wait_for_arrival()
        assert limiter.acquire("k") == A(0)
        gate.open()
        assert first.result() == A(0)

    def test_both_build_and_one_is_kept(self) -> None:
        config = MeetingConfig()
        limiter = Limiter(config, ManualTicker())
        decisions = together([lambda: limiter.acquire("k")] * 2)
        assert sorted(decisions, key=repr) == [A(0), D(1_000)]
        assert limiter.tracked_keys == 1
        assert config.built == 3
        assert limiter.acquire("k") == D(1_000)

    def test_a_spend_made_while_another_builds_is_not_overwritten(self) -> None:
        gate = Gate()
        checked = False

        class Gated:
            def build(self, ticker: Ticker) -> RateLimiter:
                bucket = TokenBucket(ticker, 3, 1)
                if checked:
                    gate.pass_through()
                return bucket

        limiter = Limiter(Gated(), ManualTicker())
        checked = True
        first = Task(lambda: limiter.acquire("k"))
        gate.wait_for_arrival()
        assert limiter.acquire("k", 2) == A(1)
        gate.open()
        assert first.result() == A(0)


class TestWhoWaits:
    def test_a_decision_holds_up_its_own_key_and_no_other(self) -> None:
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(PausingConfig(1, 1, gate), ticker)
        first = Task(lambda: limiter.acquire("a"))
        gate.wait_for_arrival()
        assert limiter.acquire("b") == A(0)
        assert limiter.acquire("b") == D(1_000)
        assert limiter.peek("c") == A(0)
        assert limiter.tracked_keys == 2
        ticker.advance(999)
        assert limiter.acquire("c") == A(0)
        second = Task(lambda: limiter.acquire("a"))
        lock_of(limiter, "a").wait_for_contention()
        third = Task(lambda: limiter.peek("a"))
        assert not second.is_done
        gate.open()
        assert first.result() == A(0)
        assert second.result() == third.result() == D(1)

    def test_a_clock_that_hangs_holds_up_nobody_else(self) -> None:
        gate = Gate()
        started = False

        class Hanging:
            def now_ms(self) -> int:
                if started:
                    gate.pass_through()
                return 0

        limiter = Limiter(TokenBucketConfig(1, 1), Hanging())
        started = True
        first = Task(lambda: limiter.acquire("a"))
        gate.wait_for_arrival()
        assert limiter.acquire("b") == A(0)
        assert limiter.acquire("a") == A(0)
        gate.open()
        assert first.result() == D(1_000)

    def test_building_holds_up_nobody_else(self) -> None:
        gate = Gate()
        started = False

        class Slow:
            def build(self, ticker: Ticker) -> RateLimiter:
                if started:
                    gate.pass_through()
                return TokenBucket(ticker, 1, 1)

        limiter = Limiter(Slow(), ManualTicker())
        started = True
        first = Task(lambda: limiter.acquire("a"))
        gate.wait_for_arrival()
        assert limiter.acquire("b") == A(0)
        gate.open()
        assert first.result() == A(0)


class TestForgettingAgainstALiveCall:
    def test_a_key_in_a_call_is_not_forgotten_before_its_time(self) -> None:
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(PausingConfig(2, 1, gate), ticker)
        spending = Task(lambda: limiter.acquire("k", 2))
        gate.wait_for_arrival()
        for number in range(19):
            ticker.advance(100)
            limiter.acquire(number)
        again = Task(lambda: limiter.acquire("k", 2))
        lock_of(limiter, "k").wait_for_contention()
        gate.open()
        assert spending.result() == A(0)
        assert again.result() == D(100)

    def test_a_spend_that_arrives_after_its_limiter_is_forgotten_is_an_old_one(self) -> None:
        """It was made at reading 0, and would have been refilled by the time of forgetting."""
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(PausingConfig(2, 1, gate), ticker)
        spending = Task(lambda: limiter.acquire("k", 2))
        gate.wait_for_arrival()
        ticker.advance(2_000)
        assert limiter.acquire("other") == A(1)
        assert limiter.tracked_keys == 1
        assert limiter.acquire("k", 2) == A(0)
        gate.open()
        assert spending.result() == A(0)
        assert limiter.acquire("k") == D(1_000)

    def test_a_call_that_has_found_its_limiter_but_not_its_lock_spends_at_its_own_reading(
        self,
    ) -> None:
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(TokenBucketConfig(2, 1), ticker)
        limiter.acquire("k")
        ticker.advance(1_000)
        limiter._generations.young["k"].lock = WatchedLock(gate)  # type: ignore[assignment]
        late = Task(lambda: limiter.acquire("k", 2))
        gate.wait_for_arrival()
        ticker.advance(999)
        limiter.acquire("other")
        assert limiter.acquire("k") == A(1)
        gate.open()
        assert late.result() == D(1_999)

    def test_a_place_is_not_taken_from_a_call_that_is_inside(self) -> None:
        """Its limiter looks as new from outside, but it is just being charged."""
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(PausingConfig(2, 1, gate), ticker, max_keys=1)
        spending = Task(lambda: limiter.acquire("k", 2))
        gate.wait_for_arrival()
        assert limiter.peek("new") == limiter.acquire("new") == D(2_000)
        gate.open()
        assert spending.result() == A(0)
        assert limiter.acquire("k") == D(1_000)

    @pytest.mark.parametrize("max_keys", [1, 2])
    def test_a_call_whose_limiter_was_evicted_meanwhile_looks_again(self, max_keys: int) -> None:
        """With no room left it is denied, with room it gets a new limiter; never the old one."""
        gate, ticker = Gate(), ManualTicker()
        limiter = Limiter(TokenBucketConfig(2, 1), ticker, max_keys=1)
        limiter.acquire("k")
        ticker.advance(1_000)
        old = limiter._generations.young["k"]
        old.lock = WatchedLock(gate)  # type: ignore[assignment]
        late = Task(lambda: limiter.acquire("k", 2))
        gate.wait_for_arrival()
        assert limiter.acquire("new", 2) == A(0)
        assert old.retired
        limiter._generations._max_keys = max_keys  # type: ignore[attr-defined]
        gate.open()
        assert late.result() == (D(2_000) if max_keys == 1 else A(0))
        assert old.limiter.fresh_from_ms == 1_000


class TestAtRandom:
    def test_each_key_admits_exactly_its_limit(self) -> None:
        limiter = Limiter(TokenBucketConfig(10, 1), ManualTicker())

        def ask() -> list[str]:
            calls = [f"key {number % 20}" for number in range(400)]
            return [key for key in calls if isinstance(limiter.acquire(key), Allowed)]

        admitted = [key for keys in together([ask] * 8) for key in keys]
        assert sorted(admitted) == sorted(
            f"key {number}" for number in range(20) for _ in range(10)
        )
        assert limiter.tracked_keys == 20

    @pytest.mark.parametrize("max_keys", [None, 25])
    def test_turns_and_evictions_lose_no_spend(self, max_keys: int | None) -> None:
        """Time moves on while eight threads ask: no key gets more than its bucket allows."""
        ticker = ManualTicker()
        limiter = Limiter(TokenBucketConfig(3, 1), ticker, max_keys=max_keys)

        def ask(thread: int) -> list[int]:
            admitted = []
            for number in range(600):
                key = (thread * 7 + number) % 30
                if isinstance(limiter.acquire(key), Allowed):
                    admitted.append(key)
                if thread == 0 and number % 2:
                    ticker.advance(20)
            return admitted

        actions = [lambda thread=thread: ask(thread) for thread in range(8)]
        admitted = [key for keys in together(actions) for key in keys]
        passed_s = ticker.now_ms() // 1_000
        for key in range(30):
            assert admitted.count(key) <= 3 + passed_s
        if max_keys:
            assert limiter.tracked_keys <= max_keys
