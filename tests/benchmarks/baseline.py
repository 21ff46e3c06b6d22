"""What one would write first: `interact` over a pyplot figure with the same data."""

import matplotlib.pyplot as plt

from ratelimit import Allowed, TokenBucketConfig
from ratelimit.lab import traffic
from ratelimit.lab.plots.charts import moments_ms
from ratelimit.lab.plots.layers import Extent
from ratelimit.lab.simulation import simulate


def draw(
    capacity: int = 10,
    refill_per_sec: int = 5,
    traffic_per_sec: int = 8,
    burst_size: int = 4,
    cost: int = 1,
) -> None:
    """Simulate and draw the three panels of the token bucket explorer."""
    config = TokenBucketConfig(capacity, refill_per_sec)
    requests = traffic.bursts(burst_size, traffic_per_sec, 10_000, cost=min(cost, capacity))
    trace = simulate(config, requests, levels_at_ms=moments_ms(config, Extent(0, 10_000)))
    _, (level, lane, totals) = plt.subplots(3, sharex=True, figsize=(9.2, 6), layout="tight")
    times = [each.at_ms for each in trace.levels]
    level.plot(times, [each.amount_milli / 1_000 for each in trace.levels])
    level.axhline(capacity, linestyle="--")
    admitted = [request.at_ms for request in trace.admitted_requests]
    denied = [request.at_ms for request, each in trace if not isinstance(each, Allowed)]
    lane.plot(admitted, [1] * len(admitted), "o", denied, [1] * len(denied), "x")
    totals.plot(admitted, range(1, len(admitted) + 1), drawstyle="steps-post")
    totals.plot([0, 10_000], [capacity, capacity + 10 * refill_per_sec], "--")
    totals.set_xlabel("time (ms)")
    plt.show()
