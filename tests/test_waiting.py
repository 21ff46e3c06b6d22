"""Waiting threads: in order, outside every lock, and never longer than they may."""

import threading
from collections.abc import Callable

import pytest

from ratelimit import Allowed, Denied, ManualTicker, TokenBucket
from ratelimit.waiting import BlockingLimiter
from ratelimit.waiting_line import WaitTimeoutError


class Sleeper:
    """Sleeps by moving a ticker, by less than asked where told so; notes every sleep."""

    def __init__(self, ticker: ManualTicker, short_by_ms: tuple[int, ...] = ()) -> None:
        self.ticker = ticker
        self.short_by_ms = list(short_by_ms)
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        early_ms = self.short_by_ms.pop(0) if self.short_by_ms else 0
        self.ticker.advance(round(seconds * 1_000) - early_ms)


def emptied(capacity: int = 1, per_sec: int = 1) -> tuple[TokenBucket, ManualTicker]:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, capacity, per_sec)
    bucket.acquire(capacity)
    return bucket, ticker


def test_what_is_allowed_at_once_never_sleeps() -> None:
    ticker = ManualTicker()
    sleep = Sleeper(ticker)
    blocking = BlockingLimiter(TokenBucket(ticker, 2, 1), sleep)
    assert blocking.acquire(2) == Allowed(0)
    assert sleep.slept == []


def test_it_sleeps_for_the_hint_in_seconds() -> None:
    bucket, ticker = emptied()
    sleep = Sleeper(ticker)
    assert BlockingLimiter(bucket, sleep).acquire() == Allowed(0)
    assert sleep.slept == [1.0]


def test_a_sleeper_that_wakes_early_is_sent_back_for_the_rest() -> None:
    bucket, ticker = emptied()
    sleep = Sleeper(ticker, short_by_ms=(1,))
    assert BlockingLimiter(bucket, sleep).acquire() == Allowed(0)
    assert sleep.slept == [1.0, 0.001]
    assert ticker.now_ms() == 1_000


@pytest.mark.parametrize(
    ("timeout_ms", "slept", "answer"),
    [
        (0, [], Denied(1_000)),
        (1, [0.001], Denied(999)),
        (500, [0.5], Denied(500)),
        (999, [0.999], Denied(1)),
        (1_000, [1.0], Allowed(0)),
        (5_000, [1.0], Allowed(0)),
    ],
)
def test_a_timeout_is_the_most_that_is_slept(
    timeout_ms: int, slept: list[float], answer: Allowed | Denied
) -> None:
    bucket, ticker = emptied()
    sleep = Sleeper(ticker)
    assert BlockingLimiter(bucket, sleep).acquire(timeout_ms=timeout_ms) == answer
    assert sleep.slept == slept


def test_a_timeout_ends_even_on_a_clock_that_stands_still() -> None:
    bucket, _ = emptied()
    slept: list[float] = []
    assert BlockingLimiter(bucket, slept.append).acquire(timeout_ms=2_500) == Denied(1_000)
    assert slept == [1.0, 1.0, 0.5]


def test_who_gives_up_has_been_charged_nothing_and_left_the_line() -> None:
    bucket, ticker = emptied()
    sleep = Sleeper(ticker)
    blocking = BlockingLimiter(bucket, sleep)
    blocking.acquire(timeout_ms=500)
    assert bucket.tokens_milli == 500
    assert blocking.acquire() == Allowed(0)
    assert ticker.now_ms() == 1_000


def test_a_sleep_that_raises_leaves_the_line() -> None:
    bucket, ticker = emptied()

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    blocking = BlockingLimiter(bucket, interrupted)
    with pytest.raises(KeyboardInterrupt):
        blocking.acquire()
    ticker.advance(1_000)
    assert blocking.acquire(timeout_ms=0) == Allowed(0)


@pytest.mark.parametrize(("cost", "error"), [(200, ValueError), (0, ValueError), (True, TypeError)])
def test_a_cost_that_can_never_succeed_raises_without_a_sleep(
    cost: int, error: type[Exception]
) -> None:
    ticker = ManualTicker()
    sleep = Sleeper(ticker)
    bucket = TokenBucket(ticker, 100, 10)
    with pytest.raises(error, match="cost"):
        BlockingLimiter(bucket, sleep).acquire(cost)
    assert sleep.slept == []
    assert bucket.acquire(100) == Allowed(0)


