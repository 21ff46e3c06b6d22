"""Made-up traffic: the same arguments give the same requests, on every machine."""

import math
from fractions import Fraction
from random import Random

from ratelimit.lab.request import Request
from ratelimit.validation import (
    require_int,
    require_not_negative,
    require_positive,
    require_rate,
)


def steady(
    per_sec: int | Fraction,
    duration_ms: int,
    *,
    start_ms: int = 0,
    cost: int = 1,
    key: str = "",
) -> list[Request]:
    """Return evenly spaced requests, the first at `start_ms`.

    Args:
        per_sec: requests a second, above 0. Times are rounded down to a millisecond,
            each for itself, so no error adds up.
        duration_ms: requests arrive before `start_ms` + `duration_ms`; at least 1.
        start_ms: any integer.
        cost: units each request asks for, at least 1.
        key: the key of each request.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.

    Cost: O(number of requests) time and memory.
    """
    return bursts(1, per_sec, duration_ms, start_ms=start_ms, cost=cost, key=key)


def bursts(
    burst_size: int,
    per_sec: int | Fraction,
    duration_ms: int,
    *,
    start_ms: int = 0,
    cost: int = 1,
    key: str = "",
) -> list[Request]:
    """Return bursts of requests that arrive in the same millisecond, evenly spaced.

    Args:
        burst_size: requests in a burst, at least 1.
        per_sec: requests a second on average, above 0: a burst comes every
            `burst_size` ÷ `per_sec` seconds, rounded down to a millisecond.
        duration_ms: bursts come before `start_ms` + `duration_ms`; at least 1.
        start_ms: the time of the first burst; any integer.
        cost: units each request asks for, at least 1.
        key: the key of each request.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.

    Cost: O(number of requests) time and memory.
    """
    size = require_positive("burst_size", burst_size)
    rate = require_rate("per_sec", per_sec)
    duration = require_positive("duration_ms", duration_ms)
    start = require_int("start_ms", start_ms)
    request_cost = require_positive("cost", cost)
    owner = _require_key(key)
    spacing_ms = 1_000 * size / rate
    number = math.ceil(duration / spacing_ms)
    return [
        Request(start + math.floor(burst * spacing_ms), request_cost, owner)
        for burst in range(number)
        for _ in range(size)
    ]


def poisson(
    per_sec: int | Fraction,
    duration_ms: int,
    seed: int,
    *,
    start_ms: int = 0,
    cost: int = 1,
    key: str = "",
) -> list[Request]:
    """Return requests of many independent clients: a Poisson process.

    The gaps between requests are drawn from the exponential distribution and the
    times rounded down to a millisecond.

    Args:
        per_sec: requests a second on average, above 0.
        duration_ms: requests arrive before `start_ms` + `duration_ms`; at least 1.
        seed: chooses the sequence; any integer.
        start_ms: any integer.
        cost: units each request asks for, at least 1.
        key: the key of each request.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.

    Cost: O(number of requests) time and memory.
    """
    mean_gap_ms = float(1_000 / require_rate("per_sec", per_sec))
    duration = require_positive("duration_ms", duration_ms)
    start = require_int("start_ms", start_ms)
    request_cost = require_positive("cost", cost)
    owner = _require_key(key)
    random = Random(require_int("seed", seed))
    requests: list[Request] = []
    elapsed_ms = 0.0
    while True:
        elapsed_ms -= mean_gap_ms * math.log(1.0 - random.random())
        if elapsed_ms >= duration:
            return requests
        requests.append(Request(start + math.floor(elapsed_ms), request_cost, owner))


def boundary_burst(
    burst_size: int,
    window_ms: int,
    *,
    lead_ms: int = 1,
    lag_ms: int = 0,
    boundary: int = 1,
    cost: int = 1,
    key: str = "",
) -> list[Request]:
    """Return the attack on a window grid: one burst just before a boundary, one just after.

    Args:
        burst_size: requests in each of the two bursts, at least 1.
        window_ms: the grid's window length, at least 1.
        lead_ms: how long before the boundary the first burst arrives, at least 1.
        lag_ms: how long after the boundary the second one arrives, at least 0.
        boundary: which boundary, counted from ticker 0; any integer.
        cost: units each request asks for, at least 1.
        key: the key of each request.

    Raises:
        TypeError, ValueError: an argument is not of its type or range.

    Cost: O(`burst_size`) time and memory.
    """
    size = require_positive("burst_size", burst_size)
    boundary_ms = require_int("boundary", boundary) * require_positive("window_ms", window_ms)
    lead = require_positive("lead_ms", lead_ms)
    lag = require_not_negative("lag_ms", lag_ms)
    request_cost = require_positive("cost", cost)
    owner = _require_key(key)
    before = Request(boundary_ms - lead, request_cost, owner)
    after = Request(boundary_ms + lag, request_cost, owner)
    return [before] * size + [after] * size


def _require_key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"key must be a str, got {type(key).__name__} {key!r}; pass str(key)")
    return key
