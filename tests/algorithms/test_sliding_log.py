"""Sliding log: examples to read, its exact bound, and what it remembers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import Allowed, Denied, ManualTicker, SlidingLog, SlidingLogConfig
from ratelimit.lab.simulation import simulate
from tests import strategies
from tests.algorithms.steps import Step, play
from tests.strategies import Ask

A, D = Allowed, Denied


@pytest.mark.parametrize(
    ("limit", "steps"),
    [
        pytest.param(
            2,
            [
                (0, 1, A(1)),
                (100, 1, A(0)),
                (200, 1, D(800)),
                (900, 1, D(100)),
                (999, 1, D(1)),
                (1_000, 1, A(0)),
                (1_001, 1, D(99)),
                (1_100, 1, A(0)),
            ],
            id="each request expires a window after its own time",
        ),
        pytest.param(
            3,
            [
                (500, 1, A(2)),
                (500, 1, A(1)),
                (500, 1, A(0)),
                (500, 1, D(1_000)),
                (500, 1, D(1_000)),
            ],
            id="requests of one moment count one by one",
        ),
        pytest.param(2, [(0, 1, A(1)), (10, 1, A(0)), (2_000, 1, A(1))], id="all expired"),
        pytest.param(
            10,
            [
                (0, 3, A(7)),
                (100, 3, A(4)),
                (200, 4, A(0)),
                (300, 1, D(700)),
                (300, 4, D(800)),
                (300, 7, D(900)),
            ],
            id="a larger request waits for more of the oldest to expire",
        ),
        pytest.param(
            1,
            [(5_000, 1, A(0)), (0, 1, D(6_000)), (5_999, 1, D(1)), (6_000, 1, A(0))],
            id="a clock that steps back expires nothing",
        ),
    ],
)
def test_step_by_step(limit: int, steps: list[Step]) -> None:
    play(SlidingLogConfig(limit, 1_000), steps)


def test_the_count_is_that_of_this_moment_and_reading_it_changes_nothing() -> None:
    ticker = ManualTicker()
    log = SlidingLog(ticker, 5, 1_000)
    for at_ms in (0, 100, 200):
        ticker.move_to(at_ms)
        log.acquire()
    counts = []
    for at_ms in (200, 999, 1_000, 1_100, 1_200, 999, 0):
        ticker.move_to(at_ms)
        counts.append(log.count)
    assert counts == [3, 3, 2, 1, 0, 3, 3]


@given(limit=st.integers(1, 12), window_ms=st.integers(1, 2_000), asks=strategies.forward)
def test_no_span_as_long_as_the_window_holds_more_than_the_limit(
    limit: int, window_ms: int, asks: list[Ask]
) -> None:
    at_ms, requests = 0, []
    for ask in asks:
        at_ms += ask.step_ms
        requests += [(at_ms, ask.cost(limit))] * 3
    trace = simulate(SlidingLogConfig(limit, window_ms), requests)
    assert trace.worst_span(window_ms).admitted_units <= limit


def test_it_remembers_at_most_about_twice_its_limit() -> None:
    ticker = ManualTicker()
    log = SlidingLog(ticker, 50, 1_000)
    for at_ms in range(0, 100_000, 3):
        ticker.move_to(at_ms)
        log.acquire()
        assert len(log._admitted_ms) == len(log._running_totals) <= 101


def test_denials_are_not_remembered() -> None:
    log = SlidingLog(ManualTicker(), 1, 1_000)
    log.acquire()
    for _ in range(100):
        assert log.acquire() == D(1_000)
    assert len(log._admitted_ms) == 1
