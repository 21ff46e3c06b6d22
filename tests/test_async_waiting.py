"""Waiting tasks: in order, cancelled without loss, and in more than one event loop."""

import asyncio
from collections.abc import Coroutine
from heapq import heappop, heappush

import pytest

from ratelimit import Allowed, Decision, Denied, ManualTicker, TokenBucket
from ratelimit.async_waiting import AsyncLimiter
from ratelimit.waiting_line import WaitTimeoutError


class SimulatedSleep:
    """Sleeping tasks on a ticker: `run` moves it from one waking to the next."""

    def __init__(self, ticker: ManualTicker) -> None:
        self.ticker = ticker
        self.slept: list[float] = []
        self._wakings: list[tuple[int, int, asyncio.Future[None]]] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        at_ms = self.ticker.now_ms() + round(seconds * 1_000)
        heappush(self._wakings, (at_ms, len(self.slept), waking))
        await waking

    async def run(self, until_ms: int) -> None:
        """Let all tasks run until the ticker stands at `until_ms`."""
        await turns()
        while self._wakings and self._wakings[0][0] <= until_ms:
            at_ms, _, waking = heappop(self._wakings)
            self.ticker.move_to(at_ms)
            if not waking.done():
                waking.set_result(None)
            await turns()
        self.ticker.move_to(until_ms)


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def emptied() -> tuple[TokenBucket, ManualTicker, SimulatedSleep]:
    ticker = ManualTicker()
    bucket = TokenBucket(ticker, 1, 1)
    bucket.acquire()
    return bucket, ticker, SimulatedSleep(ticker)


def run(test: Coroutine[object, object, None]) -> None:
    asyncio.run(test)


def test_tasks_are_served_in_the_order_in_which_they_came() -> None:
    async def test() -> None:
        bucket, ticker, sleep = emptied()
        waiting = AsyncLimiter(bucket, sleep)
        served: list[tuple[str, int]] = []

        async def client(name: str) -> None:
            await waiting.acquire()
            served.append((name, ticker.now_ms()))

        tasks = [asyncio.create_task(client(name)) for name in "abcde"]
        await sleep.run(5_000)
        await asyncio.gather(*tasks)
        assert served == [("a", 1_000), ("b", 2_000), ("c", 3_000), ("d", 4_000), ("e", 5_000)]

    run(test())


def test_a_cancelled_task_loses_no_token_and_holds_up_nobody() -> None:
    async def test() -> None:
        bucket, ticker, sleep = emptied()
        waiting = AsyncLimiter(bucket, sleep)
        first = asyncio.create_task(waiting.acquire())
        second = asyncio.create_task(waiting.acquire())
        await sleep.run(500)
        first.cancel()
        await sleep.run(1_000)
        assert first.cancelled()
        assert second.done()
        assert second.result() == Allowed(0)
        assert ticker.now_ms() == 1_000

    run(test())


def test_a_task_cancelled_in_the_turn_in_which_it_wakes_takes_nothing() -> None:
    async def test() -> None:
        bucket, ticker, sleep = emptied()
        waiting = AsyncLimiter(bucket, sleep)
        first = asyncio.create_task(waiting.acquire())
        await turns()
        ticker.move_to(1_000)
        _, _, waking = sleep._wakings[0]
        waking.set_result(None)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert await waiting.acquire(timeout_ms=0) == Allowed(0)

    run(test())


def test_one_limiter_works_in_several_event_loops_and_contended() -> None:
    bucket, _, sleep = emptied()
    waiting = AsyncLimiter(bucket, sleep)

    async def contended(until_ms: int) -> list[Decision]:
        tasks = [asyncio.create_task(waiting.acquire()) for _ in range(2)]
        await sleep.run(until_ms)
        return [await task for task in tasks]

    assert asyncio.run(contended(2_000)) == [Allowed(0)] * 2
    assert asyncio.run(contended(4_000)) == [Allowed(0)] * 2


def test_a_timeout_is_the_most_that_is_slept_and_charges_nothing() -> None:
    async def test() -> None:
        bucket, ticker, sleep = emptied()
        waiting = AsyncLimiter(bucket, sleep)
        assert await waiting.acquire(timeout_ms=0) == Denied(1_000)
        assert sleep.slept == []
        late = asyncio.create_task(waiting.acquire(timeout_ms=500))
        await sleep.run(500)
        assert await late == Denied(500)
        assert sleep.slept == [0.5]
        assert bucket.tokens_milli == 500
        assert ticker.now_ms() == 500

    run(test())


@pytest.mark.parametrize(("cost", "error"), [(2, ValueError), (0, ValueError), (1.0, TypeError)])
def test_a_cost_that_can_never_succeed_raises_without_a_sleep(
    cost: int, error: type[Exception]
) -> None:
    async def test() -> None:
        bucket, _, sleep = emptied()
        with pytest.raises(error, match="cost"):
            await AsyncLimiter(bucket, sleep).acquire(cost)
        assert sleep.slept == []

    run(test())


def test_the_forms_with_a_block_and_with_a_decorator() -> None:
    async def test() -> None:
        bucket, ticker, sleep = emptied()
        waiting = AsyncLimiter(bucket, sleep)
        seen: list[int] = []

        async def block() -> None:
            async with waiting as decision:
                assert decision == Allowed(0)
                seen.append(ticker.now_ms())

        @waiting
        async def decorated() -> None:
            seen.append(ticker.now_ms())

        @waiting.limit(cost=1, timeout_ms=5_000)
        async def limited() -> None:
            seen.append(ticker.now_ms())

        tasks = [asyncio.create_task(each()) for each in (block, decorated, limited)]
        await sleep.run(3_000)
        await asyncio.gather(*tasks)
        assert seen == [1_000, 2_000, 3_000]

    run(test())


def test_a_limit_that_is_not_met_in_time_raises_a_timeout_error() -> None:
    async def test() -> None:
        bucket, _, sleep = emptied()
        limit = AsyncLimiter(bucket, sleep).limit(timeout_ms=0)
        with pytest.raises(WaitTimeoutError) as caught:
            async with limit:
                pytest.fail("the body must not run")
        assert caught.value.decision == Denied(1_000)

    run(test())


def test_without_a_sleep_of_ones_own_it_is_asyncios(monkeypatch: pytest.MonkeyPatch) -> None:
    bucket, ticker, _ = emptied()
    slept: list[float] = []

    async def fake(seconds: float) -> None:
        slept.append(seconds)
        ticker.advance(round(seconds * 1_000))

    async def test() -> None:
        assert await AsyncLimiter(bucket).acquire() == Allowed(0)

    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", fake)
        run(test())
    assert slept == [1.0]
