"""What every limiter can be asked."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from ratelimit.decision import Decision
from ratelimit.ticker import Ticker


@runtime_checkable
class RateLimiter(Protocol):
    """The whole interface that a caller needs: one question, one answer."""

    def acquire(self, cost: int = 1) -> Decision:
        """Decide now on a request that costs `cost` units, and charge it if it is allowed.

        Being denied is a normal outcome, so it is returned. A cost that could never
        be allowed is a mistake of the caller, so it is raised.

        Args:
            cost: whole units, from 1 to the limiter's limit.

        Returns:
            `Allowed` with what is left, or `Denied` with a hint when to ask again.

        Raises:
            TypeError: `cost` is not an integer (`bool` and `float` are refused).
            ValueError: `cost` is outside 1..limit. Nothing is charged in either case.
        """
        ...


@runtime_checkable
class PeekableLimiter(RateLimiter, Protocol):
    """A limiter that can also be asked without consequences. Every algorithm here can."""

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving the limiter as it was.

        The arguments and errors are those of `acquire`.
        """
        ...


@runtime_checkable
class ConfiguredLimiter(PeekableLimiter, Protocol):
    """What a configuration builds. Every algorithm and every composite of them is one.

    Besides deciding it tells what those who manage limiters need to know: which costs
    are possible at all, and when it is as good as new and may be thrown away.
    """

    def ask(self, cost: int = 1) -> Decision:
        """Decide as `acquire(cost)` does, but charge nothing; the reading counts as seen.

        What is allowed here stays allowed until something is charged, whatever the
        clock does meanwhile: a later reading only adds room, and an earlier one counts
        as this one. A `peek` promises less, because its reading is forgotten at once.
        The arguments and errors are those of `acquire`.
        """
        ...

    @property
    def max_cost(self) -> int:
        """The largest cost that can ever be allowed, at least 1."""
        ...

    @property
    def horizon_ms(self) -> int:
        """The longest time, in milliseconds, from a charge until it has left no trace."""
        ...

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on this limiter can't be told from a new one.

        When a reading of at least this has been seen, a limiter built at that reading
        would give the same answers to everything, peeks and steps of the clock included.
        It is never below the highest reading seen, and at most `horizon_ms` above it.
        """
        ...


@runtime_checkable
class LimiterFactory(Protocol):
    """What builds limiters: every configuration record, or an object of your own."""

    def build(self, ticker: Ticker) -> RateLimiter:
        """Return a new limiter, as yet unused, that reads `ticker`."""
        ...


def require_peek(limiter: RateLimiter) -> Callable[[int], Decision]:
    """Return the `peek` of `limiter`.

    Raises:
        TypeError: it has none.
    """
    peek: Callable[[int], Decision] | None = getattr(limiter, "peek", None)
    if peek is None:
        raise TypeError(
            f"{type(limiter).__name__} has no peek; give it peek(cost), which answers like "
            f"acquire and charges nothing"
        )
    return peek
