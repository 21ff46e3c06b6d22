"""The lane of requests: which were admitted, which denied, and for how long."""

from collections.abc import Hashable, Sequence
from itertools import groupby

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ratelimit.decision import Denied
from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import heading, legend, set_top
from ratelimit.lab.trace import Trace


class RequestLane:
    """Each request a mark: a dot is admitted, a cross is denied, a line its retry hint.

    Requests of the same millisecond are stacked upwards in their order.
    """

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        self._top = 0.0
        (self._hints,) = axes.plot(
            [], [], color=style.DENIED, linewidth=1.0, alpha=0.6, label="retry hint, to its end"
        )
        (self._hint_ends,) = axes.plot([], [], "|", color=style.DENIED, markersize=6)
        (self._admitted,) = axes.plot(
            [], [], "o", color=style.ADMITTED, markersize=4.5, label="admitted"
        )
        (self._denied,) = axes.plot(
            [], [], "x", color=style.DENIED, markersize=5, markeredgewidth=1.4, label="denied"
        )
        axes.set_ylabel("order", fontsize=style.FONT_SIZE, color=style.TEXT)
        heading(axes, "requests; those of one moment are stacked")
        legend(axes, [self._admitted, self._denied, self._hints], 3)

    @property
    def moving(self) -> Sequence[Artist]:
        """Marks and hints."""
        return [self._hints, self._hint_ends, self._admitted, self._denied]

    @property
    def still(self) -> Hashable:
        """The height of the y-axis."""
        return self._top

    def show(self, trace: Trace) -> None:
        """Take over the requests of `trace`."""
        admitted: list[tuple[int, int]] = []
        denied: list[tuple[int, int]] = []
        retries: list[tuple[int, int]] = []
        highest = 1
        for at_ms, together in groupby(trace, key=lambda step: step[0].at_ms):
            for place, (_, decision) in enumerate(together, start=1):
                highest = max(highest, place)
                if isinstance(decision, Denied):
                    denied.append((at_ms, place))
                    retries.append((at_ms + decision.retry_after_ms, place))
                else:
                    admitted.append((at_ms, place))
        self._admitted.set_data(_columns(admitted))
        self._denied.set_data(_columns(denied))
        self._hint_ends.set_data(_columns(retries))
        self._hints.set_data(_segments(denied, retries))
        self._top = set_top(self._axes, self._top, style.roomy(highest))


def _columns(points: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [x for x, _ in points], [y for _, y in points]


def _segments(
    starts: list[tuple[int, int]], ends: list[tuple[int, int]]
) -> tuple[list[float], list[float]]:
    """Return one broken line through all pairs: a gap follows each."""
    gap = float("nan")
    pairs = list(zip(starts, ends, strict=True))
    return (
        [x for start, end in pairs for x in (start[0], end[0], gap)],
        [y for start, end in pairs for y in (start[1], end[1], gap)],
    )
