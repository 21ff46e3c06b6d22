"""What holds for every limiter. To add one, add its line to `tests/limiters.py`."""

from collections.abc import Iterator
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from traceback import format_exception_only

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    ManualTicker,
    PeekableLimiter,
    RateLimiter,
    Ticker,
)
from tests import strategies
from tests.limiters import Subject, each_exact_limiter, each_limiter
from tests.strategies import Ask

WRONG_TYPES: list[object] = [True, False, 1.0, 0.5, "1", None, Decimal(1), Fraction(1), [1], 1j]
LIMIT = 5


class Weight(IntEnum):
    """A cost with a name."""

    HEAVY = 2


class BrokenTicker:
    """A ticker whose reading fails when it is told to."""

    def __init__(self) -> None:
        self.broken = False

    def now_ms(self) -> int:
        if self.broken:
            raise OSError("no clock")
        return 0


class FloatTicker:
    """A ticker that counts in fractions of a millisecond."""

    def now_ms(self) -> float:
        return 0.5


def answers(limiter: RateLimiter, ticker: ManualTicker, asks: list[Ask]) -> Iterator[Decision]:
    for ask in asks:
        ticker.advance(ask.step_ms)
        yield limiter.acquire(ask.cost(LIMIT))


@each_limiter
def test_it_has_the_interface(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    assert isinstance(limiter, RateLimiter)
    assert isinstance(limiter, PeekableLimiter)


@each_limiter
def test_a_fresh_one_admits_exactly_its_limit_at_once(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    decisions = [limiter.acquire() for _ in range(LIMIT)]
    assert decisions == [Allowed(left) for left in (4, 3, 2, 1, 0)]
    assert isinstance(limiter.acquire(), Denied)


@each_limiter
def test_a_fresh_one_admits_its_whole_limit_as_one_cost(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    assert limiter.acquire(LIMIT) == Allowed(0)


@each_limiter
@pytest.mark.parametrize("limit", [1_023, 1_024, 1_025, 5_000])
def test_what_is_left_is_right_for_large_limits_too(subject: Subject, limit: int) -> None:
    limiter = subject.build(ManualTicker(), limit)
    assert [limiter.acquire() for _ in range(3)] == [Allowed(limit - taken) for taken in (1, 2, 3)]


@each_limiter
def test_a_denied_large_request_leaves_room_for_a_small_one(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    assert limiter.acquire(3) == Allowed(2)
    assert isinstance(limiter.acquire(3), Denied)
    assert limiter.acquire(2) == Allowed(0)


@each_limiter
@given(asks=strategies.both_ways, start_ms=strategies.starts_ms)
def test_peeking_tells_the_answer_and_changes_nothing(
    subject: Subject, asks: list[Ask], start_ms: int
) -> None:
    """A twin that is never looked at gives the same answers."""
    ticker = ManualTicker(start_ms)
    limiter, twin = subject.build(ticker, LIMIT), subject.build(ticker, LIMIT)
    for ask in asks:
        for peek_step_ms in (-500, 0, 7, 1_000):
            ticker.advance(peek_step_ms)
            for cost in range(1, LIMIT + 1):
                limiter.peek(cost)
            ticker.advance(-peek_step_ms)
        ticker.advance(ask.step_ms)
        cost = ask.cost(LIMIT)
        told = limiter.peek(cost)
        assert limiter.peek(cost) == told == limiter.acquire(cost) == twin.acquire(cost)


@each_limiter
@given(asks=strategies.forward, start_ms=strategies.starts_ms)
def test_a_denied_request_leaves_no_mark(subject: Subject, asks: list[Ask], start_ms: int) -> None:
    """A twin that is asked only what is then allowed gives the same answers."""
    ticker = ManualTicker(start_ms)
    limiter, twin = subject.build(ticker, LIMIT), subject.build(ticker, LIMIT)
    for ask in asks:
        ticker.advance(ask.step_ms)
        cost = ask.cost(LIMIT)
        decision = limiter.acquire(cost)
        if isinstance(decision, Allowed):
            assert twin.acquire(cost) == decision
        assert limiter.peek(cost) == twin.peek(cost)


@each_limiter
@given(asks=strategies.both_ways, start_ms=strategies.starts_ms)
def test_answers_stay_within_their_ranges(subject: Subject, asks: list[Ask], start_ms: int) -> None:
    ticker = ManualTicker(start_ms)
    limiter = subject.build(ticker, LIMIT)
    for ask, decision in zip(asks, answers(limiter, ticker, asks), strict=True):
        match decision:
            case Allowed(remaining):
                assert type(remaining) is int
                assert 0 <= remaining <= LIMIT - ask.cost(LIMIT)
            case Denied(retry_after_ms):
                assert type(retry_after_ms) is int
                assert retry_after_ms >= 1


@each_exact_limiter
@given(data=st.data(), asks=strategies.both_ways, start_ms=strategies.starts_ms)
def test_an_exact_hint_is_kept_to_the_millisecond(
    subject: Subject, data: st.DataObject, asks: list[Ask], start_ms: int
) -> None:
    """Denied one millisecond before it, allowed at it, wherever the clock has been."""
    limit = data.draw(st.integers(1, 12), "limit")
    second = data.draw(strategies.rates if subject.is_bucket else strategies.windows_ms, "second")
    ticker = ManualTicker(start_ms)
    limiter = subject.configure(limit, second).build(ticker)
    for ask in asks:
        ticker.advance(ask.step_ms)
        limiter.acquire(ask.cost(limit))
        for cost in (1, ask.cost(limit), limit):
            decision = limiter.peek(cost)
            if isinstance(decision, Denied):
                asked_ms = ticker.now_ms()
                ticker.move_to(asked_ms + decision.retry_after_ms - 1)
                assert isinstance(limiter.peek(cost), Denied)
                ticker.move_to(asked_ms + decision.retry_after_ms)
                assert isinstance(limiter.peek(cost), Allowed)
                ticker.move_to(asked_ms)


@each_limiter
@given(asks=strategies.both_ways, start_ms=strategies.starts_ms)
def test_an_earlier_reading_counts_as_the_highest_one_seen(
    subject: Subject, asks: list[Ask], start_ms: int
) -> None:
    """A twin whose clock never steps back differs only in hints, by the time to catch up."""
    ticker, steady = ManualTicker(start_ms), ManualTicker(start_ms)
    limiter, twin = subject.build(ticker, LIMIT), subject.build(steady, LIMIT)
    for ask in asks:
        ticker.advance(ask.step_ms)
        steady.move_to(max(steady.now_ms(), ticker.now_ms()))
        decision, expected = limiter.acquire(ask.cost(LIMIT)), twin.acquire(ask.cost(LIMIT))
        if isinstance(expected, Denied):
            behind_ms = steady.now_ms() - ticker.now_ms()
            assert decision == Denied(expected.retry_after_ms + behind_ms)
        else:
            assert decision == expected


@each_limiter
@pytest.mark.parametrize("cost", [0, -1, -5, LIMIT + 1, 10**30])
@pytest.mark.parametrize("method", ["acquire", "peek"])
def test_a_cost_out_of_range_is_a_value_error(subject: Subject, method: str, cost: int) -> None:
    limiter, twin = subject.build(ManualTicker(), LIMIT), subject.build(ManualTicker(), LIMIT)
    limiter.acquire(3)
    twin.acquire(3)
    with pytest.raises(ValueError, match="is outside") as caught:
        getattr(limiter, method)(cost)
    assert str(caught.value) == f"cost {cost} is outside 1..5"
    assert "split it" in "".join(format_exception_only(caught.value))
    assert [limiter.acquire() for _ in range(3)] == [twin.acquire() for _ in range(3)]


@each_limiter
@pytest.mark.parametrize("cost", WRONG_TYPES, ids=repr)
@pytest.mark.parametrize("method", ["acquire", "peek"])
def test_a_cost_of_a_wrong_type_is_a_type_error(
    subject: Subject, method: str, cost: object
) -> None:
    limiter, twin = subject.build(ManualTicker(), LIMIT), subject.build(ManualTicker(), LIMIT)
    limiter.acquire(3)
    twin.acquire(3)
    with pytest.raises(TypeError, match="cost must be an int") as caught:
        getattr(limiter, method)(cost)
    assert repr(cost) in str(caught.value)
    assert [limiter.acquire() for _ in range(3)] == [twin.acquire() for _ in range(3)]


@each_limiter
def test_an_int_with_a_name_is_an_int(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    assert limiter.peek(Weight.HEAVY) == Allowed(3)
    decision = limiter.acquire(Weight.HEAVY)
    assert decision == Allowed(3)
    assert isinstance(decision, Allowed)
    assert type(decision.remaining) is int


@each_limiter
def test_a_clock_that_fails_costs_nothing(subject: Subject) -> None:
    ticker = BrokenTicker()
    limiter = subject.build(ticker, LIMIT)
    assert limiter.acquire(3) == Allowed(2)
    ticker.broken = True
    with pytest.raises(OSError, match="no clock"):
        limiter.acquire(2)
    ticker.broken = False
    assert limiter.acquire(2) == Allowed(0)


@each_limiter
def test_a_clock_that_counts_in_floats_is_refused_at_construction(subject: Subject) -> None:
    with pytest.raises(TypeError, match=r"ticker\.now_ms\(\) must be an int, got float 0\.5"):
        subject.build(FloatTicker(), LIMIT)  # type: ignore[arg-type]


@each_limiter
@pytest.mark.parametrize("ticker", [None, 5, "clock", ManualTicker], ids=repr)
def test_what_is_no_clock_is_refused_with_the_remedy(subject: Subject, ticker: Ticker) -> None:
    with pytest.raises(TypeError, match=r"ticker must have now_ms\(\), got .*pass MonotonicTicker"):
        subject.build(ticker, LIMIT)


@each_limiter
@given(asks=strategies.both_ways)
def test_its_state_holds_integers_and_nothing_less_exact(subject: Subject, asks: list[Ask]) -> None:
    ticker = ManualTicker()
    limiter = subject.build(ticker, LIMIT)
    list(answers(limiter, ticker, asks))
    for slot in type(limiter).__slots__:  # type: ignore[attr-defined]
        value = getattr(limiter, slot)
        for number in value if isinstance(value, list) else [value]:
            assert isinstance(number, int | Fraction | str) or callable(number), slot


@each_limiter
def test_what_it_shows_cannot_be_set(subject: Subject) -> None:
    limiter = subject.build(ManualTicker(), LIMIT)
    shown = [name for name, member in vars(type(limiter)).items() if isinstance(member, property)]
    assert len(shown) >= 3
    for name in [*shown, "anything_else"]:
        with pytest.raises(AttributeError):
            setattr(limiter, name, 1)


@each_limiter
def test_it_shows_the_parameters_that_it_was_made_with(subject: Subject) -> None:
    config = subject.configure(LIMIT, subject.second)
    limiter = config.build(ManualTicker())
    for name in type(config).__slots__:
        assert getattr(limiter, name) == getattr(config, name)


@each_limiter
@pytest.mark.parametrize("value", [0, -1, -(10**20)])
def test_parameters_must_be_positive(subject: Subject, value: int) -> None:
    with pytest.raises(ValueError, match="must be positive") as first:
        subject.configure(value, subject.second)
    with pytest.raises(
        ValueError, match=f"must be positive, got {value}; pass an int of at least 1"
    ):
        subject.configure(LIMIT, value)
    assert f"got {value}" in "".join(format_exception_only(first.value))


@each_limiter
@pytest.mark.parametrize("value", [True, 1.0, 0.5, "1", None, Decimal(1)], ids=repr)
def test_parameters_must_be_integers(subject: Subject, value: object) -> None:
    made = subject.configure(LIMIT, subject.second)
    names = list(type(made).__slots__)[:2]
    good = {name: getattr(made, name) for name in names}
    for name in names:
        with pytest.raises(TypeError, match=f"{name} must be an int") as caught:
            type(made)(**{**good, name: value})
        assert repr(value) in str(caught.value)
