from matplotlib.axes import Axes

from ratelimit import Allowed, Denied, TokenBucketConfig
from ratelimit.lab import Request, Trace
from ratelimit.lab.plots.layers import Extent, new_axes
from ratelimit.lab.plots.totals import TotalsPanel
from tests.lab.seeing import legend_labels, line, points

EXTENT = Extent(0, 1_000)
TRACE = Trace(
    TokenBucketConfig(5, 1),
    (Request(0, 2), Request(300, 5), Request(300, 1), Request(900, 4)),
    (Allowed(3), Denied(2_000), Allowed(2), Denied(1_500)),
)
BOUND = "bound: capacity + rate × time"


def a_panel() -> tuple[TotalsPanel, Axes]:
    _, (axes,) = new_axes([1], 200, EXTENT)
    return TotalsPanel(axes), axes


def test_counts_rise_in_steps_by_the_cost_of_each_request() -> None:
    panel, axes = a_panel()
    panel.show(TRACE, (5, 6), EXTENT)
    assert points(line(axes, "asked for")) == [
        (0, 0), (0, 0), (0, 2), (300, 2), (300, 7), (300, 7), (300, 8), (900, 8), (900, 12),
        (1_000, 12),
    ]  # fmt: skip
    assert points(line(axes, "admitted")) == [
        (0, 0), (0, 0), (0, 2), (300, 2), (300, 2), (300, 2), (300, 3), (900, 3), (900, 3),
        (1_000, 3),
    ]  # fmt: skip


def test_the_bound_is_a_straight_line_across_the_picture() -> None:
    panel, axes = a_panel()
    panel.show(TRACE, (5, 6.5), EXTENT)
    assert points(line(axes, BOUND)) == [(0, 5), (1_000, 6.5)]


def test_a_cropped_picture_counts_from_its_own_start_to_its_own_end() -> None:
    panel, axes = a_panel()
    panel.show(TRACE, (5, 6), Extent(300, 899))
    assert points(line(axes, "admitted")) == [
        (300, 0), (300, 0), (300, 0), (300, 0), (300, 1), (899, 1),
    ]  # fmt: skip
    assert points(line(axes, "asked for"))[-1] == (899, 6)
    panel.show(TRACE, (5, 6), Extent(301, 900))
    assert points(line(axes, "asked for")) == [(301, 0), (900, 0), (900, 4), (900, 4)]


def test_the_axis_reaches_above_the_bound() -> None:
    panel, axes = a_panel()
    panel.show(TRACE, (5, 60), EXTENT)
    assert axes.get_ylim() == (0, 100)
    assert panel.still == 100


def test_the_panel_says_what_its_lines_are_and_each_has_a_dash_of_its_own() -> None:
    panel, axes = a_panel()
    assert axes.get_title(loc="left") == "units since the start"
    assert axes.get_ylabel() == "units"
    assert legend_labels(axes) == ["asked for", "admitted", BOUND]
    assert len({each.get_linestyle() for each in axes.lines}) == 3
    assert list(panel.moving) == [
        line(axes, "asked for"),
        line(axes, "admitted"),
        line(axes, BOUND),
    ]
