"""The counters that a quota is tested over: the model, and the processor's own."""

import pytest

from ratelimit import AtomicCounter, AtomicInteger


def hardware(value: int) -> AtomicCounter:
    """Return a counter that compares and sets in one instruction; skip the test without one."""
    cereggii = pytest.importorskip("cereggii", reason="no wheel of cereggii for this platform")
    counter: AtomicCounter = cereggii.AtomicInt64(value)
    return counter


each_counter = pytest.mark.parametrize(
    "make_counter", [AtomicInteger, hardware], ids=["model", "hardware"]
)
