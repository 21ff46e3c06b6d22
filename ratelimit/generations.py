"""A map that forgets what has been idle, without ever looking for it."""

import math
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

# A decision adds at most one value, so freeing two a decision always catches up.
FREED_AT_ONCE = 2


class Generations(Generic[KeyT, ValueT]):
    """Values by key, in two generations: those used since the last turn, and the older.

    A value counts as fresh when it has not been used for `horizon_ms`: then it can't be
    told from a new one, and forgetting it changes nothing. At a turn the older
    generation has been idle that long as a whole. It is let go without looking at a
    single value, the younger one takes its place, and an empty one begins. A value that
    is used moves to the younger generation. So

    - nothing is forgotten before it is fresh;
    - every value idle for two horizons is forgotten by the next use of any key;
    - no call examines more than its own key. Even the memory of what was let go is
      given back little by little, a few values with each later call, since to free a
      million of them at once would hold up one unlucky caller.

    The readings that are passed in must never decrease: the caller counts a lower one
    as the highest. The caller looks into `young` first, and asks for `maintain` once a
    reading reaches `due_ms`.

    Args:
        horizon_ms: from when on a value is fresh, in milliseconds after its last use;
            None for values that never are, which are then kept for good.
        now_ms: the first reading.

    Cost: O(1) a call, and memory for the values used within the last two horizons. The
    longest step is Python's own: a growing `dict` now and then moves all its entries.
    Not thread-safe by itself.
    """

    __slots__ = ("_horizon_ms", "_leaving", "_turn_ms", "due_ms", "old", "young")

    def __init__(self, horizon_ms: int | None, now_ms: int) -> None:
        self.young: dict[KeyT, ValueT] = {}
        self.old: dict[KeyT, ValueT] = {}
        self._leaving: list[dict[KeyT, ValueT]] = []
        self._horizon_ms = 0 if horizon_ms is None else horizon_ms
        self._turn_ms: float = math.inf if horizon_ms is None else now_ms + horizon_ms
        self.due_ms = self._turn_ms

    def find(self, key: KeyT) -> ValueT | None:
        """Return the value of `key` and leave everything as it is; None if there is none."""
        value = self.young.get(key)
        return self.old.get(key) if value is None else value

    def promote(self, key: KeyT) -> ValueT | None:
        """Return the value of `key`, moved from the older generation; None if not there."""
        value = self.old.pop(key, None)
        if value is not None:
            self.young[key] = value
        return value

    def maintain(self, key: KeyT, value: ValueT, now_ms: int, last_ms: int) -> None:
        """Do what is due, a bounded part of it, when `key` has just been used.

        Args:
            key: the key in use, which is in `young`.
            value: its value.
            now_ms: this call's reading, the highest so far.
            last_ms: the highest reading before this call.
        """
        self._free_some()
        if now_ms >= self._turn_ms:
            self._turn(key, value, now_ms, last_ms)
        self._schedule(now_ms)

    def held_at(self, now_ms: int, last_ms: int) -> int:
        """Return how many keys a call at `now_ms` would find, its own not counted."""
        if now_ms < self._turn_ms:
            return len(self.young) + len(self.old)
        return 0 if self._all_fresh(now_ms, last_ms) else len(self.young)

    def room_from_ms(self, now_ms: int, last_ms: int) -> int | None:  # noqa: ARG002
        """Return from when on a new key can be taken in, or None when it can be now."""
        return None

    def make_room(self, now_ms: int, last_ms: int) -> int | None:
        """Make room for a new key; return None, or from when on there will be room."""
        return self.room_from_ms(now_ms, last_ms)

    def _all_fresh(self, now_ms: int, last_ms: int) -> bool:
        return now_ms - last_ms >= self._horizon_ms

    def _turn(self, key: KeyT, value: ValueT, now_ms: int, last_ms: int) -> None:
        del self.young[key]
        self._leaving.append(self.old)
        if self._all_fresh(now_ms, last_ms):
            self._leaving.append(self.young)
            self.old = {}
            self._turn_ms = now_ms + self._horizon_ms
        else:
            self.old = self.young
            self._turn_ms = last_ms + self._horizon_ms
        self.young = {key: value}

    def _schedule(self, now_ms: int) -> None:
        self.due_ms = now_ms if self._leaving else self._turn_ms

    def _free_some(self) -> None:
        for _ in range(FREED_AT_ONCE):
            while self._leaving and not self._leaving[-1]:
                self._leaving.pop()
            if not self._leaving:
                return
            self._leaving[-1].popitem()
