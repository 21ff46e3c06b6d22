"""Sliding log: remembers every admitted request, and is therefore exact."""

from bisect import bisect_left, bisect_right

from ratelimit.decision import READY_ALLOWED, READY_COUNT, Allowed, Decision, Denied, allowed
from ratelimit.ticker import Ticker
from ratelimit.validation import first_reading_ms, require_cost, require_positive


class SlidingLog:
    """At most `limit` units within any span of `window_ms`, wherever it starts.

    This is the yardstick that the estimates are measured with. At time t it counts
    what was admitted within (t − window_ms, t]: a request of time s counts no more
    from s + window_ms on. Denied requests leave no mark.

    A reading below the highest one that `acquire` has seen counts as that highest one.

    Args:
        ticker: the clock, read once per decision.
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.

    Raises:
        TypeError: a parameter or the ticker's reading is not an integer.
        ValueError: a parameter is not positive.

    Cost: O(limit) memory, which is why it is the yardstick and not the default; time
    O(log limit) a decision, clearing away what has expired included (amortised).
    Not thread-safe by itself.
    """

    __slots__ = (
        "_admitted_ms",
        "_expired_total",
        "_last_ms",
        "_limit",
        "_now_ms",
        "_running_totals",
        "_total",
        "_window_ms",
    )

    def __init__(self, ticker: Ticker, limit: int, window_ms: int) -> None:
        self._limit = require_positive("limit", limit)
        self._window_ms = require_positive("window_ms", window_ms)
        self._last_ms = first_reading_ms(ticker)
        self._now_ms = ticker.now_ms
        # Entry i: the time of an admission, and all units admitted up to and with it.
        # Running totals turn both questions asked of the log, how much has expired and
        # when enough will have, into a binary search.
        self._admitted_ms: list[int] = []
        self._running_totals: list[int] = []
        self._expired_total = 0
        self._total = 0

    def acquire(self, cost: int = 1) -> Decision:
        """Enter `cost` units in the log if they fit; see `RateLimiter.acquire`.

        A denial's hint is exact: the moment when enough of the oldest units expire.
        """
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        if now_ms > self._last_ms:
            self._last_ms = now_ms
            self._forget_expired()
        remaining = self._limit - self._count_at(self._last_ms) - cost
        if remaining < 0:
            return self._denied(cost, now_ms)
        self._total += cost
        self._admitted_ms.append(self._last_ms)
        self._running_totals.append(self._total)
        return READY_ALLOWED[remaining] if remaining < READY_COUNT else Allowed(remaining)

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving the log as it was."""
        return self._answer(require_cost(cost, self._limit), self._now_ms())

    def ask(self, cost: int = 1) -> Decision:
        """Decide like `acquire(cost)` and charge nothing; see `ConfiguredLimiter.ask`."""
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        self._last_ms = max(self._last_ms, now_ms)
        self._forget_expired()
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
        """Units admitted within the window that ends now; reading it changes nothing."""
        return self._count_at(self._now_ms())

    @property
    def max_cost(self) -> int:
        """The largest cost that can be allowed: the limit."""
        return self._limit

    @property
    def horizon_ms(self) -> int:
        """The time that a request counts: the window's length, in milliseconds."""
        return self._window_ms

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on the youngest entry has expired, and with it all."""
        if not self._admitted_ms:
            return self._last_ms
        return max(self._last_ms, self._admitted_ms[-1] + self._window_ms)

    def _answer(self, cost: int, now_ms: int) -> Decision:
        remaining = self._limit - self._count_at(now_ms) - cost
        return allowed(remaining) if remaining >= 0 else self._denied(cost, now_ms)

    def _expired_entries_at(self, now_ms: int) -> int:
        counted_ms = max(now_ms, self._last_ms)
        return bisect_right(self._admitted_ms, counted_ms - self._window_ms)

    def _count_at(self, now_ms: int) -> int:
        expired = self._expired_entries_at(now_ms)
        expired_total = self._running_totals[expired - 1] if expired else self._expired_total
        return self._total - expired_total

    def _forget_expired(self) -> None:
        expired = self._expired_entries_at(self._last_ms)
        # Cutting the front moves everything behind it, so wait until that is at most half:
        # then each entry pays for moving one other, once.
        if expired * 2 < len(self._admitted_ms) or not expired:
            return
        self._expired_total = self._running_totals[expired - 1]
        del self._admitted_ms[:expired]
        del self._running_totals[:expired]

    def _denied(self, cost: int, now_ms: int) -> Denied:
        enough_total = self._total + cost - self._limit
        last_to_expire = bisect_left(self._running_totals, enough_total)
        return Denied(self._admitted_ms[last_to_expire] + self._window_ms - now_ms)
