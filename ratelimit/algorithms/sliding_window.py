"""Sliding window counter: two counters and a weighted guess instead of a log."""

from typing import Literal, NamedTuple, TypeAlias, get_args

from ratelimit.decision import READY_ALLOWED, READY_COUNT, Allowed, Decision, Denied, allowed
from ratelimit.ticker import Ticker
from ratelimit.validation import (
    first_reading_ms,
    require_choice,
    require_cost,
    require_positive,
)

RetryHint: TypeAlias = Literal["boundary", "exact"]


class _Counters(NamedTuple):
    previous: int
    current: int
    elapsed_ms: int


class SlidingWindow:
    """At most `limit` units in an estimate of what the last `window_ms` held.

    The estimate is ⌊previous × (window − elapsed) ÷ window⌋ + current. It takes the
    previous window's requests as spread evenly, so it is wrong both ways: `limit`
    requests at the end of one window and `limit` at the end of the next are all
    admitted, 2 × `limit` within one window's length, and traffic that an exact count
    would let pass may be denied.

    Windows are aligned to ticker 0 and numbered by floor division, so the grid
    continues unbroken below zero. A reading below the highest one that `acquire` has
    seen counts as that highest one, for the window as for the time elapsed in it.

    Args:
        ticker: the clock, read once per decision.
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.
        retry_hint: what a denial reports. "boundary", the default, is the next window
            boundary: simple, but it can be far too late, and too early as well.
            "exact" is the smallest wait after which the same cost is allowed, given no
            other traffic.

    Raises:
        TypeError: a parameter or the ticker's reading is not of its type.
        ValueError: a number is not positive, or `retry_hint` is unknown.

    Cost: O(1) time and memory a decision, with either hint. Not thread-safe by itself.
    """

    __slots__ = (
        "_current",
        "_index",
        "_last_ms",
        "_limit",
        "_now_ms",
        "_previous",
        "_retry_hint",
        "_window_ms",
    )

    def __init__(
        self, ticker: Ticker, limit: int, window_ms: int, retry_hint: RetryHint = "boundary"
    ) -> None:
        self._limit = require_positive("limit", limit)
        self._window_ms = require_positive("window_ms", window_ms)
        self._retry_hint: RetryHint = require_choice("retry_hint", retry_hint, get_args(RetryHint))
        self._last_ms = first_reading_ms(ticker)
        self._index = self._last_ms // self._window_ms
        self._previous = 0
        self._current = 0
        self._now_ms = ticker.now_ms

    def acquire(self, cost: int = 1) -> Decision:
        """Count `cost` units if the estimate has room; see `RateLimiter.acquire`."""
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        if now_ms > self._last_ms:
            self._last_ms = now_ms
            index = now_ms // self._window_ms
            if index != self._index:
                self._previous = self._current if index == self._index + 1 else 0
                self._current = 0
                self._index = index
        left_ms = (self._index + 1) * self._window_ms - self._last_ms
        used = self._previous * left_ms // self._window_ms + self._current
        remaining = self._limit - used - cost
        if remaining < 0:
            return self._denied(cost, now_ms)
        self._current += cost
        return READY_ALLOWED[remaining] if remaining < READY_COUNT else Allowed(remaining)

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving the counters as they were."""
        return self._answer(require_cost(cost, self._limit), self._now_ms())

    def ask(self, cost: int = 1) -> Decision:
        """Decide like `acquire(cost)` and charge nothing; see `ConfiguredLimiter.ask`."""
        if type(cost) is not int or not 0 < cost <= self._limit:
            cost = require_cost(cost, self._limit)
        now_ms = self._now_ms()
        counters = self._counters_at(now_ms)
        self._previous, self._current = counters.previous, counters.current
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
    def retry_hint(self) -> RetryHint:
        """What a denial reports: "boundary" or "exact"."""
        return self._retry_hint

    @property
    def previous(self) -> int:
        """Units admitted in the window before the one of this moment."""
        return self._counters_at(self._now_ms()).previous

    @property
    def current(self) -> int:
        """Units admitted so far in the window of this moment."""
        return self._counters_at(self._now_ms()).current

    @property
    def usage(self) -> int:
        """The estimate right now, in whole units; reading it changes nothing."""
        return self._usage(self._counters_at(self._now_ms()))

    @property
    def max_cost(self) -> int:
        """The largest cost that can be allowed: the limit."""
        return self._limit

    @property
    def horizon_ms(self) -> int:
        """The longest time that a request can weigh anything, in milliseconds.

        That is a full window's: it counts to the end of its own, and then until it has
        faded below one unit.
        """
        return self._window_ms + self._fits_from_ms(self._limit, 0)

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on the estimate is 0, and stays 0 without traffic.

        A previous count may then still be there, but it has faded below one unit for
        good, so no decision and no hint depends on it.
        """
        if self._current:
            return (self._index + 1) * self._window_ms + self._fits_from_ms(self._current, 0)
        faded_ms = self._index * self._window_ms + self._fits_from_ms(self._previous, 0)
        return max(self._last_ms, faded_ms)

    def _answer(self, cost: int, now_ms: int) -> Decision:
        remaining = self._limit - self._usage(self._counters_at(now_ms)) - cost
        return allowed(remaining) if remaining >= 0 else self._denied(cost, now_ms)

    def _counters_at(self, now_ms: int) -> _Counters:
        index, elapsed_ms = divmod(max(now_ms, self._last_ms), self._window_ms)
        if index == self._index:
            return _Counters(self._previous, self._current, elapsed_ms)
        if index == self._index + 1:
            return _Counters(self._current, 0, elapsed_ms)
        return _Counters(0, 0, elapsed_ms)

    def _usage(self, counters: _Counters) -> int:
        left_ms = self._window_ms - counters.elapsed_ms
        return counters.previous * left_ms // self._window_ms + counters.current

    def _denied(self, cost: int, now_ms: int) -> Denied:
        counters = self._counters_at(now_ms)
        catch_up_ms = max(0, self._last_ms - now_ms)
        if self._retry_hint == "boundary":
            wait_ms = self._window_ms - counters.elapsed_ms
        else:
            wait_ms = self._exact_wait_ms(cost, counters)
        return Denied(catch_up_ms + wait_ms)

    def _exact_wait_ms(self, cost: int, counters: _Counters) -> int:
        """Return the smallest wait: in this window, else in the next, else in the one after."""
        room = self._limit - cost
        fits_ms = self._fits_from_ms(counters.previous, room - counters.current)
        if fits_ms < self._window_ms:
            return fits_ms - counters.elapsed_ms
        to_boundary_ms = self._window_ms - counters.elapsed_ms
        return to_boundary_ms + self._fits_from_ms(counters.current, room)

    def _fits_from_ms(self, fading: int, room: int) -> int:
        """Return the first elapsed time at which ⌊fading × left ÷ window⌋ ≤ room.

        The whole window where that never happens within it. Since the left side is
        rounded down, it holds exactly while fading × left < (room + 1) × window.
        """
        if room < 0:
            return self._window_ms
        if fading <= room:
            return 0
        most_left_ms = ((room + 1) * self._window_ms - 1) // fading
        return self._window_ms - most_left_ms
