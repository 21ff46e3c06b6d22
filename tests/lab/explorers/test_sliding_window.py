from fractions import Fraction
from typing import Any

import pytest

from ratelimit import Denied, SlidingWindow, SlidingWindowConfig
from ratelimit.lab import Request, SlidingWindowExplorer
from tests.lab.explorers.explorers import arrivals, values
from tests.lab.seeing import area, corners, line, points, strokes

pytestmark = pytest.mark.usefixtures("draw")

SETTINGS = [
    {},
    {"limit": 1},
    {"limit": 30, "window_ms": 2_000, "traffic_per_sec": 40, "burst_size": 30, "offset_ms": 2_000},
    {"limit": 7, "window_ms": 300, "traffic_per_sec": 33, "burst_size": 5, "offset_ms": 50},
    {"window_ms": 200, "traffic_per_sec": 1, "offset_ms": 700},
    {"limit": 15, "window_ms": 9_000, "traffic_per_sec": 3, "offset_ms": 100},
]


def estimated_by_hand(chosen: dict[str, int], requests: list[Request]) -> list[Request]:
    """Return what the estimate admits, counted from the list of all admitted so far."""
    limit, window_ms = chosen["limit"], chosen["window_ms"]
    admitted: list[Request] = []
    for request in requests:
        index, elapsed_ms = divmod(request.at_ms, window_ms)
        current = sum(done.at_ms // window_ms == index for done in admitted)
        previous = sum(done.at_ms // window_ms == index - 1 for done in admitted)
        weighted = Fraction(previous * (window_ms - elapsed_ms), window_ms)
        if weighted.__floor__() + current < limit:
            admitted.append(request)
    return admitted


def within(requests: list[Request], end_ms: int, window_ms: int) -> int:
    return sum(end_ms - window_ms < request.at_ms <= end_ms for request in requests)


@pytest.mark.parametrize("start", SETTINGS, ids=repr)
def test_the_numbers_are_those_of_an_estimate_by_hand(start: dict[str, int]) -> None:
    explorer = SlidingWindowExplorer(**start)
    chosen = values(explorer)
    window_ms, limit = chosen["window_ms"], chosen["limit"]
    requests = arrivals(explorer, explorer.trace.levels[-1].at_ms)
    admitted = estimated_by_hand(chosen, requests)
    worst = max(within(admitted, request.at_ms, window_ms) for request in admitted)
    denied = [request for request, decision in explorer.trace if isinstance(decision, Denied)]
    with_room = sum(within(admitted, request.at_ms, window_ms) < limit for request in denied)
    assert explorer.summary == (
        f"{len(admitted):,} of {len(requests):,} requests admitted, "
        f"{len(requests) - len(admitted):,} denied; most within {window_ms:,} ms: {worst:,}, "
        f"limit {limit:,}; denied though the exact count had room: {with_room:,}"
    )


def test_the_picture_covers_six_seconds_or_three_windows_or_three_offsets() -> None:
    ends = [
        explorer.trace.levels[-1].at_ms
        for explorer in (
            SlidingWindowExplorer(),
            SlidingWindowExplorer(window_ms=60_000, traffic_per_sec=1),
            SlidingWindowExplorer(offset_ms=6_000),
        )
    ]
    assert ends == [6_000, 180_000, 18_000]


def test_the_first_burst_arrives_at_its_offset_and_the_last_before_the_end() -> None:
    explorer = SlidingWindowExplorer(offset_ms=250, traffic_per_sec=1, burst_size=2)
    assert [request.at_ms for request in explorer.trace.requests] == [
        250, 250, 2_250, 2_250, 4_250, 4_250,
    ]  # fmt: skip


def test_the_hints_are_exact() -> None:
    explorer = SlidingWindowExplorer()
    assert explorer.trace.config == SlidingWindowConfig(10, 1_000, "exact")
    ends = [end for _, (end, _) in strokes(line(explorer.figure.axes[1], "retry hint, to its end"))]
    assert any(end % 1_000 for end in ends)


def test_the_stack_and_the_lines_follow_the_real_window(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = SlidingWindowExplorer()
    explorer.controls["limit"].value = 8
    usage, _ = explorer.figure.axes
    carried = corners(area(usage, "carried over"))[: len(explorer.trace.levels)]
    assert carried == [
        (level.at_ms, level.carried_milli / 1_000) for level in explorer.trace.levels
    ]
    assert points(line(usage, "limit")) == [(0, 8), (6_000, 8)]
    assert [start for (start, _), _ in strokes(line(usage, "window boundary"))] == [
        *range(0, 6_001, 1_000)
    ]
    monkeypatch.setattr(SlidingWindow, "usage", property(lambda _window: 5))
    monkeypatch.setattr(SlidingWindow, "current", property(lambda _window: 2))
    explorer.controls["limit"].value = 9
    assert {y for _, y in corners(area(usage, "carried over"))[:400]} == {3}
    assert {y for _, y in corners(area(usage, "current"))[:400]} == {5}


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"limit": 0}, ValueError, "limit must be positive, got 0"),
        ({"limit": 1.5}, TypeError, "limit must be an int, got float 1.5"),
        ({"window_ms": 0}, ValueError, "window_ms must be positive, got 0"),
        ({"window_ms": True}, TypeError, "window_ms must be an int, got bool True"),
        ({"traffic_per_sec": 0}, ValueError, "traffic_per_sec must be positive, got 0"),
        ({"traffic_per_sec": Fraction(1, 2)}, TypeError, "traffic_per_sec must be an int, got Fr"),
        ({"burst_size": -1}, ValueError, "burst_size must be positive, got -1"),
        ({"offset_ms": -1}, ValueError, "offset_ms must not be negative, got -1"),
        ({"offset_ms": 0.5}, TypeError, "offset_ms must be an int, got float 0.5"),
    ],
    ids=repr,
)
def test_bad_arguments_are_refused_as_the_configuration_refuses_them(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        SlidingWindowExplorer(**arguments)
