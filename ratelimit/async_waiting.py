"""Wait until allowed, for tasks: the same loop around a limiter, with `await`."""

from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AsyncContextDecorator
from types import TracebackType

from ratelimit.decision import Allowed, Decision, Denied
from ratelimit.limiter import PeekableLimiter
from ratelimit.waiting_line import Waiting, WaitTimeoutError, require_waitable


async def _asyncio_sleep(seconds: float) -> None:
    # Imported here, since asyncio would double the time that importing this package takes.
    import asyncio

    await asyncio.sleep(seconds)


class AsyncLimiter(AsyncContextDecorator):
    """A limiter that lets a task wait until a request is allowed, in order of arrival.

    It keeps no lock and nothing else of a running event loop, so one object works in
    several `asyncio.run` calls, one after the other. A decision is made and charged
    between two `await`s: a task that is cancelled has either been charged and told so,
    or leaves the line uncharged. It is for one thread; `BlockingLimiter` is for several.

    As an asynchronous context manager or decorator it waits for one unit, without a
    timeout; `limit` gives both forms with a cost and a timeout.

    Args:
        limiter: what decides.
        sleep: returns an awaitable that takes a time in seconds; `asyncio.sleep` if it
            is not given.

    Raises:
        TypeError: `limiter` has no `acquire` or no `peek`.

    Cost: O(1) memory for each waiting task, which wakes once for each hint it gets.
    """

    def __init__(
        self,
        limiter: PeekableLimiter,
        sleep: Callable[[float], Awaitable[object]] = _asyncio_sleep,
    ) -> None:
        self._limiter = require_waitable(limiter)
        self._sleep = sleep
        self._line: deque[Waiting] = deque()

    async def acquire(self, cost: int = 1, timeout_ms: int | None = None) -> Decision:
        """Wait until a request of `cost` units is allowed, and charge it.

        The arguments, the answers and the errors are those of `BlockingLimiter.acquire`.
        """
        waiting = Waiting(cost, timeout_ms)
        decision = self._step(waiting)
        try:
            while isinstance(decision, Denied) and waiting.has_time:
                await self._sleep(waiting.next_sleep_ms(decision) / 1_000)
                decision = self._step(waiting)
            return decision
        finally:
            waiting.leave(self._line)

    def limit(self, cost: int = 1, timeout_ms: int | None = None) -> "AsyncLimit":
        """Return an asynchronous context manager that waits on entry, and is a decorator too.

        When the timeout leaves no more time it raises `WaitTimeoutError`.
        """
        return AsyncLimit(self, cost, timeout_ms)

    async def __aenter__(self) -> Decision:
        return await self.acquire()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a permission that was used is not given back."""

    def _step(self, waiting: Waiting) -> Decision:
        return waiting.step(self._limiter, self._line)


class AsyncLimit(AsyncContextDecorator):
    """One cost and one timeout, waited for on each entry."""

    def __init__(self, limiter: AsyncLimiter, cost: int, timeout_ms: int | None) -> None:
        self._limiter = limiter
        self._cost = cost
        self._timeout_ms = timeout_ms

    async def __aenter__(self) -> Allowed:
        decision = await self._limiter.acquire(self._cost, self._timeout_ms)
        if isinstance(decision, Denied):
            raise WaitTimeoutError(self._cost, self._timeout_ms, decision)
        return decision

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a permission that was used is not given back."""
