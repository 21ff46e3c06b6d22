"""The explorers, and what may be asked of any of them."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from ipywidgets import HTML, IntSlider, Widget

from ratelimit import ManualTicker
from ratelimit.lab import (
    FixedWindowExplorer,
    Request,
    SlidingWindowExplorer,
    TokenBucketExplorer,
    traffic,
)
from ratelimit.lab.plots.layers import LayeredFigure

AnyExplorer: TypeAlias = TokenBucketExplorer | SlidingWindowExplorer | FixedWindowExplorer
Kind: TypeAlias = (
    type[TokenBucketExplorer] | type[SlidingWindowExplorer] | type[FixedWindowExplorer]
)

KINDS: list[Kind] = [TokenBucketExplorer, SlidingWindowExplorer, FixedWindowExplorer]


def values(explorer: AnyExplorer) -> dict[str, int]:
    return {name: control.value for name, control in explorer.controls.items()}


def set_all(explorer: AnyExplorer, settings: dict[str, int]) -> None:
    for name, value in settings.items():
        explorer.controls[name].value = value


def layers(explorer: AnyExplorer) -> LayeredFigure:
    return explorer._chart._layers


def parts(widget: Widget) -> Iterator[Widget]:
    """Yield a widget and all widgets in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def words(explorer: AnyExplorer) -> list[str]:
    """Return the texts below and above the picture."""
    return [part.value for part in parts(explorer) if isinstance(part, HTML)]


def arrivals(explorer: AnyExplorer, duration_ms: int) -> list[Request]:
    """Return the requests that the sliders describe."""
    chosen: dict[str, Any] = values(explorer)
    match explorer:
        case TokenBucketExplorer():
            return traffic.bursts(
                chosen["burst_size"], chosen["traffic_per_sec"], duration_ms, cost=chosen["cost"]
            )
        case SlidingWindowExplorer():
            return traffic.bursts(
                chosen["burst_size"],
                chosen["traffic_per_sec"],
                duration_ms - chosen["offset_ms"],
                start_ms=chosen["offset_ms"],
            )
        case FixedWindowExplorer():
            window_ms, lead_ms = chosen["window_ms"], chosen["lead_ms"]
            boundary = next(n for n in range(2, 10**6) if n * window_ms >= lead_ms)
            return traffic.boundary_burst(
                chosen["burst_size"],
                window_ms,
                lead_ms=lead_ms,
                lag_ms=chosen["lag_ms"],
                boundary=boundary,
            )


def a_move(control: IntSlider) -> int:
    return int(control.max if control.value != control.max else control.min)


def assert_valid(explorer: AnyExplorer) -> None:
    assert explorer.trace.config.build(ManualTicker())
    assert words(explorer)[0] == ""
    assert len(explorer.trace) > 0
    chosen = values(explorer)
    assert all(chosen[name] >= 1 for name in chosen if name not in ("offset_ms", "lag_ms"))
    assert {request.cost for request in explorer.trace.requests} == {chosen.get("cost", 1)}
    assert chosen.get("cost", 1) <= chosen.get("capacity", 1)
    start_ms, end_ms = explorer.trace.levels[0].at_ms, explorer.trace.levels[-1].at_ms
    assert all(start_ms <= request.at_ms <= end_ms for request in explorer.trace.requests)
