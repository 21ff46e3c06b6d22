"""Leaky bucket as a meter: a token bucket told from the other end, in one integer."""

from fractions import Fraction

from ratelimit.decision import READY_ALLOWED, READY_COUNT, Allowed, Decision, Denied, allowed
from ratelimit.ticker import Ticker
from ratelimit.validation import first_reading_ms, require_capacity, require_cost, require_rate


class LeakyBucket:
    """A bucket that starts empty, leaks steadily, and admits what does not overflow it.

    It is a meter and not a queue: it says now or later, and holds nothing back. Its
    level is what a `TokenBucket` of the same numbers has spent and not yet regained,
    so the two give the same answers to every sequence of questions.

    The state is one integer, the theoretical arrival time: the moment at which the
    bucket will be empty. Charging moves it on by the time the cost takes to leak, and
    the level is how far it lies ahead of now, so nothing is ever refilled. It is kept
    in units of which p/q a second leak exactly p a millisecond, and 1,000 × q make one
    whole unit; so a rate that is a `Fraction` is exact too.

    The highest reading that `acquire` has seen is kept beside it, and a lower reading
    counts as that one. It is a promise about the clock, not part of the level: without
    it a step back would raise the level, and deny what had fitted a moment ago.

    Args:
        ticker: the clock, read once per decision.
        capacity: the most the bucket holds, at least 1.
        leak_per_sec: units that leak out each second, an `int` of at least 1 or a
            `Fraction` above 0.

    Raises:
        TypeError: a parameter or the ticker's reading is not of its type.
        ValueError: a parameter is not positive.

    Cost: O(1) time and memory a decision. Not thread-safe by itself.

    Source: the generic cell rate algorithm of ITU-T I.371 in its virtual scheduling
    form, which keeps the theoretical arrival time of the next cell.
    """

    __slots__ = (
        "_capacity",
        "_empty_at_units",
        "_full_units",
        "_last_ms",
        "_leak_per_sec",
        "_now_ms",
        "_units_per_ms",
        "_units_per_whole",
    )

    def __init__(self, ticker: Ticker, capacity: int, leak_per_sec: int | Fraction) -> None:
        self._capacity = require_capacity(capacity)
        self._leak_per_sec = require_rate("leak_per_sec", leak_per_sec)
        self._units_per_ms = self._leak_per_sec.numerator
        self._units_per_whole = 1_000 * self._leak_per_sec.denominator
        self._full_units = self._capacity * self._units_per_whole
        self._last_ms = first_reading_ms(ticker)
        self._empty_at_units = self._last_ms * self._units_per_ms
        self._now_ms = ticker.now_ms

    def acquire(self, cost: int = 1) -> Decision:
        """Pour `cost` units in if they fit; see `RateLimiter.acquire`.

        A denial's hint is exact: the moment when enough has leaked out.
        """
        if type(cost) is not int or not 0 < cost <= self._capacity:
            cost = require_cost(cost, self._capacity)
        now_ms = self._now_ms()
        if now_ms > self._last_ms:
            self._last_ms = now_ms
        now_units = self._last_ms * self._units_per_ms
        empty_at = self._empty_at_units
        if empty_at < now_units:
            empty_at = now_units
        empty_at += cost * self._units_per_whole
        room = now_units + self._full_units - empty_at
        if room < 0:
            return self._denied(-room, now_ms)
        self._empty_at_units = empty_at
        remaining = room // self._units_per_whole
        return READY_ALLOWED[remaining] if remaining < READY_COUNT else Allowed(remaining)

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving the bucket as it was."""
        return self._answer(require_cost(cost, self._capacity), self._now_ms())

    def ask(self, cost: int = 1) -> Decision:
        """Decide like `acquire(cost)` and charge nothing; see `ConfiguredLimiter.ask`."""
        if type(cost) is not int or not 0 < cost <= self._capacity:
            cost = require_cost(cost, self._capacity)
        now_ms = self._now_ms()
        self._last_ms = max(self._last_ms, now_ms)
        return self._answer(cost, now_ms)

    @property
    def capacity(self) -> int:
        """The most the bucket holds."""
        return self._capacity

    @property
    def leak_per_sec(self) -> Fraction:
        """Units that leak out each second, exactly."""
        return self._leak_per_sec

    @property
    def level_milli(self) -> int:
        """The level right now in thousandths of a unit, rounded up; reading it changes nothing.

        Rounded up, since a twin token bucket's `tokens_milli` is rounded down: together
        they make the capacity at every moment and for every rate.
        """
        return -(-self._level_at(self._now_ms()) * 1_000 // self._units_per_whole)

    @property
    def max_cost(self) -> int:
        """The largest cost that can be allowed: the capacity."""
        return self._capacity

    @property
    def horizon_ms(self) -> int:
        """The time in which a full bucket becomes empty, in milliseconds, rounded up."""
        return -(-self._full_units // self._units_per_ms)

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on the bucket is empty, and so can't be told from a new one."""
        return max(self._last_ms, -(-self._empty_at_units // self._units_per_ms))

    def _answer(self, cost: int, now_ms: int) -> Decision:
        room = self._full_units - self._level_at(now_ms) - cost * self._units_per_whole
        if room < 0:
            return self._denied(-room, now_ms)
        return allowed(room // self._units_per_whole)

    def _level_at(self, now_ms: int) -> int:
        return max(0, self._empty_at_units - max(now_ms, self._last_ms) * self._units_per_ms)

    def _denied(self, overflow_units: int, now_ms: int) -> Denied:
        leak_ms = -(-overflow_units // self._units_per_ms)
        catch_up_ms = max(0, self._last_ms - now_ms)
        return Denied(catch_up_ms + leak_ms)
