"""One lock around one limiter: the whole of thread safety, added from outside."""

from itertools import count
from threading import Lock
from typing import final

from ratelimit.decision import Decision
from ratelimit.limiter import RateLimiter, require_peek

_numbers = count()
_numbers_lock = Lock()


@final
class SynchronizedLimiter:
    """A limiter that threads may share: one lock, held through each call.

    A decision reads the clock, then the state, then writes the state. Two threads that
    do so at once can both spend the same token; behind the lock they can't, and the
    second sees all that the first has written. The clock is read behind the lock too.

    It protects only what is asked through it. Keep no other way to the limiter inside,
    or wrap that limiter once and hand out the wrapper.

    `CompositeLimiter` knows this class: it holds the locks of all its members through a
    whole decision, so members that several composites share need this wrapper and
    nothing else.

    Args:
        limiter: what to protect; anything with `acquire`.

    Raises:
        TypeError: `limiter` has no `acquire`.

    Cost: the limiter's own, and one uncontended lock. The lock is not re-entrant: don't
    ask a limiter from within its own ticker, a signal handler or a finalizer.
    """

    __slots__ = ("_acquire", "_limiter", "_lock", "_number", "_release", "_take")

    def __init__(self, limiter: RateLimiter) -> None:
        if not isinstance(limiter, RateLimiter):
            raise TypeError(
                f"limiter must have acquire(cost), got {type(limiter).__name__}; "
                f"wrap a limiter, such as TokenBucket(ticker, 10, 5)"
            )
        self._limiter = limiter
        self._lock = Lock()
        # Bound once: what is looked up on every call is what a lock's cost consists of.
        self._take = self._lock.acquire
        self._release = self._lock.release
        self._acquire = limiter.acquire
        with _numbers_lock:
            self._number = next(_numbers)

    def acquire(self, cost: int = 1) -> Decision:
        """Decide alone, while every other call waits; see `RateLimiter.acquire`."""
        # try and finally, because a `with` block costs about twice as much.
        self._take()
        try:
            return self._acquire(cost)
        finally:
            self._release()

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, consuming nothing.

        Raises:
            TypeError: the limiter inside has no `peek`.
        """
        peek = require_peek(self._limiter)
        with self._lock:
            return peek(cost)

    @property
    def limiter(self) -> RateLimiter:
        """What is inside. Asking it directly goes past the lock."""
        return self._limiter

    @property
    def lock(self) -> Lock:
        """The lock that each call holds. Hold it yourself to make several reads one."""
        return self._lock

    @property
    def number(self) -> int:
        """How many of these had been made before: the order in which locks are taken.

        Whoever needs several takes the highest number first. A wrapper is younger than
        what it wraps, so this is also the order in which nested ones take theirs.
        """
        return self._number
