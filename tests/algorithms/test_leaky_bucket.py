"""Leaky bucket: the same answers as a token bucket, from one integer."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    LeakyBucket,
    LeakyBucketConfig,
    ManualTicker,
    TokenBucket,
)
from tests import sequences
from tests.sequences import Ask

A, D = Allowed, Denied
FIFTY_YEARS_MS = 50 * 365 * 24 * 60 * 60 * 1_000

capacities = st.one_of(st.integers(1, 12), st.sampled_from([1_023, 1_024, 5_000, 10**18]))
rates = st.one_of(sequences.rates, st.sampled_from([2**31 - 1, Fraction(1, 3_600)]))
steps = st.one_of(sequences.steps_both_ways, st.sampled_from([FIFTY_YEARS_MS, -FIFTY_YEARS_MS]))


def answers(config: LeakyBucketConfig, steps: list[tuple[int, int]]) -> list[Decision]:
    ticker = ManualTicker(steps[0][0])
    bucket = config.build(ticker)
    decisions = []
    for at_ms, cost in steps:
        ticker.advance(at_ms - ticker.now_ms())
        decisions.append(bucket.acquire(cost))
    return decisions


@pytest.mark.parametrize(
    ("config", "steps", "expected"),
    [
        pytest.param(
            LeakyBucketConfig(10, 2),
            [(0, 10), (0, 1), (499, 1), (500, 1), (10**9, 1)],
            [A(0), D(500), D(1), A(0), A(9)],
            id="it leaks within a second, and is never emptier than empty",
        ),
        pytest.param(
            LeakyBucketConfig(2, 3),
            [(0, 2), (333, 1), (334, 1), (666, 1), (667, 1), (668, 1), (1_000, 1)],
            [A(0), D(1), A(0), D(1), A(0), D(332), A(0)],
            id="a third of a second is rounded up and its rest is kept",
        ),
        pytest.param(
            LeakyBucketConfig(1, 3),
            [(0, 1), (0, 1), (333, 1), (334, 1), (334, 1), (667, 1)],
            [A(0), D(334), D(1), A(0), D(334), D(1)],
            id="an empty bucket saves up nothing",
        ),
        pytest.param(
            LeakyBucketConfig(1, Fraction(1, 3_600)),
            [(0, 1), (0, 1), (3_599_999, 1), (3_600_000, 1)],
            [A(0), D(3_600_000), D(1), A(0)],
            id="one unit an hour",
        ),
        pytest.param(
            LeakyBucketConfig(10, 1_000_000_000),
            [(0, 10), (2**63 - 1, 1)],
            [A(0), A(9)],
            id="a fast leak over a very long time",
        ),
        pytest.param(
            LeakyBucketConfig(4, 1),
            [(10_000, 4), (0, 1), (10_000, 1), (11_000, 1)],
            [A(0), D(11_000), D(1_000), A(0)],
            id="a clock that steps back leaks nothing, and the hint says when it has caught up",
        ),
        pytest.param(
            LeakyBucketConfig(2, 1),
            [(0, 2), (1_500, 2), (500, 1)],
            [A(0), D(500), A(0)],
            id="the reading of a denial counts as seen, too",
        ),
        pytest.param(
            LeakyBucketConfig(5, 1),
            [(-7_000, 5), (-6_001, 1), (-6_000, 1), (6, 1)],
            [A(0), D(1), A(0), A(4)],
            id="readings below zero",
        ),
    ],
)
def test_examples(
    config: LeakyBucketConfig, steps: list[tuple[int, int]], expected: list[Decision]
) -> None:
    assert answers(config, steps) == expected


@given(
    capacity=capacities,
    rate=rates,
    asks=st.lists(st.builds(Ask, steps, sequences.shares), min_size=1, max_size=40),
    start_ms=sequences.starts_ms,
)
def test_it_is_a_token_bucket_told_from_the_other_end(
    capacity: int, rate: int | Fraction, asks: list[Ask], start_ms: int
) -> None:
    """Decisions, peeks, levels, and what is told of its future, on every clock."""
    ticker = ManualTicker(start_ms)
    leaky, tokens = LeakyBucket(ticker, capacity, rate), TokenBucket(ticker, capacity, rate)
    for number, ask in enumerate(asks):
        ticker.advance(ask.step_ms)
        cost = ask.cost(leaky)
        for each in (1, cost, capacity):
            assert leaky.peek(each) == tokens.peek(each)
        if number % 4 == 3:
            assert leaky.ask(cost) == tokens.ask(cost)
        else:
            assert leaky.acquire(cost) == tokens.acquire(cost)
        assert leaky.level_milli + tokens.tokens_milli == capacity * 1_000
        assert leaky.fresh_from_ms == tokens.fresh_from_ms
    assert leaky.horizon_ms == tokens.horizon_ms


def test_the_level_is_rounded_up_in_thousandths() -> None:
    ticker = ManualTicker()
    bucket = LeakyBucket(ticker, 2, Fraction(1, 6))
    assert bucket.level_milli == 0
    bucket.acquire()
    assert bucket.level_milli == 1_000
    ticker.advance(1)
    assert bucket.level_milli == 1_000
    ticker.advance(5)
    assert bucket.level_milli == 999
    ticker.advance(5_993)
    assert bucket.level_milli == 1
    ticker.advance(1)
    assert bucket.level_milli == 0


def test_the_level_is_one_integer_beside_the_highest_reading() -> None:
    ticker = ManualTicker()
    bucket = LeakyBucket(ticker, 10, 5)

    def state() -> dict[str, object]:
        return {slot: getattr(bucket, slot) for slot in LeakyBucket.__slots__}

    before = state()
    ticker.advance(1_234)
    bucket.acquire(7)
    changed = {slot for slot, value in state().items() if value != before[slot]}
    assert changed == {"_empty_at_units", "_last_ms"}


def test_it_shows_what_it_was_made_with() -> None:
    bucket = LeakyBucket(ManualTicker(), 10, Fraction(1, 6))
    assert (bucket.capacity, bucket.leak_per_sec) == (10, Fraction(1, 6))


@pytest.mark.parametrize(
    ("capacity", "rate", "error", "words"),
    [
        (0, 1, ValueError, "capacity must be positive"),
        (1, 0, ValueError, "leak_per_sec must be positive, got 0"),
        (1, Fraction(-1, 6), ValueError, "leak_per_sec must be positive, got -1/6"),
        (True, 1, TypeError, "capacity must be an int, got bool True"),
        (1, 0.5, TypeError, r"leak_per_sec must be an int or a Fraction, got float 0\.5"),
    ],
)
def test_a_wrong_parameter_is_refused_by_bucket_and_record(
    capacity: int, rate: int | Fraction, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        LeakyBucket(ManualTicker(), capacity, rate)
    with pytest.raises(error, match=words):
        LeakyBucketConfig(capacity, rate)


def test_its_record_builds_buckets_of_their_own() -> None:
    config = LeakyBucketConfig(capacity=2, leak_per_sec=1)
    first, second = config.build(ManualTicker()), config.build(ManualTicker())
    assert first.acquire(2) == Allowed(0)
    assert second.acquire(2) == Allowed(0)
    assert config == LeakyBucketConfig(2, 1)
    assert hash(config) == hash(LeakyBucketConfig(2, 1))
