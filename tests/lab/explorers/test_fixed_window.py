from typing import Any

import pytest

from ratelimit import FixedWindow, FixedWindowConfig
from ratelimit.lab import FixedWindowExplorer, Request
from tests.lab.explorers.explorers import values
from tests.lab.seeing import area, corners, line, points, strokes

pytestmark = pytest.mark.usefixtures("draw")

SETTINGS = [
    {},
    {"limit": 1},
    {"limit": 30, "window_ms": 2_000, "burst_size": 40, "lead_ms": 500, "lag_ms": 500},
    {"limit": 5, "window_ms": 300, "burst_size": 4, "lead_ms": 301, "lag_ms": 299},
    {"limit": 5, "window_ms": 200, "lead_ms": 500, "lag_ms": 0},
    {"limit": 1_200, "window_ms": 60_000, "burst_size": 1_500, "lag_ms": 1},
    {"window_ms": 10, "lead_ms": 10, "lag_ms": 10},
]


def two_bursts(chosen: dict[str, int]) -> tuple[int, int]:
    """Return the times of the two bursts."""
    boundary_ms = 2 * chosen["window_ms"]
    while boundary_ms < chosen["lead_ms"]:
        boundary_ms += chosen["window_ms"]
    return boundary_ms - chosen["lead_ms"], boundary_ms + chosen["lag_ms"]


@pytest.mark.parametrize("start", SETTINGS, ids=repr)
def test_the_numbers_are_those_of_two_bursts_counted_by_hand(start: dict[str, int]) -> None:
    explorer = FixedWindowExplorer(**start)
    chosen = values(explorer)
    limit, window_ms, size = chosen["limit"], chosen["window_ms"], chosen["burst_size"]
    first_ms, second_ms = two_bursts(chosen)
    assert list(explorer.trace.requests) == [Request(first_ms)] * size + [Request(second_ms)] * size
    # The two are in different windows, because the boundary lies between them.
    each = min(limit, size)
    worst = 2 * each if second_ms - first_ms < window_ms else each
    assert explorer.summary == (
        f"{2 * each:,} of {2 * size:,} requests admitted, {2 * (size - each):,} denied; "
        f"most within {window_ms:,} ms: {worst:,} from t = {first_ms:,} ms, limit {limit:,}"
    )
    (block, *_), text = (
        corners(area(explorer.figure.axes[0], "worst span")),
        TEXT.format(worst, window_ms),
    )
    assert block == (first_ms, 0)
    assert [each.get_text() for each in explorer.figure.axes[0].texts] == [text]


TEXT = "{:,} within {:,} ms"


def test_both_bursts_stay_in_the_picture() -> None:
    explorer = FixedWindowExplorer()
    for window_ms in (200, 300, 2_000):
        for lead_ms in (1, 200, 201, 500):
            explorer.controls["window_ms"].value = window_ms
            explorer.controls["lead_ms"].value = lead_ms
            explorer.controls["lag_ms"].value = 500
            first_ms, second_ms = two_bursts(values(explorer))
            assert 0 <= first_ms < second_ms <= 5_000
            assert explorer.trace.requests[0].at_ms == first_ms
            assert explorer.trace.requests[-1].at_ms == second_ms


@pytest.mark.parametrize(
    ("start", "end_ms"),
    [
        ({}, 5_000),
        ({"window_ms": 60_000}, 150_000),
        ({"lag_ms": 3_000}, 7_000),
        ({"lead_ms": 9_000}, 12_000),
    ],
)
def test_the_picture_has_room_for_every_setting(start: dict[str, int], end_ms: int) -> None:
    explorer = FixedWindowExplorer(**start)
    assert explorer.trace.levels[-1].at_ms == end_ms
    for control in explorer.controls.values():
        control.value = control.max
    assert explorer.trace.requests[-1].at_ms <= end_ms


def test_the_count_the_limit_and_the_boundaries_follow_the_real_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explorer = FixedWindowExplorer()
    explorer.controls["limit"].value = 8
    usage, _ = explorer.figure.axes
    counts = [(level.at_ms, level.amount_milli / 1_000) for level in explorer.trace.levels]
    assert corners(area(usage, "current"))[: len(counts)] == counts
    assert max(y for _, y in counts) == 8
    assert points(line(usage, "limit")) == [(0, 8), (5_000, 8)]
    assert [start for (start, _), _ in strokes(line(usage, "window boundary"))] == [
        *range(0, 5_001, 1_000)
    ]
    assert explorer.trace.config == FixedWindowConfig(8, 1_000)
    monkeypatch.setattr(FixedWindow, "count", property(lambda _window: 6))
    explorer.controls["limit"].value = 9
    assert {y for _, y in corners(area(usage, "current"))[:400]} == {6}


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"limit": 0}, ValueError, "limit must be positive, got 0"),
        ({"limit": True}, TypeError, "limit must be an int, got bool True"),
        ({"window_ms": -5}, ValueError, "window_ms must be positive, got -5"),
        ({"burst_size": 0}, ValueError, "burst_size must be positive, got 0"),
        ({"burst_size": 1.5}, TypeError, "burst_size must be an int, got float 1.5"),
        ({"lead_ms": 0}, ValueError, "lead_ms must be positive, got 0"),
        ({"lag_ms": -1}, ValueError, "lag_ms must not be negative, got -1"),
    ],
    ids=repr,
)
def test_bad_arguments_are_refused_as_the_configuration_refuses_them(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        FixedWindowExplorer(**arguments)
