"""How times are taken: with the garbage collector off, and the middle one counts."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import NamedTuple


class Spread(NamedTuple):
    """The middle of some timings, and what nine in ten of them do not exceed."""

    median_ms: float
    p90_ms: float

    def __str__(self) -> str:
        return f"median {self.median_ms:6.1f} ms   p90 {self.p90_ms:6.1f} ms"


def spread(timings_ms: list[float]) -> Spread:
    """Return the spread of these timings."""
    return Spread(median(timings_ms), quantiles(timings_ms, n=10, method="inclusive")[-1])


def elapsed_ms(action: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    action()
    return 1_000 * (time.perf_counter() - start)


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect garbage now, and not again before the end."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def verdict(*, holds: bool) -> str:
    """Return one word for a target that is met or not."""
    return "ok" if holds else "MISSED"
