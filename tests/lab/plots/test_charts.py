from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, TypeAlias
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ratelimit import (
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucket,
    TokenBucketConfig,
)
from ratelimit.lab import Trace, exact_counts, simulate, traffic
from ratelimit.lab.plots import style
from ratelimit.lab.plots.charts import (
    BucketChart,
    BucketConfig,
    WindowChart,
    WindowConfig,
    boundaries_ms,
    moments_ms,
)
from ratelimit.lab.plots.layers import Extent, LayeredFigure
from tests.lab.arrivals import CONFIGS, REPEATABLE
from tests.lab.seeing import (
    area,
    corners,
    labelled,
    legend_labels,
    line,
    look,
    luminance,
    pixels,
    points,
    saved,
    strokes,
    watched_words,
)

EXTENT = Extent(0, 3_000)
BUCKET = TokenBucketConfig(capacity=4, refill_per_sec=2)
FIXED = FixedWindowConfig(4, 1_000)
SLIDING = SlidingWindowConfig(4, 1_000, "exact")
LOG = SlidingLogConfig(4, 1_000)
LEAKY = LeakyBucketConfig(capacity=4, leak_per_sec=2)
DrawnConfig: TypeAlias = BucketConfig | WindowConfig
WINDOWS: list[WindowConfig] = [FIXED, SLIDING, LOG]
BOUND = "bound: capacity + rate × time"


def a_trace(config: LimiterConfig) -> Trace:
    requests = traffic.bursts(3, 9, 3_000, start_ms=100)
    return simulate(config, requests, levels_at_ms=moments_ms(config, EXTENT))


def levels_in_units(trace: Trace) -> list[tuple[float, float]]:
    return [(level.at_ms, level.amount_milli / 1_000) for level in trace.levels]


def test_the_chart_of_a_bucket_shows_its_level_its_requests_and_its_bound() -> None:
    trace = a_trace(BUCKET)
    chart = BucketChart(EXTENT, TokenBucketConfig(10, 5))
    png = chart.draw(trace, BUCKET)
    level, lane, totals = chart.figure.axes
    assert points(line(level, "level")) == levels_in_units(trace)
    assert points(line(level, "capacity")) == [(0, 4), (3_000, 4)]
    marks = len(points(line(lane, "admitted"))), len(points(line(lane, "denied")))
    assert marks == (trace.admitted, trace.denied)
    assert min(marks) > 0
    assert points(line(totals, BOUND)) == [(0, 4), (3_000, 10)]
    assert points(line(totals, "admitted"))[-1] == (3_000, trace.admitted_units)
    assert [level.get_ylabel(), lane.get_ylabel(), totals.get_ylabel()] == [
        "tokens", "order", "units",
    ]  # fmt: skip
    assert level.get_title(loc="left") == "token level"
    assert np.array_equal(pixels(png), saved(chart.figure))


def test_the_bound_of_a_cropped_picture_starts_at_the_capacity() -> None:
    config = TokenBucketConfig(capacity=7, refill_per_sec=Fraction(1, 2))
    chart = BucketChart(Extent(10_000, 13_000), TokenBucketConfig(10, 5))
    chart.draw(simulate(config, [0], levels_at_ms=[10_000]), config)
    assert points(line(chart.figure.axes[2], BOUND)) == [(10_000, 7), (13_000, 8.5)]


@settings(REPEATABLE, max_examples=30)
@given(
    capacity=st.integers(1, 20),
    rate=st.fractions(Fraction(1, 9), 30, max_denominator=9),
    per_sec=st.integers(1, 60),
    extent=st.tuples(st.integers(-500, 2_500), st.integers(2_600, 4_000)),
)
def test_no_trace_crosses_its_bound_in_any_picture(
    capacity: int, rate: Fraction, per_sec: int, extent: tuple[int, int]
) -> None:
    config = TokenBucketConfig(capacity, rate)
    with patch.object(LayeredFigure, "png", return_value=b""):
        chart = BucketChart(Extent(*extent), TokenBucketConfig(10, 5))
        chart.draw(simulate(config, traffic.steady(per_sec, 3_000)), config)
    totals = chart.figure.axes[2]
    (start, lowest), (end, highest) = points(line(totals, BOUND))
    assert (start, end) == extent
    for at_ms, units in points(line(totals, "admitted")):
        bound = lowest + (highest - lowest) * (at_ms - start) / (end - start)
        assert units <= bound + 1e-9


def test_the_plotted_level_is_what_the_limiter_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenBucket, "tokens_milli", property(lambda _bucket: 3_141))
    chart = BucketChart(EXTENT, TokenBucketConfig(10, 5))
    chart.draw(a_trace(BUCKET), BUCKET)
    assert {y for _, y in points(line(chart.figure.axes[0], "level"))} == {3.141}


