"""Explore a token bucket: what a burst takes, and what the refill gives back."""

from matplotlib.figure import Figure

from ratelimit.config import TokenBucketConfig
from ratelimit.lab import traffic
from ratelimit.lab.explorers.base import Explorer
from ratelimit.lab.explorers.sliders import slider
from ratelimit.lab.plots.charts import BucketChart, moments_ms
from ratelimit.lab.plots.layers import Extent
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Trace
from ratelimit.validation import require_cost, require_positive

_EXTENT = Extent(0, 10_000)
_HIGHEST_COST = 10


class TokenBucketExplorer(Explorer):
    """A token bucket under bursts of requests, over ten seconds of simulated time.

    Args:
        capacity: the most tokens the bucket holds, at least 1.
        refill_per_sec: tokens that arrive each second, at least 1.
        traffic_per_sec: requests a second on average, at least 1.
        burst_size: requests that arrive together, at least 1.
        cost: tokens each request asks for, from 1 to `capacity`.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.
    """

    def __init__(
        self,
        capacity: int = 10,
        refill_per_sec: int = 5,
        traffic_per_sec: int = 8,
        burst_size: int = 4,
        cost: int = 1,
    ) -> None:
        config = TokenBucketConfig(capacity, require_positive("refill_per_sec", refill_per_sec))
        require_cost(cost, capacity)
        traffic.bursts(burst_size, require_positive("traffic_per_sec", traffic_per_sec), 1)
        self._highest_cost = max(_HIGHEST_COST, cost)
        self._chart = BucketChart(_EXTENT, config)
        super().__init__(
            {
                "capacity": slider("capacity", "tokens", capacity, 1, 40),
                "refill_per_sec": slider("refill rate", "tokens/s", refill_per_sec, 1, 20),
                "traffic_per_sec": slider("traffic", "requests/s", traffic_per_sec, 1, 40),
                "burst_size": slider("burst size", "requests", burst_size, 1, 20),
                "cost": slider("cost of a request", "tokens", cost, 1, _HIGHEST_COST),
            }
        )

    @property
    def figure(self) -> Figure:
        """The matplotlib figure that is drawn again at each change."""
        return self._chart.figure

    @property
    def summary(self) -> str:
        """The key numbers of the simulation in one line."""
        values = self._values()
        capacity, rate = values["capacity"], values["refill_per_sec"]
        seconds = _EXTENT.end_ms // 1_000
        return (
            f"{self.trace.admitted:,} of {len(self.trace):,} requests admitted, "
            f"{self.trace.denied:,} denied; {self.trace.admitted_units:,} units admitted of "
            f"at most {capacity:,} + {rate:,} × {seconds} = {capacity + rate * seconds:,}"
        )

    def _constrain(self) -> None:
        capacity = self.controls["capacity"].value
        self.controls["cost"].max = min(self._highest_cost, capacity)

    def _explore(self, values: dict[str, int]) -> tuple[Trace, bytes]:
        config = TokenBucketConfig(values["capacity"], values["refill_per_sec"])
        requests = traffic.bursts(
            values["burst_size"], values["traffic_per_sec"], _EXTENT.end_ms, cost=values["cost"]
        )
        trace = simulate(config, requests, levels_at_ms=moments_ms(config, _EXTENT))
        return trace, self._chart.draw(trace, config)
