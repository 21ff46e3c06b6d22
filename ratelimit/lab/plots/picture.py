"""A still picture of any simulation, for a notebook cell."""

from base64 import b64encode
from typing import Any

from matplotlib.figure import Figure

from ratelimit.config import CompositeConfig, LeakyBucketConfig, TokenBucketConfig
from ratelimit.lab.plots.charts import BucketChart, WindowChart, moments_ms
from ratelimit.lab.plots.layers import Extent
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Trace
from ratelimit.validation import require_int


class Picture:
    """A picture that a notebook shows, with its numbers as text.

    Attributes:
        png: the picture's bytes.
        figure: the matplotlib figure it was drawn with.
        summary: the key numbers in one line.
    """

    def __init__(self, figure: Figure, png: bytes, summary: str) -> None:
        self.figure = figure
        self.png = png
        self.summary = summary

    def __repr__(self) -> str:
        return f"Picture: {self.summary}"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"text/plain": repr(self), "image/png": b64encode(self.png).decode("ascii")}


def plot(trace: Trace, *, start_ms: int | None = None, end_ms: int | None = None) -> Picture:
    """Draw a simulation of one key: the level, the requests, and what bounds them.

    The levels are read from the real limiter, which decides once more on the same requests.

    Args:
        trace: what `simulate` returned.
        start_ms: where the picture starts; at the first request if it is not given.
        end_ms: where it ends; a little after the last request if it is not given.

    Raises:
        TypeError: a time is not an integer, or the trace is of a composite.
        ValueError: the trace has several keys or no requests, or the picture would end
            before it starts.

    Cost: O(n log n) time, O(n) memory; some tens of milliseconds for the drawing.
    """
    extent = _extent(trace, start_ms, end_ms)
    config = trace.config
    if isinstance(config, CompositeConfig):
        raise TypeError("a composite has no level of its own; plot each of its members alone")
    shown = simulate(config, trace.requests, levels_at_ms=moments_ms(config, extent))
    summary = f"{len(trace):,} requests, {trace.admitted:,} admitted, {trace.denied:,} denied"
    if isinstance(config, TokenBucketConfig | LeakyBucketConfig):
        bucket = BucketChart(extent, config)
        return Picture(bucket.figure, bucket.draw(shown, config), summary)
    window = WindowChart(extent, config)
    return Picture(window.figure, window.draw(shown, config), summary)


def _extent(trace: Trace, start_ms: int | None, end_ms: int | None) -> Extent:
    if not trace.requests:
        raise ValueError("the trace has no requests, so there is nothing to draw; simulate some")
    times = [request.at_ms for request in trace.requests]
    start = min(times) if start_ms is None else require_int("start_ms", start_ms)
    spare_ms = 1 + (max(times) - start) // 20
    end = max(times) + spare_ms if end_ms is None else require_int("end_ms", end_ms)
    if end <= start:
        raise ValueError(f"end_ms {end} is not after start_ms {start}; choose a later end")
    return Extent(start, end)