@pytest.mark.parametrize("config", WINDOWS, ids=lambda config: type(config).__name__)
def test_the_chart_of_a_window_shows_its_usage_its_limit_and_its_requests(
    config: WindowConfig,
) -> None:
    trace = a_trace(config)
    chart = WindowChart(EXTENT, config)
    png = chart.draw(trace, config)
    usage, lane = chart.figure.axes
    (outline,) = (each for each in usage.lines if points(each) == levels_in_units(trace))
    assert outline.get_color() == style.LEVEL
    assert points(line(usage, "limit")) == [(0, 4), (3_000, 4)]
    marks = len(points(line(lane, "admitted"))), len(points(line(lane, "denied")))
    assert marks == (trace.admitted, trace.denied)
    assert min(marks) > 0
    assert np.array_equal(pixels(png), saved(chart.figure))


@pytest.mark.parametrize(
    ("config", "title", "labels"),
    [
        (FIXED, "count in this window", ["current", "worst span", "limit", "window boundary"]),
        (
            SLIDING,
            "estimated usage",
            ["carried over", "current", "exact count", "limit", "window boundary"],
        ),
        (LOG, "count within the last window", ["current", "worst span", "limit"]),
    ],
)
def test_the_chart_of_a_window_says_what_it_shows(
    config: WindowConfig, title: str, labels: list[str]
) -> None:
    usage, _ = WindowChart(EXTENT, config).figure.axes
    assert usage.get_title(loc="left") == title
    assert legend_labels(usage) == labels


@pytest.mark.parametrize("config", [FIXED, LOG])
def test_a_count_is_drawn_with_its_worst_span(config: WindowConfig) -> None:
    trace = a_trace(config)
    chart = WindowChart(EXTENT, config)
    chart.draw(trace, config)
    usage, _ = chart.figure.axes
    worst = trace.worst_span(1_000)
    block = corners(area(usage, "worst span"))
    assert (block[0][0], block[-1][0]) == (worst.start_ms, worst.end_ms)
    assert [text.get_text() for text in usage.texts] == [f"{worst.admitted_units} within 1,000 ms"]
    assert points(line(usage, "exact count")) == []


def test_an_estimate_is_drawn_with_the_exact_count_and_no_worst_span() -> None:
    trace = a_trace(SLIDING)
    chart = WindowChart(EXTENT, SLIDING)
    chart.draw(trace, SLIDING)
    usage, _ = chart.figure.axes
    assert points(line(usage, "exact count")) == levels_in_units(exact_counts(trace, 1_000))
    assert [text.get_text() for text in usage.texts] == [""]
    carried = [(level.at_ms, level.carried_milli / 1_000) for level in trace.levels]
    assert max(y for _, y in carried) > 0
    assert corners(area(usage, "carried over"))[: len(carried)] == carried


@pytest.mark.parametrize(
    ("config", "upright"),
    [(FIXED, [0, 1_000, 2_000, 3_000]), (SLIDING, [0, 1_000, 2_000, 3_000]), (LOG, [])],
)
def test_window_boundaries_are_drawn_where_the_windows_change(
    config: WindowConfig, upright: list[int]
) -> None:
    chart = WindowChart(EXTENT, config)
    chart.draw(a_trace(config), config)
    usage, _ = chart.figure.axes
    lines = strokes(line(usage, "window boundary"))
    assert [start for (start, _), _ in lines] == upright
    assert [end for _, (end, _) in lines] == upright


def panels() -> Sequence[Axes]:
    figures = [BucketChart(EXTENT, TokenBucketConfig(10, 5)).figure]
    figures += [WindowChart(EXTENT, config).figure for config in WINDOWS]
    return [axes for figure in figures for axes in figure.axes]


@pytest.mark.parametrize("axes", panels(), ids=lambda axes: axes.get_title(loc="left"))
def test_what_the_legend_names_can_be_told_apart_without_colour(axes: Axes) -> None:
    for one, other in combinations(labelled(axes), 2):
        if look(one) != look(other):
            continue
        # Same shape and same dash: then one of them is far lighter, or far thinner.
        shades = [luminance(shade(artist)) for artist in (one, other)]
        widths = [artist.get_linewidth() for artist in (one, other) if isinstance(artist, Line2D)]
        thinner = len(widths) == 2 and max(widths) >= 1.4 * min(widths)
        assert abs(shades[0] - shades[1]) > 0.2 or thinner, (one.get_label(), other.get_label())


