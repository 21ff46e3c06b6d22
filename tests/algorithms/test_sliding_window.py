"""Sliding window counter: examples to read, both hints, and both of its errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    Denied,
    ManualTicker,
    SlidingLogConfig,
    SlidingWindow,
    SlidingWindowConfig,
)
from ratelimit.algorithms.sliding_window import RetryHint
from ratelimit.lab.simulation import simulate
from tests import strategies
from tests.algorithms.steps import Step, play
from tests.strategies import Ask

A, D = Allowed, Denied


@pytest.mark.parametrize(
    ("limit", "hint", "steps"),
    [
        pytest.param(
            10,
            "boundary",
            [(900, 10, A(0)), (1_000, 1, D(1_000)), (1_500, 5, A(0)), (1_500, 1, D(500))],
            id="the previous count fades in the course of the window",
        ),
        pytest.param(
            10,
            "exact",
            [
                (900, 10, A(0)),
                (1_000, 1, D(1)),
                (1_001, 1, A(0)),
                (1_001, 1, D(100)),
                (1_101, 1, A(0)),
            ],
            id="the exact hint finds the moment within this window",
        ),
        pytest.param(
            10,
            "exact",
            [(100, 10, A(0)), (900, 1, D(101)), (1_000, 1, D(1)), (1_001, 1, A(0))],
            id="or within the next one",
        ),
        pytest.param(
            5,
            "exact",
            [(0, 5, A(0)), (0, 5, D(1_801)), (1_800, 5, D(1)), (1_801, 5, A(0))],
            id="the whole limit fits once less than one unit is carried over",
        ),
        pytest.param(
            100,
            "exact",
            [
                (900, 50, A(50)),
                (1_100, 10, A(45)),
                (1_100, 1, A(44)),
                (1_100, 45, D(1)),
                (1_100, 44, A(0)),
            ],
            id="what is left is what the estimate leaves",
        ),
        pytest.param(
            5,
            "boundary",
            [(0, 5, A(0)), (2_000, 1, A(4))],
            id="after two boundaries nothing is carried over",
        ),
        pytest.param(
            10,
            "boundary",
            [(900, 10, A(0)), (1_900, 1, A(8)), (1_000, 8, A(0)), (1_000, 1, D(1_000))],
            id="a clock that steps back does not bring old requests to life",
        ),
        pytest.param(
            2,
            "boundary",
            [(-1, 2, A(0)), (0, 1, D(1_000)), (1, 1, A(0))],
            id="the grid goes on below zero",
        ),
    ],
)
def test_step_by_step(limit: int, hint: RetryHint, steps: list[Step]) -> None:
    play(SlidingWindowConfig(limit, 1_000, hint), steps)


def test_a_limit_above_the_windows_milliseconds_can_need_a_third_window() -> None:
    """Seven units over 2 ms: half of them, 3, still count in the next window's last moment."""
    play(
        SlidingWindowConfig(7, 2, "exact"),
        [(0, 7, A(0)), (0, 7, D(4)), (3, 7, D(1)), (4, 7, A(0))],
    )


def test_its_counters_are_those_of_this_moment_and_reading_them_changes_nothing() -> None:
    ticker = ManualTicker(900)
    window = SlidingWindow(ticker, 10, 1_000)
    window.acquire(10)
    ticker.move_to(1_500)
    window.acquire(2)
    shown = []
    for at_ms in (1_500, 1_900, 2_000, 2_500, 3_000, 1_500, 0):
        ticker.move_to(at_ms)
        shown.append((window.previous, window.current, window.usage))
    assert shown == [
        (10, 2, 7),
        (10, 2, 3),
        (2, 0, 2),
        (2, 0, 1),
        (0, 0, 0),
        (10, 2, 7),
        (10, 2, 7),
    ]


def test_the_boundary_hint_can_be_a_thousand_times_too_late() -> None:
    late = simulate(SlidingWindowConfig(10, 1_000), [900] * 10 + [1_000, 1_001])
    assert late.decisions[10:] == (D(1_000), A(0))


def test_the_boundary_hint_can_be_too_early() -> None:
    obeyed = simulate(SlidingWindowConfig(10, 1_000), [100] * 10 + [900, 1_000])
    assert obeyed.decisions[10:] == (D(100), D(1_000))


def test_twice_the_limit_within_one_windows_length() -> None:
    trace = simulate(SlidingWindowConfig(100, 1_000), [999] * 100 + [1_991] * 100)
    assert trace.worst_span(1_000).admitted_units == 200


def test_the_floor_lets_a_limit_of_one_through_twice_in_two_milliseconds() -> None:
    trace = simulate(SlidingWindowConfig(1, 1_000), [999, 1_000, 1_001])
    assert trace.decisions == (A(0), D(1_000), A(0))


def test_it_refuses_what_an_exact_count_lets_pass() -> None:
    requests = [0] * 10 + [1_000]
    assert isinstance(simulate(SlidingWindowConfig(10, 1_000), requests).decisions[-1], Denied)
    assert isinstance(simulate(SlidingLogConfig(10, 1_000), requests).decisions[-1], Allowed)


@given(limit=st.integers(1, 12), window_ms=st.integers(1, 2_000), asks=strategies.forward)
def test_no_span_as_long_as_the_window_holds_more_than_twice_the_limit(
    limit: int, window_ms: int, asks: list[Ask]
) -> None:
    at_ms, requests = 0, []
    for ask in asks:
        at_ms += ask.step_ms
        requests += [(at_ms, ask.cost(limit))] * 3
    trace = simulate(SlidingWindowConfig(limit, window_ms), requests)
    assert trace.worst_span(window_ms).admitted_units <= 2 * limit


@pytest.mark.parametrize(
    ("hint", "error"), [("soon", ValueError), ("", ValueError), (1, TypeError), (None, TypeError)]
)
def test_an_unknown_hint_is_refused(hint: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="use 'boundary' or 'exact'") as caught:
        SlidingWindowConfig(1, 1, hint)  # type: ignore[arg-type]
    assert repr(hint) in str(caught.value)
