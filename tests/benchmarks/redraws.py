"""How long a slider's move takes in the kernel, beside the plain way to do it."""

from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO

import matplotlib as mpl

from ratelimit.lab import FixedWindowExplorer, SlidingWindowExplorer, TokenBucketExplorer
from ratelimit.lab.explorers.base import Explorer
from tests.benchmarks.timing import Spread, elapsed_ms, spread, verdict, without_collection

MOST_MS = 30.0
LEAST_RATIO = 3.5


def moves(explorer: Explorer) -> Iterator[tuple[str, int]]:
    """Yield settings that walk each slider through its range, from end to end and back."""
    for name, control in explorer.controls.items():
        start = control.value
        step = max(control.step, (control.max - control.min) // 20)
        yield from ((name, value) for value in range(control.min, control.max + 1, step))
        yield name, start


def explorer_timings(explorer: Explorer) -> list[float]:
    """Return the milliseconds of each move that changes something."""
    timings = []
    for name, value in moves(explorer):
        control = explorer.controls[name]
        if control.value != value:
            timings.append(elapsed_ms(lambda c=control, v=value: setattr(c, "value", v)))  # type: ignore[misc]
    return timings


def baseline_timings(explorer: Explorer) -> list[float]:
    """Return the milliseconds of the same moves, each a new pyplot figure shown as PNG."""
    mpl.use("agg")
    import matplotlib.pyplot as plt

    from tests.benchmarks.baseline import draw

    settings = {name: control.value for name, control in explorer.controls.items()}

    def show(name: str, value: int) -> None:
        draw(**{**settings, name: value})
        out = BytesIO()
        plt.gcf().savefig(out, format="png", bbox_inches="tight")
        b64encode(out.getvalue())
        plt.close("all")

    return [elapsed_ms(lambda n=name, v=value: show(n, v)) for name, value in moves(explorer)]  # type: ignore[misc]


def report() -> None:
    """Measure all explorers and the baseline, and print a table."""
    with without_collection():
        baseline = spread(baseline_timings(TokenBucketExplorer()))
        print(
            f"\nredraw in the kernel (target: at most {MOST_MS:.0f} ms, {LEAST_RATIO} times faster)"
        )
        print(f"  {'pyplot, as interact draws it':<30} {baseline}")
        for kind in (TokenBucketExplorer, SlidingWindowExplorer, FixedWindowExplorer):
            _line(kind.__name__, spread(explorer_timings(kind())), baseline)


def _line(name: str, own: Spread, baseline: Spread) -> None:
    ratio = baseline.median_ms / own.median_ms
    holds = own.median_ms <= MOST_MS and ratio >= LEAST_RATIO
    print(f"  {name:<30} {own}   {ratio:5.1f} times faster   {verdict(holds=holds)}")
