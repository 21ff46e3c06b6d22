from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ratelimit import Allowed, Decision, Denied, TokenBucketConfig
from ratelimit.lab import Request, Trace, simulate
from ratelimit.lab.plots import style
from ratelimit.lab.plots.lanes import RequestLane
from ratelimit.lab.plots.layers import Extent, new_axes
from tests.lab.seeing import legend_labels, line, points, strokes

CONFIG = TokenBucketConfig(capacity=2, refill_per_sec=1)
HINT = "retry hint, to its end"


def a_lane() -> tuple[RequestLane, Axes]:
    _, (axes,) = new_axes([1], 200, Extent(0, 3_000))
    return RequestLane(axes), axes


def a_trace(*steps: tuple[int, Decision]) -> Trace:
    requests = tuple(Request(at_ms) for at_ms, _ in steps)
    return Trace(CONFIG, requests, tuple(decision for _, decision in steps))


def hint_ends(axes: Axes) -> Line2D:
    (found,) = (each for each in axes.lines if each.get_marker() == "|")
    return found


def test_each_request_is_a_mark_and_those_of_one_moment_are_stacked_in_their_order() -> None:
    lane, axes = a_lane()
    lane.show(
        a_trace(
            (0, Allowed(1)), (0, Denied(40)), (0, Allowed(0)), (100, Denied(7)), (900, Allowed(0))
        )
    )
    assert points(line(axes, "admitted")) == [(0, 1), (0, 3), (900, 1)]
    assert points(line(axes, "denied")) == [(0, 2), (100, 1)]


def test_a_hint_runs_from_the_denied_request_to_the_time_it_names() -> None:
    lane, axes = a_lane()
    lane.show(a_trace((0, Allowed(0)), (0, Denied(1_000)), (400, Denied(600)), (2_000, Denied(5))))
    assert strokes(line(axes, HINT)) == [
        [(0, 2), (1_000, 2)],
        [(400, 1), (1_000, 1)],
        [(2_000, 1), (2_005, 1)],
    ]
    assert points(hint_ends(axes)) == [(1_000, 2), (1_000, 1), (2_005, 1)]


def test_the_hints_of_a_real_trace_end_where_its_decisions_say() -> None:
    lane, axes = a_lane()
    trace = simulate(CONFIG, [0, 0, 0, 300, 300, 1_500])
    lane.show(trace)
    expected = [
        request.at_ms + decision.retry_after_ms
        for request, decision in trace
        if isinstance(decision, Denied)
    ]
    assert len(expected) == 3
    assert [end for _, (end, _) in strokes(line(axes, HINT))] == expected
    assert [start for (start, _), _ in strokes(line(axes, HINT))] == [0, 300, 300]


def test_a_step_back_to_a_moment_starts_another_stack() -> None:
    lane, axes = a_lane()
    lane.show(a_trace((5, Allowed(1)), (9, Allowed(1)), (5, Allowed(0))))
    assert points(line(axes, "admitted")) == [(5, 1), (9, 1), (5, 1)]


def test_marks_differ_in_shape_and_in_colour() -> None:
    _, axes = a_lane()
    admitted, denied = line(axes, "admitted"), line(axes, "denied")
    assert (admitted.get_marker(), denied.get_marker()) == ("o", "x")
    assert (admitted.get_color(), denied.get_color()) == (style.ADMITTED, style.DENIED)
    assert admitted.get_color() != denied.get_color()
    assert admitted.get_linestyle() == denied.get_linestyle() == "None"
    assert line(axes, HINT).get_color() == hint_ends(axes).get_color() == style.DENIED


def test_marks_are_drawn_over_hints() -> None:
    lane, axes = a_lane()
    assert lane.moving == [
        line(axes, HINT), hint_ends(axes), line(axes, "admitted"), line(axes, "denied"),
    ]  # fmt: skip


def test_the_axis_is_as_high_as_the_highest_stack() -> None:
    lane, axes = a_lane()
    lane.show(a_trace(*[(0, Allowed(1))] * 12, (50, Allowed(1))))
    assert (axes.get_ylim(), lane.still) == ((0, 15), 15)
    lane.show(a_trace((0, Allowed(1))))
    assert (axes.get_ylim(), lane.still) == ((0, 4), 4)


def test_nothing_is_left_of_the_trace_before() -> None:
    lane, axes = a_lane()
    lane.show(a_trace((0, Denied(9)), (1, Allowed(1))))
    lane.show(a_trace())
    assert [points(each) for each in axes.lines] == [[]] * 4
    assert axes.get_ylim() == (0, 4)


def test_the_lane_says_what_its_marks_mean() -> None:
    _, axes = a_lane()
    assert axes.get_title(loc="left") == "requests; those of one moment are stacked"
    assert axes.get_ylabel() == "order"
    assert legend_labels(axes) == ["admitted", "denied", HINT]
