"""The pictures of whole traces, one class for each kind of algorithm."""

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from matplotlib.figure import Figure

from ratelimit.config import (
    CompositeConfig,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.lab.exact import exact_counts
from ratelimit.lab.plots.lanes import RequestLane
from ratelimit.lab.plots.layers import Extent, LayeredFigure, new_axes
from ratelimit.lab.plots.levels import LevelPanel, UsagePanel
from ratelimit.lab.plots.totals import TotalsPanel
from ratelimit.lab.trace import Trace

BucketConfig: TypeAlias = TokenBucketConfig | LeakyBucketConfig
WindowConfig: TypeAlias = FixedWindowConfig | SlidingWindowConfig | SlidingLogConfig

_MOST_WINDOWS = 200


class BucketChart:
    """The level of a bucket, its requests, and the count of admitted units under its bound."""

    def __init__(self, extent: Extent, config: BucketConfig) -> None:
        self._extent = extent
        figure, (level_axes, lane_axes, totals_axes) = new_axes([5, 3, 4], 600, extent)
        leaky = isinstance(config, LeakyBucketConfig)
        self._level = LevelPanel(
            level_axes,
            title="level of the leaky bucket" if leaky else "token level",
            unit="units" if leaky else "tokens",
            level="level",
            bound="capacity",
        )
        self._lane = RequestLane(lane_axes)
        self._totals = TotalsPanel(totals_axes)
        self._layers = LayeredFigure(figure, [self._level, self._lane, self._totals])

    @property
    def figure(self) -> Figure:
        """The figure that is drawn again and again."""
        return self._layers.figure

    def draw(self, trace: Trace, config: BucketConfig) -> bytes:
        """Return the picture of `trace` as PNG."""
        per_sec = (
            config.leak_per_sec if isinstance(config, LeakyBucketConfig) else config.refill_per_sec
        )
        duration_ms = self._extent.end_ms - self._extent.start_ms
        bound_at_end = config.capacity + per_sec * duration_ms / 1_000
        self._level.show(trace.levels, config.capacity, self._extent)
        self._lane.show(trace)
        self._totals.show(trace, (config.capacity, float(bound_at_end)), self._extent)
        return self._layers.png()


class WindowChart:
    """The usage of a window against its limit, and the requests.

    An estimate is drawn as a stack with the exact count over it. A count is exact for
    its own windows, so there the span is marked in which most were admitted.
    """

    def __init__(self, extent: Extent, config: WindowConfig) -> None:
        self._extent = extent
        figure, (usage_axes, lane_axes) = new_axes([5, 3], 520, extent)
        self._usage = UsagePanel(
            usage_axes,
            title=_title(config),
            estimated=isinstance(config, SlidingWindowConfig),
            aligned=not isinstance(config, SlidingLogConfig),
        )
        self._lane = RequestLane(lane_axes)
        self._layers = LayeredFigure(figure, [self._usage, self._lane])

    @property
    def figure(self) -> Figure:
        """The figure that is drawn again and again."""
        return self._layers.figure

    def draw(self, trace: Trace, config: WindowConfig) -> bytes:
        """Return the picture of `trace` as PNG."""
        estimated = isinstance(config, SlidingWindowConfig)
        self._usage.show(
            trace.levels,
            limit=config.limit,
            extent=self._extent,
            boundaries_ms=boundaries_ms(config, self._extent),
            exact=exact_counts(trace, config.window_ms).levels if estimated else (),
            worst=None if estimated else trace.worst_span(config.window_ms),
        )
        self._lane.show(trace)
        return self._layers.png()


def _title(config: WindowConfig) -> str:
    match config:
        case FixedWindowConfig():
            return "count in this window"
        case SlidingWindowConfig():
            return "estimated usage"
        case SlidingLogConfig():
            return "count within the last window"
        case _:
            assert_never(config)


def boundaries_ms(config: LimiterConfig, extent: Extent) -> Sequence[int]:
    """Return the window boundaries within `extent`.

    None for an algorithm without a grid, and none where they would merge into a grey area.
    """
    match config:
        case FixedWindowConfig() | SlidingWindowConfig():
            if extent.end_ms - extent.start_ms > _MOST_WINDOWS * config.window_ms:
                return ()
            first_ms = -(-extent.start_ms // config.window_ms) * config.window_ms
            return range(first_ms, extent.end_ms + 1, config.window_ms)
        case TokenBucketConfig() | LeakyBucketConfig() | SlidingLogConfig() | CompositeConfig():
            return ()
        case _:
            assert_never(config)


def moments_ms(config: LimiterConfig, extent: Extent) -> list[int]:
    """Return when to read the level, for a picture of `extent`.

    That is about every other pixel, and on both sides of each window boundary, so that a
    fall there is drawn upright.
    """
    step_ms = max(1, (extent.end_ms - extent.start_ms) // 500)
    moments = {*range(extent.start_ms, extent.end_ms, step_ms), extent.end_ms}
    for boundary_ms in boundaries_ms(config, extent):
        moments.update((max(extent.start_ms, boundary_ms - 1), boundary_ms))
    return sorted(moments)
