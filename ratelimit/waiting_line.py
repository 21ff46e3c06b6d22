"""Waiting in order of arrival: what threads and tasks have in common."""

from collections import deque

from ratelimit.decision import Decision, Denied
from ratelimit.limiter import PeekableLimiter
from ratelimit.validation import require_int, require_not_negative


class WaitTimeoutError(TimeoutError):
    """The timeout was over before the request was allowed; nothing was charged.

    Attributes:
        decision: the last denial, whose hint says how much longer it would have taken.
    """

    def __init__(self, cost: int, timeout_ms: int | None, decision: Denied) -> None:
        super().__init__(
            f"cost {cost} was not allowed within {timeout_ms} ms; it would take another "
            f"{decision.retry_after_ms} ms, so wait longer or ask for less"
        )
        self.decision = decision


class Waiting:
    """One caller's place in the line, and what is left of its time.

    Args:
        cost: whole units.
        timeout_ms: the most to sleep in all, at least 0; None for no bound.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.
    """

    __slots__ = ("_cost", "_left_ms")

    def __init__(self, cost: int, timeout_ms: int | None) -> None:
        self._cost = require_int("cost", cost)
        self._left_ms = (
            None if timeout_ms is None else require_not_negative("timeout_ms", timeout_ms)
        )

    @property
    def has_time(self) -> bool:
        """Whether there is time left to sleep."""
        return self._left_ms is None or self._left_ms > 0

    def step(self, limiter: PeekableLimiter, line: deque["Waiting"]) -> Decision:
        """Ask for a decision if it is this caller's turn; line up or leave accordingly.

        A caller that is not the first in line is denied: for as long as its own hint, or
        a millisecond when only those before it stand in the way.
        """
        if not line or line[0] is self:
            decision = limiter.acquire(self._cost)
        else:
            told = limiter.peek(self._cost)
            decision = told if isinstance(told, Denied) else Denied(1)
        if not isinstance(decision, Denied):
            self.leave(line)
        elif self not in line:
            line.append(self)
        return decision

    def leave(self, line: deque["Waiting"]) -> None:
        """Give up the place in the line, if there is one."""
        if self in line:
            line.remove(self)

    def next_sleep_ms(self, decision: Denied) -> int:
        """Return how long to sleep now: for the hint, or for what is left of the time."""
        if self._left_ms is None:
            return decision.retry_after_ms
        sleep_ms = min(decision.retry_after_ms, self._left_ms)
        self._left_ms -= sleep_ms
        return sleep_ms


def require_waitable(limiter: PeekableLimiter) -> PeekableLimiter:
    """Return `limiter`, which has `acquire` and `peek`.

    Raises:
        TypeError: it lacks one of them.
    """
    if not isinstance(limiter, PeekableLimiter):
        raise TypeError(
            f"limiter must have acquire(cost) and peek(cost), got {type(limiter).__name__}; "
            f"pass a limiter, such as TokenBucket(ticker, 10, 5)"
        )
    return limiter
