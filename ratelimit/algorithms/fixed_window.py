"""Fixed window: one counter, set back to zero at each boundary of a grid."""

from ratelimit.decision import READY_ALLOWED, READY_COUNT, Allowed, Decision, Denied, allowed
from ratelimit.ticker import Ticker
from ratelimit.validation import first_reading_ms, require_cost, require_positive


class FixedWindow:
    """At most `limit` units within each window of a grid that is aligned to ticker 0.

    The promise holds for the windows of the grid and for no other span: a client that
    knows the boundary gets 2 × `limit` admitted within one millisecond around it.

    Windows are numbered by floor division, so the grid continues unbroken below zero.
    A reading below the highest one that `acquire` has seen counts as that highest one.

    Args:
        ticker: the clock, read once per decision.
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.

    Raises:
        TypeError: a parameter or the ticker's reading is not an integer.
        ValueError: a parameter is not positive.

    Cost: O(1) time and memory a decision. Not thread-safe by itself.
    """

    __slots__ = ("_count", "_index", "_last_ms", "_limit", "_now_ms", "_window_ms")

    def __init__(self, ticker: Ticker, limit: int, window_ms: int) -> None:
        self._limit = require_positive("limit", limit)
        self._window_ms = require_positive("window_ms", window_ms)
        self._last_ms = first_reading_ms(ticker)
        self._index = self._last_ms // self._window_ms
        self._count = 0
        self._now_ms = ticker.now_ms

    def acquire(self, cost: int = 1) -> Decision:
        """Count `cost` units in this window if they fit; see `RateLimiter.acquire`.

        A denial's hint is the next boundary, and it is exact.
        """
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        if now_ms > self._last_ms:
            self._last_ms = now_ms
            index = now_ms // self._window_ms
            if index != self._index:
                self._count = 0
                self._index = index
        remaining = self._limit - self._count - cost
        if remaining < 0:
            return self._denied(now_ms)
        self._count += cost
        return READY_ALLOWED[remaining] if remaining < READY_COUNT else Allowed(remaining)

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving the window as it was."""
        return self._answer(require_cost(cost, self._limit), self._now_ms())

    def ask(self, cost: int = 1) -> Decision:
        """Decide like `acquire(cost)` and charge nothing; see `ConfiguredLimiter.ask`."""
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        self._count = self._count_at(now_ms)
        self._last_ms = max(self._last_ms, now_ms)
        self._index = self._last_ms // self._window_ms
        return self._answer(cost, now_ms)

    @property
    def limit(self) -> int:
        """Units per window."""
        return self._limit

    @property
    def window_ms(self) -> int:
        """The window's length in milliseconds."""
        return self._window_ms

    @property
    def count(self) -> int:
        """Units admitted so far in the window of this moment; reading it changes nothing."""
        return self._count_at(self._now_ms())

    @property
    def max_cost(self) -> int:
        """The largest cost that can be allowed: the limit."""
        return self._limit

    @property
    def horizon_ms(self) -> int:
        """The longest time that a request counts: the window's length, in milliseconds."""
        return self._window_ms

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on nothing is counted: the next boundary, or none needed."""
        return (self._index + 1) * self._window_ms if self._count else self._last_ms

    def _answer(self, cost: int, now_ms: int) -> Decision:
        remaining = self._limit - self._count_at(now_ms) - cost
        return allowed(remaining) if remaining >= 0 else self._denied(now_ms)

    def _count_at(self, now_ms: int) -> int:
        # A reading that stepped back has a lower index, and counts as the window we are in.
        return 0 if now_ms // self._window_ms > self._index else self._count

    def _denied(self, now_ms: int) -> Denied:
        # The limit is at least the cost, so the next window always has room.
        counted_ms = max(now_ms, self._last_ms)
        return Denied(counted_ms // self._window_ms * self._window_ms + self._window_ms - now_ms)
