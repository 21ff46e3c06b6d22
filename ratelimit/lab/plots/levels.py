"""The level of a limiter over time, against what it may reach."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from ratelimit.lab.levels import Level
from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import Extent, heading, legend, set_top
from ratelimit.lab.trace import Span


class LevelPanel:
    """A level as a filled line, with the line it may not cross.

    Args:
        axes: where to draw.
        title: what the panel shows.
        unit: the y-axis's label.
        level: what the level is called.
        bound: what the line it may not cross is called.
    """

    def __init__(self, axes: Axes, *, title: str, unit: str, level: str, bound: str) -> None:
        self._axes = axes
        self._top = 0.0
        self._fill = _area_on(axes, facecolor=style.LEVEL, alpha=0.18)
        (self._line,) = axes.plot([], [], color=style.LEVEL, linewidth=1.6, label=level)
        (self._bound,) = axes.plot(
            [], [], color=style.LIMIT, linewidth=1.4, linestyle="--", label=bound
        )
        axes.set_ylabel(unit, fontsize=style.FONT_SIZE, color=style.TEXT)
        heading(axes, title)
        legend(axes, [self._line, self._bound], 2)

    @property
    def moving(self) -> Sequence[Artist]:
        """The level and its bound."""
        return [self._fill, self._line, self._bound]

    @property
    def still(self) -> Hashable:
        """The height of the y-axis."""
        return self._top

    def show(self, levels: Sequence[Level], bound: int, extent: Extent) -> None:
        """Take over the levels, and the bound, drawn across `extent`."""
        times = [level.at_ms for level in levels]
        amounts = [level.amount_milli / 1_000 for level in levels]
        self._line.set_data(times, amounts)
        self._fill.set_xy(_area(times, amounts))
        self._bound.set_data(extent, [bound, bound])
        self._top = set_top(self._axes, self._top, style.roomy(max([bound, *amounts])))


class UsagePanel:
    """A window's usage: what was carried over, what is current, and the exact count over it.

    Args:
        axes: where to draw.
        title: what the panel shows.
        estimated: whether usage has a part that was carried over, to be held against an
            exact count; else the worst span is marked.
        aligned: whether there is a grid of windows.
    """

    def __init__(self, axes: Axes, *, title: str, estimated: bool, aligned: bool) -> None:
        self._axes = axes
        self._top = 0.0
        self._carried_fill = _area_on(
            axes,
            facecolor=style.CARRIED,
            alpha=0.45,
            edgecolor=style.CARRIED,
            hatch="///",
            label="carried over",
        )
        self._current_fill = _area_on(axes, facecolor=style.LEVEL, alpha=0.30, label="current")
        (self._usage,) = axes.plot([], [], color=style.LEVEL, linewidth=1.4)
        (self._exact,) = axes.plot(
            [], [], color=style.EXACT, linewidth=1.8, linestyle=(0, (3, 1)), label="exact count"
        )
        (self._limit,) = axes.plot(
            [], [], color=style.LIMIT, linewidth=1.4, linestyle="--", label="limit"
        )
        (self._boundaries,) = axes.plot(
            [], [], color=style.TEXT, linewidth=0.8, alpha=0.55, label="window boundary"
        )
        self._worst = _area_on(
            axes,
            facecolor=style.MARKED,
            alpha=0.30,
            edgecolor=style.MARKED,
            hatch="\\\\\\",
            label="worst span",
        )
        self._worst_text = axes.text(
            0,
            0,
            "",
            verticalalignment="top",
            fontsize=style.FONT_SIZE,
            color=style.TEXT,
            bbox={"facecolor": style.PAPER, "alpha": 0.85, "edgecolor": "none", "pad": 1.5},
        )
        axes.set_ylabel("units", fontsize=style.FONT_SIZE, color=style.TEXT)
        heading(axes, title)
        estimate: list[Artist] = [self._carried_fill, self._current_fill, self._exact]
        count: list[Artist] = [self._current_fill, self._worst]
        grid = [self._boundaries] if aligned else []
        shown = [*(estimate if estimated else count), self._limit, *grid]
        legend(axes, shown, len(shown))

    @property
    def moving(self) -> Sequence[Artist]:
        """The usage, the lines it is held against, and the worst span."""
        return [
            self._worst,
            self._carried_fill,
            self._current_fill,
            self._boundaries,
            self._usage,
            self._exact,
            self._limit,
            self._worst_text,
        ]

    @property
    def still(self) -> Hashable:
        """The height of the y-axis."""
        return self._top

    def show(
        self,
        levels: Sequence[Level],
        *,
        limit: int,
        extent: Extent,
        boundaries_ms: Sequence[int],
        exact: Sequence[Level] = (),
        worst: Span | None = None,
    ) -> None:
        """Take over the usage, and what is drawn beside it, across `extent`."""
        times = [level.at_ms for level in levels]
        usage = [level.amount_milli / 1_000 for level in levels]
        carried = [level.carried_milli / 1_000 for level in levels]
        counts = [level.amount_milli / 1_000 for level in exact]
        self._usage.set_data(times, usage)
        self._carried_fill.set_xy(_area(times, carried))
        self._current_fill.set_xy(_area(times, usage, carried))
        self._exact.set_data([level.at_ms for level in exact], counts)
        self._limit.set_data(extent, [limit, limit])
        self._top = set_top(
            self._axes, self._top, style.roomy(1.15 * max([limit, *usage, *counts]))
        )
        self._boundaries.set_data(_uprights(boundaries_ms, self._top))
        self._show_worst(worst, extent)

    def _show_worst(self, worst: Span | None, extent: Extent) -> None:
        if (
            worst is None
            or not worst.admitted_units
            or worst.end_ms <= extent.start_ms
            or worst.start_ms > extent.end_ms
        ):
            self._worst.set_xy([(0, 0)])
            self._worst_text.set_text("")
            return
        start_ms, end_ms, units = worst
        self._worst.set_xy([(start_ms, 0), (start_ms, self._top), (end_ms, self._top), (end_ms, 0)])
        self._worst_text.set_text(f"{units:,} within {end_ms - start_ms:,} ms")
        # The text grows away from the nearer end of the axis, so that it always fits.
        left_ms, right_ms = max(start_ms, extent.start_ms), min(end_ms, extent.end_ms)
        in_first_half = left_ms + right_ms < extent.start_ms + extent.end_ms
        self._worst_text.set_horizontalalignment("left" if in_first_half else "right")
        self._worst_text.set_position((left_ms if in_first_half else right_ms, 0.97 * self._top))


def _area_on(axes: Axes, **look: Any) -> Polygon:  # noqa: ANN401
    area = Polygon([(0, 0)], closed=True, linewidth=0.0, **look)
    axes.add_patch(area)
    return area


def _area(
    times: Sequence[float], upper: Sequence[float], lower: Sequence[float] | None = None
) -> np.ndarray:
    """Return the corners of the area between two lines; shape (2 × len(times), 2)."""
    bottom = lower if lower is not None else [0.0] * len(times)
    return np.column_stack(([*times, *reversed(times)], [*upper, *reversed(bottom)]))


def _uprights(places: Sequence[int], top: float) -> tuple[list[float], list[float]]:
    """Return one broken line with an upright at each place."""
    gap = float("nan")
    return (
        [x for place in places for x in (place, place, gap)],
        [y for _ in places for y in (0.0, top, gap)],
    )
