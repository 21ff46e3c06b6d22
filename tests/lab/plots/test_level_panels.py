import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from ratelimit.lab import Level, Span
from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import Extent, new_axes
from ratelimit.lab.plots.levels import LevelPanel, UsagePanel
from tests.lab.seeing import area, corners, legend_labels, line, points, strokes

EXTENT = Extent(0, 1_000)
LEVELS = [Level(0, 5_000), Level(0, 500), Level(400, 2_500), Level(1_000, 5_000)]
USAGE = [Level(0, 0), Level(200, 4_000), Level(400, 6_000, 1_000), Level(800, 3_000, 3_000)]


def a_level_panel() -> tuple[LevelPanel, Axes]:
    _, (axes,) = new_axes([1], 200, EXTENT)
    panel = LevelPanel(axes, title="token level", unit="tokens", level="level", bound="capacity")
    return panel, axes


def a_usage_panel(*, estimated: bool = True, aligned: bool = True) -> tuple[UsagePanel, Axes]:
    _, (axes,) = new_axes([1], 200, EXTENT)
    return UsagePanel(axes, title="usage", estimated=estimated, aligned=aligned), axes


def test_a_level_is_drawn_in_whole_units_under_the_line_it_may_not_cross() -> None:
    panel, axes = a_level_panel()
    panel.show(LEVELS, 5, EXTENT)
    assert points(line(axes, "level")) == [(0, 5), (0, 0.5), (400, 2.5), (1_000, 5)]
    assert points(line(axes, "capacity")) == [(0, 5), (1_000, 5)]


def test_the_area_below_a_level_is_filled_down_to_zero() -> None:
    panel, axes = a_level_panel()
    panel.show(LEVELS, 5, EXTENT)
    (fill,) = axes.patches
    assert isinstance(fill, Polygon)
    assert corners(fill) == [
        (0, 5), (0, 0.5), (400, 2.5), (1_000, 5), (1_000, 0), (400, 0), (0, 0), (0, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("bound", "top"), [(5, 6), (9, 10), (13, 15), (2, 6)])
def test_the_axis_of_a_level_reaches_above_level_and_bound(bound: int, top: float) -> None:
    panel, axes = a_level_panel()
    panel.show(LEVELS, bound, EXTENT)
    assert axes.get_ylim() == (0, top)
    assert panel.still == top


def test_a_level_panel_says_what_it_shows() -> None:
    panel, axes = a_level_panel()
    assert axes.get_title(loc="left") == "token level"
    assert axes.get_ylabel() == "tokens"
    assert legend_labels(axes) == ["level", "capacity"]
    assert line(axes, "level").get_linestyle() != line(axes, "capacity").get_linestyle()
    assert set(panel.moving) == {*axes.lines, *axes.patches}
    assert panel.moving[-1] is line(axes, "capacity")


def test_usage_is_a_stack_of_what_was_carried_over_below_what_is_current() -> None:
    panel, axes = a_usage_panel()
    panel.show(USAGE, limit=5, extent=EXTENT, boundaries_ms=[])
    carried, current = corners(area(axes, "carried over")), corners(area(axes, "current"))
    assert carried == [(0, 0), (200, 0), (400, 1), (800, 3), (800, 0), (400, 0), (200, 0)]
    assert current == [(0, 0), (200, 4), (400, 6), (800, 3), (800, 3), (400, 1), (200, 0)]
    (outline,) = (each for each in axes.lines if points(each) == current[:4])
    assert outline.get_color() == style.LEVEL


def test_usage_is_held_against_the_limit_and_the_exact_count() -> None:
    panel, axes = a_usage_panel()
    exact = [Level(0, 0), Level(200, 7_000), Level(900, 2_000)]
    panel.show(USAGE, limit=5, extent=EXTENT, boundaries_ms=[], exact=exact)
    assert points(line(axes, "limit")) == [(0, 5), (1_000, 5)]
    assert points(line(axes, "exact count")) == [(0, 0), (200, 7), (900, 2)]
    # 7 of the exact count is the highest, with 15 % for the words above it and a tenth to spare.
    assert axes.get_ylim() == (0, 10)
    assert panel.still == 10


@pytest.mark.parametrize(("limit", "top"), [(1, 10), (10, 15), (30, 40)])
def test_the_axis_of_usage_reaches_above_usage_and_limit(limit: int, top: float) -> None:
    panel, axes = a_usage_panel()
    panel.show(USAGE, limit=limit, extent=EXTENT, boundaries_ms=[])
    assert axes.get_ylim() == (0, top)


def test_window_boundaries_are_upright_lines_over_the_whole_height() -> None:
    panel, axes = a_usage_panel()
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[0, 500, 1_000])
    assert strokes(line(axes, "window boundary")) == [
        [(at_ms, 0), (at_ms, 15)] for at_ms in (0, 500, 1_000)
    ]
    panel.show(USAGE, limit=30, extent=EXTENT, boundaries_ms=[250])
    assert strokes(line(axes, "window boundary")) == [[(250, 0), (250, 40)]]


