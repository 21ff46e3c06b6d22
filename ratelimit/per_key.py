"""One limiter a key, made when the key appears and forgotten when it no longer matters."""

from collections.abc import Hashable
from typing import cast

from ratelimit.bounded_generations import make_generations
from ratelimit.decision import Decision, Denied, later
from ratelimit.generations import Generations
from ratelimit.keys import require_findable, require_hashable
from ratelimit.limiter import ConfiguredLimiter, LimiterFactory, RateLimiter, require_peek
from ratelimit.ticker import Ticker
from ratelimit.validation import first_reading_ms


class HeldTicker:
    """A ticker that shows what it was set to: the reading that a whole map decides by."""

    __slots__ = ("reading_ms",)

    def __init__(self, reading_ms: int) -> None:
        self.reading_ms = reading_ms

    def now_ms(self) -> int:
        """Return the reading set last, in milliseconds."""
        return self.reading_ms


class PerKeyLimiter:
    """Gives each key a limiter of its own, all built from one configuration.

    A limiter is built when its key appears. It is forgotten when it can't be told from
    a new one, never earlier, so forgetting changes no decision: an exhausted client is
    not set free by being forgotten, and a client that stays away costs no memory.

    That holds for every clock because the keys share one: a reading below the highest
    one that any `acquire` has seen, for whichever key, counts as that highest one. With
    a clock for each key, a step back would find the forgotten ones set back with it and
    the remembered ones not. Hints are measured from the reading, as everywhere.

    Keys are told apart as in a `dict`, and three things follow. `1`, `True` and `1.0`
    are one key. An object without an `__eq__` of its own is a new key each time it is
    made anew. Joined parts can collide where the parts did not ("a:b" + "c" and
    "a" + "b:c"): use the tuple of the parts as the key, with a word for its kind in
    front where users and addresses share a limiter.

    A full map: without `max_keys`, whoever can invent keys can make the map grow with
    every call, by what is used within two horizons. With it, a new key is denied while
    all places are taken, and the hint says when a place will be free. No key that is
    still counted is evicted to make room, so inventing keys resets nobody's limiter.
    New keys are not put together in one shared limiter instead, because a key would
    then pass from that one to one of its own and get more than its limit: a bound on
    memory must not loosen the limits. The price is that whoever keeps all places in use
    keeps newcomers out; a place is in use only until its limiter is as new, so that
    takes a stream of requests, and the places should outnumber the honest clients.

    Args:
        config: builds the limiters; any configuration record, or an object whose `build`
            returns a limiter. It is used once up front, so that a bad one is refused
            here. Limiters that don't tell when they are fresh (see `ConfiguredLimiter`)
            are never forgotten.
        ticker: the clock, read once per decision.
        max_keys: the most keys remembered at once, at least 1; None for no bound.

    Raises:
        TypeError: a parameter or the ticker's reading is not of its type, or `max_keys`
            is given and the limiters don't tell when they are fresh.
        ValueError: `max_keys` is not positive.

    Cost: O(1) a decision besides the limiter's own, with no timer and no sweep, and
    memory for the keys used within two horizons of the limiter (the time a token bucket
    takes to fill), or for `max_keys`. Not thread-safe: `SynchronizedPerKeyLimiter` is.
    """

    __slots__ = ("_clock", "_config", "_generations", "_now_ms")

    def __init__(self, config: LimiterFactory, ticker: Ticker, max_keys: int | None = None) -> None:
        self._clock = HeldTicker(first_reading_ms(ticker))
        self._now_ms = ticker.now_ms
        self._config = config
        probe = build_probe(config, self._clock)
        self._generations: Generations[Hashable, RateLimiter] = make_generations(
            getattr(probe, "horizon_ms", None),
            self._clock.reading_ms,
            max_keys,
            _fresh_from_ms,
            _fresh_from_ms,
        )

    def acquire(self, key: Hashable, cost: int = 1) -> Decision:
        """Decide on a request of `key` that costs `cost` units; see `RateLimiter.acquire`.

        Raises:
            TypeError: `key` is not hashable, or `cost` is not an `int`.
            ValueError: `key` is not equal to itself (NaN), or `cost` is outside
                1..limit. A rejected call leaves no trace: no limiter, and no reading.
        """
        generations = self._generations
        try:
            limiter = generations.young.get(key)
            if limiter is None:
                limiter = generations.promote(key)
        except TypeError:
            require_hashable(key)
            raise
        if limiter is None:
            return self._acquire_first(key, cost)
        now_ms = self._now_ms()
        clock = self._clock
        last_ms = clock.reading_ms
        if now_ms > last_ms:
            clock.reading_ms = now_ms
        try:
            decision = limiter.acquire(cost)
        except (TypeError, ValueError):
            clock.reading_ms = last_ms
            raise
        if clock.reading_ms >= generations.due_ms:
            generations.maintain(key, limiter, clock.reading_ms, last_ms)
        return decision if now_ms >= last_ms else later(decision, last_ms - now_ms)

    def peek(self, key: Hashable, cost: int = 1) -> Decision:
        """Return what `acquire(key, cost)` would answer now, leaving everything as it was.

        No limiter is remembered for a key that has none. The errors are those of
        `acquire`, and a TypeError if the limiters have no `peek`.
        """
        require_hashable(key)
        now_ms = self._now_ms()
        clock = self._clock
        last_ms = clock.reading_ms
        clock.reading_ms = max(now_ms, last_ms)
        try:
            return self._peek_at(key, cost, now_ms, last_ms)
        finally:
            clock.reading_ms = last_ms

    @property
    def tracked_keys(self) -> int:
        """Keys with a limiter that a decision at this moment would still find."""
        last_ms = self._clock.reading_ms
        return self._generations.held_at(max(self._now_ms(), last_ms), last_ms)

    def _acquire_first(self, key: Hashable, cost: int) -> Decision:
        require_findable(key)
        generations = self._generations
        now_ms = self._now_ms()
        clock = self._clock
        last_ms = clock.reading_ms
        clock.reading_ms = counted_ms = max(now_ms, last_ms)
        try:
            limiter = self._config.build(clock)
            decision = limiter.acquire(cost)
        except (TypeError, ValueError):
            clock.reading_ms = last_ms
            raise
        room_from_ms = generations.make_room(counted_ms, last_ms)
        if room_from_ms is not None:
            clock.reading_ms = last_ms
            return Denied(room_from_ms - now_ms)
        generations.young[key] = limiter
        if counted_ms >= generations.due_ms:
            generations.maintain(key, limiter, counted_ms, last_ms)
        return later(decision, counted_ms - now_ms)

    def _peek_at(self, key: Hashable, cost: int, now_ms: int, last_ms: int) -> Decision:
        limiter = self._generations.find(key)
        room_from_ms = None
        if limiter is None:
            require_findable(key)
            limiter = self._config.build(self._clock)
            room_from_ms = self._generations.room_from_ms(max(now_ms, last_ms), last_ms)
        decision = require_peek(limiter)(cost)
        if room_from_ms is not None:
            return Denied(room_from_ms - now_ms)
        return later(decision, max(0, last_ms - now_ms))


def build_probe(config: LimiterFactory, ticker: Ticker) -> RateLimiter:
    """Return a first limiter of `config`, by which a bad one is found out.

    Raises:
        TypeError: `config` does not build limiters.
    """
    if not isinstance(config, LimiterFactory) or isinstance(config, type):
        raise TypeError(
            f"config must have build(ticker), got {config!r}; "
            f"pass a record such as TokenBucketConfig(10, 5)"
        )
    probe = config.build(ticker)
    if not isinstance(probe, RateLimiter):
        raise TypeError(
            f"config.build(ticker) must return a limiter, got {type(probe).__name__}; "
            f"return an object with acquire(cost)"
        )
    return probe


def _fresh_from_ms(limiter: RateLimiter, _now_ms: int) -> int:
    # Only limiters that have it come here, see above.
    return cast("ConfiguredLimiter", limiter).fresh_from_ms
