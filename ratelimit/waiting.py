"""Wait until allowed, for threads: a loop around a limiter, outside its core."""

import time
from collections import deque
from collections.abc import Callable
from contextlib import ContextDecorator
from threading import Lock
from types import TracebackType

from ratelimit.decision import Allowed, Decision, Denied
from ratelimit.limiter import PeekableLimiter
from ratelimit.waiting_line import Waiting, WaitTimeoutError, require_waitable


class BlockingLimiter(ContextDecorator):
    """A limiter that sleeps until a request is allowed, and serves threads as they came.

    Only the first in line may be charged; whoever is behind waits for its turn, even for
    a smaller cost. Nobody sleeps while holding a lock. Who gives up, by a timeout or an
    exception, leaves the line and has been charged nothing.

    As a context manager or a decorator it waits for one unit, without a timeout; `limit`
    gives both forms with a cost and a timeout.

    Args:
        limiter: what decides; it is asked by one thread at a time, so it needs no lock
            of its own unless it is asked elsewhere too.
        sleep: sleeps for a time in seconds. A test passes one that moves its ticker.

    Raises:
        TypeError: `limiter` has no `acquire` or no `peek`.

    Cost: O(1) memory for each waiting thread, which wakes once for each hint it gets.
    """

    def __init__(
        self, limiter: PeekableLimiter, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._limiter = require_waitable(limiter)
        self._sleep = sleep
        self._lock = Lock()
        self._line: deque[Waiting] = deque()

    def acquire(self, cost: int = 1, timeout_ms: int | None = None) -> Decision:
        """Wait until a request of `cost` units is allowed, and charge it.

        Args:
            cost: whole units, from 1 to the limiter's limit.
            timeout_ms: the most to sleep in all, at least 0; 0 never sleeps, None waits
                for as long as it takes.

        Returns:
            `Allowed`, or the last `Denied` when the timeout leaves no more time.

        Raises:
            TypeError, ValueError: an argument is not of its type or range; at once,
                without a sleep, for a cost that no wait can make possible.
        """
        waiting = Waiting(cost, timeout_ms)
        with self._lock:
            decision = self._step(waiting)
        if isinstance(decision, Allowed):
            return decision
        try:
            while isinstance(decision, Denied) and waiting.has_time:
                self._sleep(waiting.next_sleep_ms(decision) / 1_000)
                with self._lock:
                    decision = self._step(waiting)
            return decision
        finally:
            with self._lock:
                waiting.leave(self._line)

    def limit(self, cost: int = 1, timeout_ms: int | None = None) -> "Limit":
        """Return a context manager that waits on entry, and is a decorator too.

        It can be used again and by several threads. When the timeout leaves no more time
        it raises `WaitTimeoutError`, which is a `TimeoutError`.
        """
        return Limit(self, cost, timeout_ms)

    def __enter__(self) -> Decision:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a permission that was used is not given back."""

    def _step(self, waiting: Waiting) -> Decision:
        return waiting.step(self._limiter, self._line)


class Limit(ContextDecorator):
    """One cost and one timeout, waited for on each entry."""

    def __init__(self, limiter: BlockingLimiter, cost: int, timeout_ms: int | None) -> None:
        self._limiter = limiter
        self._cost = cost
        self._timeout_ms = timeout_ms

    def __enter__(self) -> Allowed:
        decision = self._limiter.acquire(self._cost, self._timeout_ms)
        if isinstance(decision, Denied):
            raise WaitTimeoutError(self._cost, self._timeout_ms, decision)
        return decision

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a permission that was used is not given back."""
