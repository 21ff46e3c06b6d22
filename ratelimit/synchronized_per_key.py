"""One limiter a key, for threads: only calls for the same key wait for each other."""

from collections.abc import Hashable
from threading import Lock
from typing import cast

from ratelimit.bounded_generations import make_generations
from ratelimit.decision import Decision, Denied, later
from ratelimit.generations import Generations
from ratelimit.keys import require_findable, require_hashable
from ratelimit.limiter import ConfiguredLimiter, LimiterFactory
from ratelimit.per_key import HeldTicker, build_probe
from ratelimit.ticker import Ticker
from ratelimit.validation import first_reading_ms, require_cost


class _Entry:
    """A key's limiter, the lock around it, and the reading it decides by."""

    __slots__ = ("clock", "limiter", "lock", "retired")

    def __init__(self, config: LimiterFactory, reading_ms: int) -> None:
        self.clock = HeldTicker(reading_ms)
        # That it is one has been checked with the first limiter, and a check takes long.
        self.limiter = cast("ConfiguredLimiter", config.build(self.clock))
        self.lock = Lock()
        self.retired = False


class SynchronizedPerKeyLimiter:
    """A `PerKeyLimiter` for threads. It decides alike, and forgets alike.

    A class of its own and not a `PerKeyLimiter` with a lock around it, because there
    one slow call would hold up every key. Here two calls wait for each other only when
    they are for the same key. What is shared, the map and the highest reading, has a
    lock too, but only to look up or enter a key: no foreign code runs meanwhile, so
    neither the ticker, nor `build`, nor a decision holds it.

    No spend is ever lost, whatever the interleaving:

    - Two threads that bring a new key each build a limiter, and one is entered. Both
      then decide on that one; the other has never been charged.
    - A call reads the shared clock and finds its limiter in one step. Whoever then
      forgets a generation does so because a horizon has passed since the highest
      reading in it, this call's included. So even a spend that arrives late, on a
      limiter already forgotten, is one that would have been forgotten by then.
    - A limiter evicted for a new key is marked behind its own lock. A call that had
      found it before sees the mark and looks again.

    None of this relies on a global interpreter lock.

    Args:
        config: builds the limiters, which must tell when they are fresh; any
            configuration record does. It may be called by several threads at once.
        ticker: the clock, read once per decision, by several threads at once.
        max_keys: the most keys remembered at once, at least 1; None for no bound.

    Raises:
        TypeError: a parameter or the ticker's reading is not of its type.
        ValueError: `max_keys` is not positive.

    Cost: that of `PerKeyLimiter`, and two uncontended locks. Thread-safe. The locks are
    not re-entrant: don't ask from within a key's `__eq__`, a signal handler or a
    finalizer.
    """

    __slots__ = ("_config", "_generations", "_highest_ms", "_lock", "_max_cost", "_now_ms")

    def __init__(self, config: LimiterFactory, ticker: Ticker, max_keys: int | None = None) -> None:
        self._highest_ms = first_reading_ms(ticker)
        self._now_ms = ticker.now_ms
        self._config = config
        probe = _require_configured(build_probe(config, HeldTicker(self._highest_ms)))
        self._max_cost = probe.max_cost
        self._generations: Generations[Hashable, _Entry] = make_generations(
            probe.horizon_ms, self._highest_ms, max_keys, _fresh_from_ms, _retire
        )
        self._lock = Lock()

    def acquire(self, key: Hashable, cost: int = 1) -> Decision:
        """Decide on a request of `key`; see `PerKeyLimiter.acquire`, errors included."""
        # Checked before anything is read or entered: a rejected call leaves no trace.
        if type(cost) is not int or not 0 < cost <= self._max_cost:
            cost = require_cost(cost, self._max_cost)
        now_ms = self._now_ms()
        decision = self._acquire_at(key, cost, now_ms)
        while decision is None:
            decision = self._acquire_at(key, cost, now_ms)
        return decision

    def peek(self, key: Hashable, cost: int = 1) -> Decision:
        """Return what `acquire(key, cost)` would answer now, leaving everything as it was."""
        require_hashable(key)
        cost = require_cost(cost, self._max_cost)
        now_ms = self._now_ms()
        room_from_ms = None
        with self._lock:
            counted_ms = max(now_ms, self._highest_ms)
            entry = self._generations.find(key)
            if entry is None:
                room_from_ms = self._generations.room_from_ms(counted_ms, self._highest_ms)
        if entry is None:
            require_findable(key)
            entry = _Entry(self._config, counted_ms)
        if room_from_ms is not None:
            return Denied(room_from_ms - now_ms)
        with entry.lock:
            entry.clock.reading_ms = counted_ms
            return later(entry.limiter.peek(cost), counted_ms - now_ms)

    @property
    def tracked_keys(self) -> int:
        """Keys with a limiter that a decision at this moment would still find."""
        now_ms = self._now_ms()
        with self._lock:
            return self._generations.held_at(max(now_ms, self._highest_ms), self._highest_ms)

    def _acquire_at(self, key: Hashable, cost: int, now_ms: int) -> Decision | None:
        """Decide, or return None if the limiter was evicted before its lock was had."""
        found = self._enter(key, now_ms, None)
        if found is None:
            require_findable(key)
            found = self._enter(key, now_ms, _Entry(self._config, now_ms))
        if not isinstance(found, tuple):
            return found
        entry, counted_ms = found
        lock = entry.lock
        lock.acquire()
        try:
            if entry.retired:
                return None
            entry.clock.reading_ms = counted_ms
            decision = entry.limiter.acquire(cost)
        finally:
            lock.release()
        return decision if counted_ms == now_ms else later(decision, counted_ms - now_ms)

    def _enter(
        self, key: Hashable, now_ms: int, newcomer: _Entry | None
    ) -> tuple[_Entry, int] | Denied | None:
        """Find the entry of `key`, or else enter `newcomer`, and count the reading as seen.

        Returns:
            The entry and the reading to decide by; or a denial, when there is no room;
            or None, when the key is new and no newcomer was brought.
        """
        generations = self._generations
        lock = self._lock
        lock.acquire()
        try:
            entry = generations.young.get(key)
            if entry is None:
                entry = generations.promote(key)
            last_ms = self._highest_ms
            counted_ms = max(now_ms, last_ms)
            if entry is None:
                if newcomer is None:
                    return None
                room_from_ms = generations.make_room(counted_ms, last_ms)
                if room_from_ms is not None:
                    return Denied(room_from_ms - now_ms)
                entry = generations.young[key] = newcomer
            self._highest_ms = counted_ms
            if counted_ms >= generations.due_ms:
                generations.maintain(key, entry, counted_ms, last_ms)
            return entry, counted_ms
        except TypeError:
            require_hashable(key)
            raise
        finally:
            lock.release()


def _require_configured(limiter: object) -> ConfiguredLimiter:
    for name in ("max_cost", "horizon_ms", "fresh_from_ms"):
        if not hasattr(limiter, name):
            raise TypeError(
                f"config must build limiters that tell when they are fresh, got "
                f"{type(limiter).__name__} without {name}; give it this property"
            )
    return cast("ConfiguredLimiter", limiter)


def _fresh_from_ms(entry: _Entry, now_ms: int) -> int:
    """Return from when on `entry` is fresh; as late as can be, if it is in use right now."""
    if not entry.lock.acquire(blocking=False):
        return now_ms + entry.limiter.horizon_ms
    try:
        return entry.limiter.fresh_from_ms
    finally:
        entry.lock.release()


def _retire(entry: _Entry, now_ms: int) -> int:
    """Return the same, and mark `entry` if it is fresh by now, both in one step."""
    if not entry.lock.acquire(blocking=False):
        return now_ms + entry.limiter.horizon_ms
    try:
        fresh_from_ms = entry.limiter.fresh_from_ms
        entry.retired = fresh_from_ms <= now_ms
        return fresh_from_ms
    finally:
        entry.lock.release()
