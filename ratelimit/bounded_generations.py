"""The map that forgets, with a bound on the number of its keys."""

from collections.abc import Callable
from itertools import chain, islice
from operator import itemgetter

from ratelimit.generations import Generations, KeyT, ValueT
from ratelimit.validation import require_positive

# How many keys a newcomer may have examined: enough to get on, few enough for one call.
EXAMINED_AT_ONCE = 8


class BoundedGenerations(Generations[KeyT, ValueT]):
    """Generations that never hold more than `max_keys`, and never evict what isn't fresh.

    When the map is full, a newcomer may take the place of a key whose value is fresh,
    and of no other. A few keys are examined for that, at most a fixed number a call:
    first the one known to become fresh soonest, then the next in turn. These go to the
    younger generation, so that the following newcomer continues behind them; they may
    stay a horizon longer for it. In a map that small all keys are examined.

    Args:
        horizon_ms: from when on a value is fresh, in milliseconds after its last use.
        now_ms: the first reading.
        max_keys: the most keys held at once, at least 1.
        fresh_from_ms: tells of a value, at a reading, from which reading on it is fresh.
        retire: the same, and if that is by now the value must not be used any more.

    Cost: as for `Generations`, and for a newcomer to a full map a few keys examined.
    """

    __slots__ = ("_fresh_from_ms", "_max_keys", "_retire", "_soonest")

    def __init__(
        self,
        horizon_ms: int,
        now_ms: int,
        max_keys: int,
        fresh_from_ms: Callable[[ValueT, int], int],
        retire: Callable[[ValueT, int], int],
    ) -> None:
        super().__init__(horizon_ms, now_ms)
        self._max_keys = max_keys
        self._fresh_from_ms = fresh_from_ms
        self._retire = retire
        # At most one: the key among those examined that will be fresh first.
        self._soonest: tuple[KeyT, ...] = ()

    def room_from_ms(self, now_ms: int, last_ms: int) -> int | None:
        """Return what `make_room` would, changing nothing."""
        if self.held_at(now_ms, last_ms) < self._max_keys:
            return None
        in_turn = chain(reversed(self.old.items()), reversed(self.young.items()))
        candidates = [*self._known(), *islice(in_turn, EXAMINED_AT_ONCE)]
        earliest_ms = min(self._fresh_from_ms(value, now_ms) for _, value in candidates)
        return None if earliest_ms <= now_ms else earliest_ms

    def make_room(self, now_ms: int, last_ms: int) -> int | None:
        """Make room for a new key; return None, or from when on there will be room.

        A place is free at that reading unless another newcomer takes it or the key that
        holds it is used. In a large map it may be free sooner, since not every key has
        been examined.
        """
        if self.held_at(now_ms, last_ms) < self._max_keys:
            return None
        waiting = []
        for key, value in [*self._known(), *self._take_in_turn(now_ms, last_ms)]:
            fresh_ms = self._retire(value, now_ms)
            if fresh_ms <= now_ms:
                self.promote(key)
                del self.young[key]
                return None
            waiting.append((fresh_ms, key))
        earliest_ms, soonest = min(waiting, key=itemgetter(0))
        self._soonest = (soonest,)
        return earliest_ms

    def _known(self) -> list[tuple[KeyT, ValueT]]:
        found = [(key, self.find(key)) for key in self._soonest]
        return [(key, value) for key, value in found if value is not None]

    def _take_in_turn(self, now_ms: int, last_ms: int) -> list[tuple[KeyT, ValueT]]:
        """Move the next few from the end of the older generation to the younger."""
        if not self.old:
            self.old, self.young = self.young, self.old
            self._turn_ms = last_ms + self._horizon_ms
            self._schedule(now_ms)
        taken: list[tuple[KeyT, ValueT]] = []
        for generation in (self.old, self.young):
            while generation and len(taken) < EXAMINED_AT_ONCE:
                taken.append(generation.popitem())
        self.young.update(taken)
        return taken


def make_generations(
    horizon_ms: int | None,
    now_ms: int,
    max_keys: int | None,
    fresh_from_ms: Callable[[ValueT, int], int],
    retire: Callable[[ValueT, int], int],
) -> Generations[KeyT, ValueT]:
    """Return a map with a bound, or without one when `max_keys` is None.

    Raises:
        TypeError: `max_keys` is no integer, or a bound is wanted for what is never fresh.
        ValueError: `max_keys` is not positive.
    """
    if max_keys is None:
        return Generations(horizon_ms, now_ms)
    max_keys = require_positive("max_keys", max_keys)
    if horizon_ms is None:
        raise TypeError(
            "max_keys needs limiters that tell when they are fresh; "
            "give yours the properties horizon_ms and fresh_from_ms"
        )
    return BoundedGenerations(horizon_ms, now_ms, max_keys, fresh_from_ms, retire)
