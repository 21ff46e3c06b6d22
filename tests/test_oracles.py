"""Every algorithm gives the answers of an oracle that shares nothing with it."""

from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    FixedWindow,
    LeakyBucket,
    ManualTicker,
    SlidingLog,
    SlidingWindow,
    TokenBucket,
)
from tests import strategies
from tests.limiters import Number, Subject, each_limiter
from tests.oracles import BucketOracle, SlidingOracle, WindowOracle
from tests.strategies import Ask


def seconds_of(subject: Subject) -> st.SearchStrategy[Number]:
    """Return the strategy for the second parameter: a rate, or a window."""
    return strategies.rates if subject.is_bucket else strategies.windows_ms


def agrees(subject: Subject, limit: int, second: Number, start_ms: int, asks: list[Ask]) -> None:
    ticker = ManualTicker(start_ms)
    limiter = subject.configure(limit, second).build(ticker)
    oracle = subject.oracle(start_ms, limit, second)
    for ask in asks:
        ticker.advance(ask.step_ms)
        cost = ask.cost(limit)
        assert limiter.peek(cost) == oracle.peek(ticker.now_ms(), cost)
        assert limiter.acquire(cost) == oracle.acquire(ticker.now_ms(), cost)
        assert limiter.peek(1) == oracle.peek(ticker.now_ms(), 1)


@each_limiter
@given(data=st.data(), asks=strategies.forward)
def test_on_a_clock_that_runs_forward(
    subject: Subject, data: st.DataObject, asks: list[Ask]
) -> None:
    limit = data.draw(strategies.amounts, "limit")
    second = data.draw(seconds_of(subject), "second")
    start_ms = data.draw(strategies.starts_ms, "start_ms")
    agrees(subject, limit, second, start_ms, asks)


@each_limiter
@given(data=st.data(), asks=strategies.both_ways)
def test_on_a_clock_that_steps_back(subject: Subject, data: st.DataObject, asks: list[Ask]) -> None:
    limit = data.draw(strategies.amounts, "limit")
    second = data.draw(seconds_of(subject), "second")
    start_ms = data.draw(strategies.starts_ms, "start_ms")
    agrees(subject, limit, second, start_ms, asks)


@each_limiter
@given(data=st.data())
def test_where_limits_and_windows_are_as_small_as_the_steps(
    subject: Subject, data: st.DataObject
) -> None:
    """Small numbers meet every edge: windows of 1 ms, limits above the window, ties."""
    ask = st.builds(Ask, st.integers(-3, 5), strategies.shares)
    asks = data.draw(st.lists(ask, min_size=1, max_size=60), "asks")
    limit = data.draw(st.integers(1, 12), "limit")
    second = data.draw(st.integers(1, 400 if subject.is_bucket else 7), "second")
    agrees(subject, limit, second, data.draw(st.integers(-9, 9), "start_ms"), asks)


@each_limiter
@given(asks=strategies.both_ways, start_ms=strategies.starts_ms)
def test_the_state_that_it_shows_is_the_oracles(
    subject: Subject, asks: list[Ask], start_ms: int
) -> None:
    ticker = ManualTicker(start_ms)
    limiter = subject.build(ticker, 10)
    oracle = subject.oracle(start_ms, 10, subject.second)
    for ask in asks:
        ticker.advance(ask.step_ms)
        assert_same_state(limiter, oracle, oracle.counted(ticker.now_ms()))
        limiter.acquire(ask.cost(10))
        oracle.acquire(ticker.now_ms(), ask.cost(10))
        assert_same_state(limiter, oracle, oracle.counted(ticker.now_ms()))


def assert_same_state(limiter: object, oracle: object, at_ms: int) -> None:
    match limiter, oracle:
        case TokenBucket(), BucketOracle():
            assert limiter.tokens_milli == int(1_000 * oracle.level(at_ms))
        case LeakyBucket(), BucketOracle():
            level = oracle.capacity - oracle.level(at_ms)
            assert limiter.level_milli == -int(-1_000 * level // 1)
        case SlidingWindow(), SlidingOracle():
            assert limiter.previous == oracle.previous(at_ms)
            assert limiter.current == oracle.current(at_ms)
            assert limiter.usage == oracle.usage(at_ms)
        case ((FixedWindow() | SlidingLog()), WindowOracle()):
            assert limiter.count == oracle.usage(at_ms)
        case _:
            raise AssertionError(f"no state is compared for {limiter!r}")
