"""Explore a sliding window counter: how far its estimate is from the truth."""

from matplotlib.figure import Figure

from ratelimit.config import SlidingWindowConfig
from ratelimit.lab import traffic
from ratelimit.lab.exact import refused_with_room
from ratelimit.lab.explorers.base import Explorer
from ratelimit.lab.explorers.sliders import slider
from ratelimit.lab.plots.charts import WindowChart, moments_ms
from ratelimit.lab.plots.layers import Extent
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Trace
from ratelimit.validation import require_not_negative, require_positive


class SlidingWindowExplorer(Explorer):
    """A sliding window counter under bursts, over six seconds of simulated time.

    A longer window, or a later first burst, than the sliders usually reach takes more.

    Args:
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.
        traffic_per_sec: requests a second on average, at least 1.
        burst_size: requests that arrive together, at least 1.
        offset_ms: when the first burst arrives, at least 0.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.
    """

    def __init__(
        self,
        limit: int = 10,
        window_ms: int = 1_000,
        traffic_per_sec: int = 14,
        burst_size: int = 1,
        offset_ms: int = 0,
    ) -> None:
        config = SlidingWindowConfig(limit, window_ms)
        require_not_negative("offset_ms", offset_ms)
        traffic.bursts(burst_size, require_positive("traffic_per_sec", traffic_per_sec), 1)
        controls = {
            "limit": slider("limit", "requests/window", limit, 1, 30),
            "window_ms": slider("window", "ms", window_ms, 200, 2_000, 100),
            "traffic_per_sec": slider("traffic", "requests/s", traffic_per_sec, 1, 40),
            "burst_size": slider("burst size", "requests", burst_size, 1, 30),
            "offset_ms": slider("first burst at", "ms", offset_ms, 0, 2_000, 50),
        }
        end_ms = 3 * max(controls["window_ms"].max, controls["offset_ms"].max)
        self._extent = Extent(0, end_ms)
        self._chart = WindowChart(self._extent, config)
        super().__init__(controls)

    @property
    def figure(self) -> Figure:
        """The matplotlib figure that is drawn again at each change."""
        return self._chart.figure

    @property
    def summary(self) -> str:
        """The key numbers of the simulation in one line."""
        values = self._values()
        worst = self.trace.worst_span(values["window_ms"])
        return (
            f"{self.trace.admitted:,} of {len(self.trace):,} requests admitted, "
            f"{self.trace.denied:,} denied; most within {values['window_ms']:,} ms: "
            f"{worst.admitted_units:,}, limit {values['limit']:,}; "
            f"denied though the exact count had room: "
            f"{len(refused_with_room(self.trace, values['limit'], values['window_ms'])):,}"
        )

    def _explore(self, values: dict[str, int]) -> tuple[Trace, bytes]:
        config = SlidingWindowConfig(values["limit"], values["window_ms"], "exact")
        requests = traffic.bursts(
            values["burst_size"],
            values["traffic_per_sec"],
            self._extent.end_ms - values["offset_ms"],
            start_ms=values["offset_ms"],
        )
        trace = simulate(config, requests, levels_at_ms=moments_ms(config, self._extent))
        return trace, self._chart.draw(trace, config)
