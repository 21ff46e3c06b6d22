"""Limiters written in the most obvious way, to hold the real ones against.

They share no code and no formula with the package. They remember every admitted request,
count in fractions where there is anything to divide, and find a retry hint by trying:
in the answer to "denied now, when not any more?" nothing is solved for.
"""

from abc import ABC, abstractmethod
from fractions import Fraction

from ratelimit import Allowed, Decision, Denied


class Oracle(ABC):
    """A limiter that is slow, and obviously right.

    A reading below the highest one that `acquire` has seen counts as that one.
    """

    def __init__(self, start_ms: int) -> None:
        self.highest_ms = start_ms
        self.admitted: list[tuple[int, int]] = []

    def acquire(self, now_ms: int, cost: int) -> Decision:
        self.highest_ms = max(self.highest_ms, now_ms)
        decision = self.peek(now_ms, cost)
        if isinstance(decision, Allowed):
            self.admitted.append((self.highest_ms, cost))
        return decision

    def peek(self, now_ms: int, cost: int) -> Decision:
        left = self.free(self.counted(now_ms)) - cost
        if left >= 0:
            return Allowed(left)
        return Denied(self.hint_ms(now_ms, cost))

    def counted(self, now_ms: int) -> int:
        return max(now_ms, self.highest_ms)

    def hint_ms(self, now_ms: int, cost: int) -> int:
        """Return the first wait after which the cost fits, by doubling and then halving.

        Without other requests a limiter only ever gets emptier, so once a cost fits it
        goes on fitting, and halving finds the first moment.
        """
        too_short = 0
        enough = 1
        while self.free(self.counted(now_ms + enough)) < cost:
            too_short, enough = enough, enough * 2
        while enough - too_short > 1:
            middle = (too_short + enough) // 2
            if self.free(self.counted(now_ms + middle)) < cost:
                too_short = middle
            else:
                enough = middle
        return enough

    @abstractmethod
    def free(self, at_ms: int) -> int:
        """Return how many whole units a request could get at a moment."""


class BucketOracle(Oracle):
    """Starts full; after each admission and at the moment asked, the level is worked out anew."""

    def __init__(self, start_ms: int, capacity: int, per_sec: int | Fraction) -> None:
        super().__init__(start_ms)
        self.start_ms = start_ms
        self.capacity = capacity
        self.per_ms = Fraction(per_sec) / 1_000

    def level(self, at_ms: int) -> Fraction:
        level, since_ms = Fraction(self.capacity), self.start_ms
        for admitted_ms, cost in self.admitted:
            level = self.refilled(level, admitted_ms - since_ms) - cost
            since_ms = admitted_ms
        return self.refilled(level, at_ms - since_ms)

    def refilled(self, level: Fraction, elapsed_ms: int) -> Fraction:
        return min(Fraction(self.capacity), level + elapsed_ms * self.per_ms)

    def free(self, at_ms: int) -> int:
        return int(self.level(at_ms))


class WindowOracle(Oracle):
    """Counts the requests of windows of a grid in the list of all requests."""

    def __init__(self, start_ms: int, limit: int, window_ms: int) -> None:
        super().__init__(start_ms)
        self.limit = limit
        self.window_ms = window_ms

    def count_between(self, first_ms: int, end_ms: int) -> int:
        """Return the units admitted from `first_ms` on and before `end_ms`."""
        return sum(cost for at_ms, cost in self.admitted if first_ms <= at_ms < end_ms)

    def window_start(self, at_ms: int) -> int:
        return at_ms - at_ms % self.window_ms

    @abstractmethod
    def usage(self, at_ms: int) -> int:
        """Return the units that count at a moment."""

    def free(self, at_ms: int) -> int:
        return self.limit - self.usage(at_ms)


class FixedOracle(WindowOracle):
    def usage(self, at_ms: int) -> int:
        start_ms = self.window_start(at_ms)
        return self.count_between(start_ms, start_ms + self.window_ms)


class LogOracle(WindowOracle):
    def usage(self, at_ms: int) -> int:
        return self.count_between(at_ms - self.window_ms + 1, at_ms + 1)


class SlidingOracle(WindowOracle):
    """The estimate, in fractions and rounded down at the end."""

    def previous(self, at_ms: int) -> int:
        start_ms = self.window_start(at_ms)
        return self.count_between(start_ms - self.window_ms, start_ms)

    def current(self, at_ms: int) -> int:
        start_ms = self.window_start(at_ms)
        return self.count_between(start_ms, start_ms + self.window_ms)

    def usage(self, at_ms: int) -> int:
        elapsed_ms = at_ms - self.window_start(at_ms)
        weight = Fraction(self.window_ms - elapsed_ms, self.window_ms)
        return int(self.previous(at_ms) * weight) + self.current(at_ms)


class BoundaryOracle(SlidingOracle):
    """The same decisions, with the next boundary of the grid for a hint."""

    def hint_ms(self, now_ms: int, cost: int) -> int:
        del cost
        return self.window_start(self.counted(now_ms)) + self.window_ms - now_ms
