"""The running count of what was admitted, against what could be at most."""

from collections.abc import Hashable, Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ratelimit.decision import Allowed
from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import Extent, heading, legend, set_top
from ratelimit.lab.trace import Trace


class TotalsPanel:
    """Units asked for and admitted since the picture's start, under the bound of a token bucket."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        self._top = 0.0
        (self._asked,) = axes.plot(
            [], [], color=style.DENIED, linewidth=1.2, linestyle=":", label="asked for"
        )
        (self._admitted,) = axes.plot([], [], color=style.ADMITTED, linewidth=1.6, label="admitted")
        (self._bound,) = axes.plot(
            [],
            [],
            color=style.LIMIT,
            linewidth=1.4,
            linestyle="--",
            label="bound: capacity + rate × time",
        )
        axes.set_ylabel("units", fontsize=style.FONT_SIZE, color=style.TEXT)
        heading(axes, "units since the start")
        legend(axes, [self._asked, self._admitted, self._bound], 3)

    @property
    def moving(self) -> Sequence[Artist]:
        """The two counts and the bound."""
        return [self._asked, self._admitted, self._bound]

    @property
    def still(self) -> Hashable:
        """The height of the y-axis."""
        return self._top

    def show(self, trace: Trace, bound: tuple[float, float], extent: Extent) -> None:
        """Take over the counts of `trace` in `extent`, and the bound as it is at both ends."""
        times = [extent.start_ms]
        asked = [0]
        admitted = [0]
        for request, decision in trace:
            # The bound is one for the span that is shown, so earlier units do not count.
            if not extent.start_ms <= request.at_ms <= extent.end_ms:
                continue
            times += (request.at_ms, request.at_ms)
            granted = request.cost if isinstance(decision, Allowed) else 0
            asked += (asked[-1], asked[-1] + request.cost)
            admitted += (admitted[-1], admitted[-1] + granted)
        times.append(extent.end_ms)
        asked.append(asked[-1])
        admitted.append(admitted[-1])
        self._asked.set_data(times, asked)
        self._admitted.set_data(times, admitted)
        self._bound.set_data(extent, bound)
        self._top = set_top(self._axes, self._top, style.roomy(bound[1]))