@pytest.mark.parametrize(
    ("timeout_ms", "error"), [(-1, ValueError), (0.5, TypeError), (True, TypeError)]
)
def test_a_timeout_is_whole_milliseconds(timeout_ms: object, error: type[Exception]) -> None:
    bucket, ticker = emptied()
    with pytest.raises(error, match="timeout_ms"):
        BlockingLimiter(bucket, Sleeper(ticker)).acquire(timeout_ms=timeout_ms)  # type: ignore[arg-type]


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(TypeError, match=r"must have acquire\(cost\) and peek\(cost\), got str"):
        BlockingLimiter("bucket")  # type: ignore[arg-type]


class Rounds:
    """Sleeping threads that are woken one at a time, by whoever runs the test.

    `asleep` waits until a number of threads sleep; `wake` lets one go on and waits until
    it sleeps again or is done. So the order is forced, and no real time passes.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._woken: set[str] = set()
        self.sleeping: dict[str, float] = {}
        self.done: list[str] = []

    def sleep(self, seconds: float) -> None:
        name = threading.current_thread().name
        with self._changed:
            self.sleeping[name] = seconds
            self._changed.notify_all()
            self._changed.wait_for(lambda: name in self._woken, timeout=20)
            self._woken.remove(name)
            del self.sleeping[name]

    def run(self, name: str, action: Callable[[], object]) -> threading.Thread:
        def act() -> None:
            action()
            with self._changed:
                self.done.append(name)
                self._changed.notify_all()

        thread = threading.Thread(target=act, name=name)
        thread.start()
        self._settled(name)
        return thread

    def wake(self, name: str) -> None:
        with self._changed:
            self._woken.add(name)
            self._changed.notify_all()
            self._changed.wait_for(lambda: name not in self._woken, timeout=20)
        self._settled(name)

    def _settled(self, name: str) -> None:
        with self._changed:
            assert self._changed.wait_for(
                lambda: name in self.sleeping or name in self.done, timeout=20
            )


def test_threads_are_served_in_the_order_in_which_they_came() -> None:
    """All wake at once, the last first; yet each second serves the first who came."""
    bucket, ticker = emptied()
    rounds = Rounds()
    blocking = BlockingLimiter(bucket, rounds.sleep)
    threads = [rounds.run(name, blocking.acquire) for name in "abcde"]
    assert rounds.sleeping == dict.fromkeys("abcde", 1.0)
    for second in range(1, 6):
        ticker.move_to(1_000 * second)
        for name in sorted(rounds.sleeping, reverse=True):
            rounds.wake(name)
        assert rounds.done == list("abcde")[:second]
    for thread in threads:
        thread.join(timeout=20)


def test_nobody_sleeps_with_the_lock() -> None:
    """While one thread sleeps, another can ask, be refused, and go away."""
    bucket, _ = emptied()
    rounds = Rounds()
    blocking = BlockingLimiter(bucket, rounds.sleep)
    sleeper = rounds.run("a", lambda: blocking.acquire(timeout_ms=1))
    assert blocking.acquire(timeout_ms=0) == Denied(1_000)
    rounds.wake("a")
    sleeper.join(timeout=20)


def test_whoever_is_behind_waits_even_when_there_is_room() -> None:
    bucket, ticker = emptied(capacity=10, per_sec=1)
    rounds = Rounds()
    blocking = BlockingLimiter(bucket, rounds.sleep)
    large = rounds.run("large", lambda: blocking.acquire(10))
    ticker.move_to(5_000)
    assert blocking.acquire(1, timeout_ms=0) == Denied(1)
    ticker.move_to(10_000)
    rounds.wake("large")
    large.join(timeout=20)
    assert rounds.done == ["large"]


def test_the_with_statement_waits_for_one_unit() -> None:
    bucket, ticker = emptied()
    with BlockingLimiter(bucket, Sleeper(ticker)) as decision:
        assert decision == Allowed(0)
        assert ticker.now_ms() == 1_000


def test_a_decorated_function_waits_before_each_call() -> None:
    bucket, ticker = emptied()
    blocking = BlockingLimiter(bucket, Sleeper(ticker))

    @blocking
    def one(number: int) -> int:
        return number + ticker.now_ms()

    @blocking.limit(cost=1, timeout_ms=2_000)
    def two() -> int:
        return ticker.now_ms()

    assert [one(1), two(), one(2)] == [1_001, 2_000, 3_002]


def test_a_limit_that_is_not_met_in_time_raises_a_timeout_error() -> None:
    bucket, ticker = emptied()
    blocking = BlockingLimiter(bucket, Sleeper(ticker))
    limit = blocking.limit(timeout_ms=400)
    with (
        pytest.raises(WaitTimeoutError, match="cost 1 was not allowed within 400 ms") as caught,
        limit,
    ):
        pytest.fail("the body must not run")
    assert isinstance(caught.value, TimeoutError)
    assert caught.value.decision == Denied(600)
    ticker.advance(200)
    with limit as decision:
        assert decision == Allowed(0)
