"""A token bucket that can be stopped between reading its level and writing it back."""

from fractions import Fraction

from ratelimit import LimiterFactory, RateLimiter, Ticker, TokenBucket
from tests.concurrency.schedule import Gate


class PausingBucket(TokenBucket):
    """The real bucket: only the reading of its level has a gate behind it."""

    def __init__(
        self, ticker: Ticker, capacity: int, rate: int | Fraction, gate: Gate | None = None
    ) -> None:
        self.gate: Gate | None = None
        super().__init__(ticker, capacity, rate)
        self.gate = gate

    @property
    def _level_units(self) -> int:
        level = self._level_before_the_pause
        if self.gate:
            self.gate.pass_through()
        return level

    @_level_units.setter
    def _level_units(self, level: int) -> None:
        self._level_before_the_pause = level


class PausingConfig(LimiterFactory):
    """Builds such buckets; `gates` holds one for each bucket, in the order of building."""

    def __init__(self, capacity: int, rate: int | Fraction, *gates: Gate | None) -> None:
        self.capacity = capacity
        self.rate = rate
        self.gates = [None, *gates]

    def build(self, ticker: Ticker) -> RateLimiter:
        gate = self.gates.pop(0) if self.gates else None
        return PausingBucket(ticker, self.capacity, self.rate, gate)
