"""Simulated time: real limiters, a clock that is set by hand."""

from collections.abc import Iterable

from ratelimit.config import LimiterConfig
from ratelimit.decision import Decision
from ratelimit.lab.levels import Level, read_level
from ratelimit.lab.request import Arrival, Request, as_requests, as_whole
from ratelimit.lab.trace import Trace
from ratelimit.limiter import RateLimiter
from ratelimit.ticker import ManualTicker


def simulate(
    config: LimiterConfig, requests: Iterable[Arrival], *, levels_at_ms: Iterable[int] = ()
) -> Trace:
    """Put requests to the limiter that `config` builds, each at its own simulated time.

    The limiter is the real one, and so is every level: nothing is calculated twice.
    Each key has a limiter of its own, built when the key first appears.

    Args:
        config: which limiter.
        requests: `Request`s, tuples (at_ms, cost, key), or times in whole milliseconds.
            They are put in the order given: a time earlier than the one before is a
            clock that stepped back. Sort them first if that is not what you mean.
        levels_at_ms: moments at which to read the level besides, in any order. If there
            are any, the level is also read right before and right after each request.

    Returns:
        The trace: the requests, one decision for each, and the levels.

    Raises:
        TypeError: an arrival, its cost or a moment is of a wrong type.
        ValueError: a cost can never be allowed, or levels are asked for with several
            keys, which have no level in common.

    Cost: O(n) time and memory for n requests and levels.
    """
    arrivals = as_requests(requests)
    moments_ms = sorted(map(as_whole, levels_at_ms))
    if moments_ms:
        decisions, levels = _with_levels(config, arrivals, moments_ms)
        return Trace(config, tuple(arrivals), tuple(decisions), tuple(levels))
    return Trace(config, tuple(arrivals), tuple(_decide(config, arrivals)))


def _decide(config: LimiterConfig, requests: list[Request]) -> list[Decision]:
    ticker = ManualTicker()
    move_to = ticker.move_to
    limiters: dict[str, RateLimiter] = {}
    decisions: list[Decision] = []
    for at_ms, cost, key in requests:
        move_to(at_ms)
        limiter = limiters.get(key)
        if limiter is None:
            limiter = limiters[key] = config.build(ticker)
        decisions.append(limiter.acquire(cost))
    return decisions


def _with_levels(
    config: LimiterConfig, requests: list[Request], moments_ms: list[int]
) -> tuple[list[Decision], list[Level]]:
    keys = sorted({request.key for request in requests})
    if len(keys) > 1:
        raise ValueError(
            f"levels are read from one limiter, but there are {len(keys)} keys, "
            f"{keys[0]!r} and {keys[1]!r} among them; pass the requests of one key"
        )
    ticker = ManualTicker(min([moments_ms[0], *(request.at_ms for request in requests[:1])]))
    limiter = config.build(ticker)
    decisions: list[Decision] = []
    levels: list[Level] = []

    def read(at_ms: int) -> None:
        ticker.move_to(at_ms)
        levels.append(read_level(limiter, at_ms))

    waiting = 0
    for request in requests:
        while waiting < len(moments_ms) and moments_ms[waiting] < request.at_ms:
            read(moments_ms[waiting])
            waiting += 1
        read(request.at_ms)
        decisions.append(limiter.acquire(request.cost))
        read(request.at_ms)
    for moment_ms in moments_ms[waiting:]:
        read(moment_ms)
    return decisions, levels
