"""Tables of steps: at this time, a request of this cost, gets this answer."""

from collections.abc import Sequence
from typing import TypeAlias

from ratelimit import Decision, LimiterConfig, ManualTicker

Step: TypeAlias = tuple[int, int, Decision]


def play(config: LimiterConfig, steps: Sequence[Step]) -> None:
    """Ask a limiter, made at the first step's time, and compare each answer."""
    ticker = ManualTicker(steps[0][0])
    limiter = config.build(ticker)
    for number, (at_ms, cost, expected) in enumerate(steps):
        ticker.move_to(at_ms)
        assert limiter.acquire(cost) == expected, f"step {number}, t={at_ms}"
