"""Explore a fixed window: the burst around its boundary."""

from matplotlib.figure import Figure

from ratelimit.config import FixedWindowConfig
from ratelimit.lab import traffic
from ratelimit.lab.explorers.base import Explorer
from ratelimit.lab.explorers.sliders import slider
from ratelimit.lab.plots.charts import WindowChart, moments_ms
from ratelimit.lab.plots.layers import Extent
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Trace

_BOUNDARY = 2


class FixedWindowExplorer(Explorer):
    """A fixed window under two bursts, one on each side of a boundary.

    It is the second boundary, or a later one if the first burst would come before time 0.

    Args:
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.
        burst_size: requests in each of the two bursts, at least 1.
        lead_ms: how long before the boundary the first burst arrives, at least 1.
        lag_ms: how long after the boundary the second one arrives, at least 0.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.
    """

    def __init__(
        self,
        limit: int = 10,
        window_ms: int = 1_000,
        burst_size: int = 12,
        lead_ms: int = 150,
        lag_ms: int = 100,
    ) -> None:
        config = FixedWindowConfig(limit, window_ms)
        traffic.boundary_burst(burst_size, window_ms, lead_ms=lead_ms, lag_ms=lag_ms)
        controls = {
            "limit": slider("limit", "requests/window", limit, 1, 30),
            "window_ms": slider("window", "ms", window_ms, 200, 2_000, 100),
            "burst_size": slider("burst size", "requests", burst_size, 1, 40),
            "lead_ms": slider("before boundary", "ms", lead_ms, 1, 500),
            "lag_ms": slider("after boundary", "ms", lag_ms, 0, 500),
        }
        # The picture has room for both bursts, wherever the sliders put them.
        widest_ms, lead_most_ms = controls["window_ms"].max, controls["lead_ms"].max
        latest_boundary_ms = max(_BOUNDARY * widest_ms, lead_most_ms + widest_ms)
        after_ms = max(controls["lag_ms"].max, widest_ms // 2)
        self._extent = Extent(0, latest_boundary_ms + after_ms)
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
            f"{worst.admitted_units:,} from t = {worst.start_ms:,} ms, "
            f"limit {values['limit']:,}"
        )

    def _explore(self, values: dict[str, int]) -> tuple[Trace, bytes]:
        config = FixedWindowConfig(values["limit"], values["window_ms"])
        requests = traffic.boundary_burst(
            values["burst_size"],
            values["window_ms"],
            lead_ms=values["lead_ms"],
            lag_ms=values["lag_ms"],
            boundary=max(_BOUNDARY, -(-values["lead_ms"] // values["window_ms"])),
        )
        trace = simulate(config, requests, levels_at_ms=moments_ms(config, self._extent))
        return trace, self._chart.draw(trace, config)
