"""What every limiter can be asked."""

from typing import Protocol, runtime_checkable

from ratelimit.decision import Decision


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
