"""Fixed window: examples to read, and what it does and does not promise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import Allowed, Denied, FixedWindow, FixedWindowConfig, ManualTicker
from ratelimit.lab.simulation import simulate
from tests import strategies
from tests.algorithms.steps import Step, play
from tests.strategies import Ask

A, D = Allowed, Denied


@pytest.mark.parametrize(
    ("limit", "window_ms", "steps"),
    [
        pytest.param(
            3,
            1_000,
            [(250, 1, A(2)), (250, 1, A(1)), (250, 1, A(0)), (250, 1, D(750)), (250, 1, D(750))],
            id="the window began at 0 and not with the first request",
        ),
        pytest.param(
            5,
            1_000,
            [(250, 3, A(2)), (250, 3, D(750)), (250, 2, A(0))],
            id="a denied large request does not block a small one",
        ),
        pytest.param(
            1,
            7_000,
            [
                (1_781_092_801_000, 1, A(0)),
                (1_781_092_801_000, 1, D(2_000)),
                (1_781_092_803_000, 1, A(0)),
            ],
            id="windows of seven seconds, counted from zero",
        ),
        pytest.param(
            2,
            1_000,
            [(-1, 2, A(0)), (-1, 1, D(1)), (0, 2, A(0)), (0, 1, D(1_000))],
            id="the grid goes on below zero",
        ),
        pytest.param(
            2,
            1_000,
            [(-1_000, 2, A(0)), (-1_000, 1, D(1_000)), (-1, 1, D(1)), (0, 1, A(1))],
            id="the first window below zero is as long as the others",
        ),
        pytest.param(
            1,
            1_000,
            [(1_500, 1, A(0)), (200, 1, D(1_800)), (999, 1, D(1_001)), (2_000, 1, A(0))],
            id="a clock that steps back stays in the window it has reached",
        ),
        pytest.param(1, 1, [(0, 1, A(0)), (0, 1, D(1)), (1, 1, A(0))], id="windows of 1 ms"),
    ],
)
def test_step_by_step(limit: int, window_ms: int, steps: list[Step]) -> None:
    play(FixedWindowConfig(limit, window_ms), steps)


def test_the_count_is_that_of_this_moment_and_reading_it_changes_nothing() -> None:
    ticker = ManualTicker(500)
    window = FixedWindow(ticker, 3, 1_000)
    window.acquire(2)
    counts = []
    for at_ms in (500, 999, 1_000, 5_000, 999, -5_000):
        ticker.move_to(at_ms)
        counts.append(window.count)
    assert counts == [2, 2, 0, 0, 2, 2]


def test_a_boundary_lets_twice_the_limit_through_within_a_millisecond() -> None:
    trace = simulate(FixedWindowConfig(10, 1_000), [999] * 10 + [1_000] * 10)
    assert trace.admitted == 20
    assert trace.worst_span(2).admitted_units == 20


@given(limit=st.integers(1, 12), window_ms=st.integers(1, 2_000), asks=strategies.forward)
def test_each_window_of_the_grid_and_no_two_neighbours_hold_more_than_promised(
    limit: int, window_ms: int, asks: list[Ask]
) -> None:
    at_ms, requests = 0, []
    for ask in asks:
        at_ms += ask.step_ms
        requests += [(at_ms, ask.cost(limit))] * 3
    trace = simulate(FixedWindowConfig(limit, window_ms), requests)
    per_window: dict[int, int] = {}
    for request in trace.admitted_requests:
        index = request.at_ms // window_ms
        per_window[index] = per_window.get(index, 0) + request.cost
    assert max(per_window.values()) <= limit
    assert trace.worst_span(window_ms).admitted_units <= 2 * limit
