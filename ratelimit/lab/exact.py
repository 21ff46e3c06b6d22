"""The truth beside an estimate: what a sliding log counts in the same traffic."""

from ratelimit.config import SlidingLogConfig
from ratelimit.decision import Denied
from ratelimit.lab.request import Request
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Trace
from ratelimit.validation import require_positive


def exact_counts(trace: Trace, window_ms: int) -> Trace:
    """Return the exact rolling count of what `trace` admitted, at each of its levels' times.

    The log that counts is large enough to let everything in.

    Args:
        trace: a simulation with levels, or whose requests are to be counted alone.
        window_ms: the window's length, at least 1.

    Raises:
        TypeError, ValueError: `window_ms` is not a positive integer.

    Cost: O(n log n) time, O(n) memory.
    """
    log = SlidingLogConfig(max(1, trace.admitted_units), window_ms)
    moments_ms = {level.at_ms for level in trace.levels}
    moments_ms.update(request.at_ms for request in trace.requests)
    return simulate(log, trace.admitted_requests, levels_at_ms=sorted(moments_ms))


def refused_with_room(trace: Trace, limit: int, window_ms: int) -> list[Request]:
    """Return the requests that were denied although an exact count would have had room.

    Room is judged after all requests of the same moment, on what `trace` admitted.

    Args:
        trace: a simulation of one key whose clock never steps back.
        limit: units per window, at least 1.
        window_ms: the window's length, at least 1.

    Raises:
        TypeError, ValueError: `limit` or `window_ms` is not a positive integer.

    Cost: O(n log n) time, O(n) memory.
    """
    limit_milli = 1_000 * require_positive("limit", limit)
    counts = {level.at_ms: level.amount_milli for level in exact_counts(trace, window_ms).levels}
    return [
        request
        for request, decision in trace
        if isinstance(decision, Denied)
        and counts[request.at_ms] + 1_000 * request.cost <= limit_milli
    ]