def worst_of(axes: Axes) -> tuple[list[tuple[float, float]], str]:
    (text,) = axes.texts
    return corners(area(axes, "worst span")), text.get_text()


@pytest.mark.parametrize(
    ("worst", "place", "side"),
    [
        (Span(100, 350, 12), 100, "left"),
        (Span(600, 1_350, 12), 1_000, "right"),
        (Span(600, 850, 12), 850, "right"),
        (Span(-300, 200, 12), 0, "left"),
        (Span(-300, 1_300, 12), 1_000, "right"),
        (Span(1_000, 1_001, 12), 1_000, "right"),
    ],
)
def test_the_worst_span_is_a_block_with_its_units_and_its_length(
    worst: Span, place: int, side: str
) -> None:
    panel, axes = a_usage_panel(estimated=False)
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[], worst=worst)
    start_ms, end_ms, _ = worst
    assert worst_of(axes) == (
        [(start_ms, 0), (start_ms, 15), (end_ms, 15), (end_ms, 0)],
        f"12 within {end_ms - start_ms:,} ms",
    )
    (text,) = axes.texts
    assert text.get_horizontalalignment() == side
    assert text.get_verticalalignment() == "top"
    assert text.get_position() == pytest.approx((place, 14.55))


def test_large_numbers_about_the_worst_span_have_their_thousands_separated() -> None:
    panel, axes = a_usage_panel(estimated=False)
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[], worst=Span(0, 1_000, 4_321))
    assert worst_of(axes)[1] == "4,321 within 1,000 ms"


@pytest.mark.parametrize(
    "worst", [None, Span(0, 250, 0), Span(-250, 0, 12), Span(1_001, 1_251, 12)]
)
def test_a_worst_span_that_is_empty_or_not_in_the_picture_is_not_marked(
    worst: Span | None,
) -> None:
    panel, axes = a_usage_panel(estimated=False)
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[], worst=Span(100, 350, 12))
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[], worst=worst)
    assert worst_of(axes) == ([(0, 0)], "")
    assert np.ptp(area(axes, "worst span").get_xy(), axis=0).tolist() == [0, 0]


@pytest.mark.parametrize("place", [0, 120, 480, 490, 510, 880, 999])
@pytest.mark.parametrize("length_ms", [1, 20, 300, 1_000])
def test_the_words_about_the_worst_span_stay_inside_the_axes(place: int, length_ms: int) -> None:
    panel, axes = a_usage_panel(estimated=False)
    worst = Span(place, place + length_ms, 1_234)
    panel.show(USAGE, limit=10, extent=EXTENT, boundaries_ms=[], worst=worst)
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    (text,) = axes.texts
    words, frame = text.get_window_extent(), axes.get_window_extent()
    assert frame.x0 <= words.x0 < words.x1 <= frame.x1
    assert frame.y0 <= words.y0 < words.y1 <= frame.y1


@pytest.mark.parametrize(
    ("estimated", "aligned", "labels"),
    [
        (True, True, ["carried over", "current", "exact count", "limit", "window boundary"]),
        (False, True, ["current", "worst span", "limit", "window boundary"]),
        (False, False, ["current", "worst span", "limit"]),
    ],
)
def test_the_legend_names_what_the_panel_shows(
    estimated: bool, aligned: bool, labels: list[str]
) -> None:
    _, axes = a_usage_panel(estimated=estimated, aligned=aligned)
    assert legend_labels(axes) == labels
    assert axes.get_title(loc="left") == "usage"
    assert axes.get_ylabel() == "units"


def test_everything_on_a_usage_panel_moves_and_words_come_last() -> None:
    panel, axes = a_usage_panel()
    assert set(panel.moving) == {*axes.lines, *axes.patches, *axes.texts}
    assert panel.moving[0] is area(axes, "worst span")
    assert panel.moving[-1] is axes.texts[0]


def test_the_two_parts_of_the_stack_differ_in_hatching_and_in_colour() -> None:
    _, axes = a_usage_panel()
    carried, current = area(axes, "carried over"), area(axes, "current")
    assert carried.get_hatch() != current.get_hatch()
    assert to_hex(carried.get_facecolor()) == style.CARRIED.lower()
    assert to_hex(current.get_facecolor()) == style.LEVEL.lower()