def shade(artist: Artist) -> str:
    """Return an artist's colour, as it looks on white paper."""
    if isinstance(artist, Line2D):
        colour, alpha = to_rgb(artist.get_color()), artist.get_alpha() or 1.0
    else:
        assert isinstance(artist, Patch)
        *parts, alpha = to_rgba(artist.get_facecolor())
        colour = (parts[0], parts[1], parts[2])
    red, green, blue = (1 - alpha * (1 - part) for part in colour)
    return to_hex((red, green, blue))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (FixedWindowConfig(1, 400), [-800, -400, 0, 400]),
        (SlidingWindowConfig(1, 400), [-800, -400, 0, 400]),
        (FixedWindowConfig(1, 7_000), [0]),
        (TokenBucketConfig(1, 1), []),
        (SlidingLogConfig(1, 400), []),
    ],
)
def test_boundaries_are_on_the_grid_of_ticker_zero_both_ends_included(
    config: LimiterConfig, expected: list[int]
) -> None:
    assert list(boundaries_ms(config, Extent(-800, 400))) == expected
    assert list(boundaries_ms(config, Extent(-801, 401))) == expected


def test_an_unknown_algorithm_is_no_empty_picture() -> None:
    unknown: Any = "leaky bucket"
    with pytest.raises(AssertionError, match="leaky bucket"):
        boundaries_ms(unknown, EXTENT)
    with pytest.raises(AssertionError, match="leaky bucket"):
        WindowChart(EXTENT, unknown)


def test_boundaries_that_would_merge_are_left_out() -> None:
    assert len(boundaries_ms(FixedWindowConfig(1, 10), Extent(0, 2_000))) == 201
    assert len(boundaries_ms(FixedWindowConfig(1, 10), Extent(0, 2_001))) == 0
    assert len(boundaries_ms(SlidingWindowConfig(1, 1), Extent(0, 10**12))) == 0


@REPEATABLE
@given(config=CONFIGS, start_ms=st.integers(-3_000, 3_000), length_ms=st.integers(1, 9_000))
def test_levels_are_read_from_one_end_of_the_picture_to_the_other(
    config: LimiterConfig, start_ms: int, length_ms: int
) -> None:
    extent = Extent(start_ms, start_ms + length_ms)
    moments = moments_ms(config, extent)
    assert (moments[0], moments[-1]) == extent
    steps = [later - earlier for earlier, later in pairwise(moments)]
    assert min(steps) >= 1
    assert max(steps) <= max(1, length_ms // 500)
    assert len(moments) <= 2 * 202 + 1_001
    for boundary_ms in boundaries_ms(config, extent):
        assert {max(start_ms, boundary_ms - 1), boundary_ms} <= set(moments)


def test_a_fall_at_a_boundary_is_drawn_upright() -> None:
    config = FixedWindowConfig(3, 997)
    trace = simulate(config, [500] * 3, levels_at_ms=moments_ms(config, EXTENT))
    chart = WindowChart(EXTENT, config)
    chart.draw(trace, config)
    usage, _ = chart.figure.axes
    (outline,) = (each for each in usage.lines if points(each) == levels_in_units(trace))
    assert {(996, 3), (997, 0)} <= set(points(outline))


@pytest.mark.parametrize(
    "config", [BUCKET, LEAKY, *WINDOWS], ids=lambda config: type(config).__name__
)
def test_the_words_on_a_chart_neither_overlap_nor_are_cut_off(config: DrawnConfig) -> None:
    with watched_words() as sheet:
        for scale in (1, 400, 3_000_000):
            chart = chart_of(scaled(config, scale))
            assert sheet.faults(chart.figure) == []


def scaled(config: DrawnConfig, scale: int) -> DrawnConfig:
    match config:
        case TokenBucketConfig():
            return TokenBucketConfig(config.capacity * scale, config.refill_per_sec * scale)
        case LeakyBucketConfig():
            return LeakyBucketConfig(config.capacity * scale, config.leak_per_sec * scale)
        case SlidingWindowConfig():
            return SlidingWindowConfig(config.limit * scale, config.window_ms)
        case FixedWindowConfig():
            return FixedWindowConfig(config.limit * scale, config.window_ms)
        case SlidingLogConfig():
            return SlidingLogConfig(config.limit * scale, config.window_ms)


def chart_of(config: DrawnConfig) -> BucketChart | WindowChart:
    if isinstance(config, TokenBucketConfig | LeakyBucketConfig):
        bucket = BucketChart(EXTENT, config)
        bucket.draw(a_trace(config), config)
        return bucket
    window = WindowChart(EXTENT, config)
    window.draw(a_trace(config), config)
    return window
