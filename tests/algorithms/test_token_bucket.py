"""Token bucket: examples to read, and the bound that gives it its name."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import Allowed, Decision, Denied, ManualTicker, TokenBucket, TokenBucketConfig
from ratelimit.lab.simulation import simulate
from tests import strategies
from tests.algorithms.steps import Step, play
from tests.strategies import FIFTY_YEARS_MS, Ask

A, D = Allowed, Denied


@pytest.mark.parametrize(
    ("capacity", "refill_per_sec", "steps"),
    [
        pytest.param(
            3,
            1,
            [
                (0, 1, A(2)),
                (0, 1, A(1)),
                (0, 1, A(0)),
                (0, 1, D(1_000)),
                (500, 1, D(500)),
                (1_000, 1, A(0)),
            ],
            id="a burst, then one token a second",
        ),
        pytest.param(
            2,
            3,
            [
                (0, 2, A(0)),
                (333, 1, D(1)),
                (334, 1, A(0)),
                (666, 1, D(1)),
                (667, 1, A(0)),
                (668, 1, D(332)),
                (1_000, 1, A(0)),
            ],
            id="a third of a second is rounded up and its rest is kept",
        ),
        pytest.param(
            1,
            3,
            [
                (0, 1, A(0)),
                (0, 1, D(334)),
                (333, 1, D(1)),
                (334, 1, A(0)),
                (334, 1, D(334)),
                (667, 1, D(1)),
            ],
            id="what does not fit is dropped",
        ),
        pytest.param(
            3,
            1,
            [(0, 3, A(0)), (60_000, 1, A(2)), (60_000, 3, D(1_000))],
            id="a minute of silence fills it and no more",
        ),
        pytest.param(
            1,
            Fraction(1, 6),
            [(0, 1, A(0)), (0, 1, D(6_000)), (5_999, 1, D(1)), (6_000, 1, A(0))],
            id="one token in six seconds",
        ),
        pytest.param(
            4,
            1,
            [(10_000, 4, A(0)), (0, 1, D(11_000)), (10_000, 1, D(1_000)), (11_000, 1, A(0))],
            id="a clock that steps back refills nothing, and the hint says when it has caught up",
        ),
    ],
)
def test_step_by_step(capacity: int, refill_per_sec: int | Fraction, steps: list[Step]) -> None:
    play(TokenBucketConfig(capacity, refill_per_sec), steps)


def test_the_level_is_read_in_thousandths_and_reading_it_changes_nothing() -> None:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 3, 1)
    assert bucket.tokens_milli == 3_000
    bucket.acquire(3)
    levels = []
    for at_ms in (0, 1, 500, 500, 2_999, 3_000, 3_001, 500):
        ticker.move_to(at_ms)
        levels.append(bucket.tokens_milli)
    assert levels == [0, 1, 500, 500, 2_999, 3_000, 3_000, 500]
    assert bucket.acquire() == D(500)


def test_the_level_of_a_fractional_rate_is_rounded_down_for_show_only() -> None:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 1, Fraction(1, 3))
    bucket.acquire()
    ticker.move_to(2_999)
    assert bucket.tokens_milli == 999
    assert bucket.acquire() == D(1)
    ticker.move_to(3_000)
    assert bucket.acquire() == A(0)


def test_it_shows_its_parameters_exactly() -> None:
    bucket = TokenBucket(ManualTicker(), 3, Fraction(5, 3))
    assert (bucket.capacity, bucket.refill_per_sec) == (3, Fraction(5, 3))


@given(
    capacity=st.integers(1, 12),
    refill_per_sec=strategies.rates,
    asks=strategies.forward,
    span_ms=st.integers(1, 3_000),
)
def test_no_span_admits_more_than_capacity_and_rate_times_span(
    capacity: int, refill_per_sec: int | Fraction, asks: list[Ask], span_ms: int
) -> None:
    at_ms, requests = 0, []
    for ask in asks:
        at_ms += ask.step_ms
        requests += [(at_ms, ask.cost(capacity))] * 2
    trace = simulate(TokenBucketConfig(capacity, refill_per_sec), requests)
    most = capacity + Fraction(refill_per_sec) * span_ms / 1_000
    assert trace.worst_span(span_ms).admitted_units <= most


@pytest.mark.parametrize(
    ("capacity", "refill_per_sec", "most"),
    [(60, 1, 119), (15, Fraction(1, 4), 29), (1, 1, 60), (30, Fraction(1, 2), 59)],
)
def test_a_greedy_client_reaches_the_bound_of_a_minute(
    capacity: int, refill_per_sec: int | Fraction, most: int
) -> None:
    greedy = [0] * capacity + list(range(1, 60_000))
    trace = simulate(TokenBucketConfig(capacity, refill_per_sec), greedy)
    assert trace.admitted == trace.worst_span(60_000).admitted_units == most


@given(refill_per_sec=strategies.rates, polls_ms=st.integers(1, 50))
def test_asking_often_loses_nothing(refill_per_sec: int | Fraction, polls_ms: int) -> None:
    """Polled or left alone, the bucket holds the same at the end."""
    polled_clock, quiet_clock = ManualTicker(), ManualTicker()
    polled = TokenBucket(polled_clock, 1_000, refill_per_sec)
    quiet = TokenBucket(quiet_clock, 1_000, refill_per_sec)
    polled.acquire(1_000)
    quiet.acquire(1_000)
    for _ in range(100):
        polled_clock.advance(polls_ms)
        assert isinstance(polled.acquire(1_000), Denied | Allowed)
    quiet_clock.advance(100 * polls_ms)
    expected: Decision = quiet.acquire(1_000)
    if isinstance(expected, Denied):
        assert polled.peek(1_000) == expected


def test_no_number_is_too_large() -> None:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 10, 1_000_000_000)
    bucket.acquire(10)
    ticker.move_to(2**63 - 1)
    assert bucket.acquire() == A(9)
    ticker.advance(FIFTY_YEARS_MS)
    assert bucket.tokens_milli == 10_000
