"""One arrival in simulated time."""

from collections.abc import Iterable
from operator import index
from typing import NamedTuple, SupportsIndex, TypeAlias


class Request(NamedTuple):
    """A request that arrives at `at_ms`.

    Attributes:
        at_ms: simulated time of arrival, in milliseconds; any integer.
        cost: whole units it asks for, at least 1.
        key: whose request it is; each key has a limiter of its own.
    """

    at_ms: int
    cost: int = 1
    key: str = ""


Arrival: TypeAlias = Request | tuple[int, int] | tuple[int, int, str] | int
"""What may stand for a request: itself, its fields as a tuple, or its time alone."""


def as_requests(arrivals: Iterable[Arrival]) -> list[Request]:
    """Return each arrival as a `Request`, in the order given.

    Raises:
        TypeError: a time, a cost or an item is of another type; the message says which item.

    Cost: O(n) time and memory.
    """
    return [
        arrival
        if type(arrival) is Request and type(arrival.at_ms) is type(arrival.cost) is int
        else _as_request(place, arrival)
        for place, arrival in enumerate(arrivals)
    ]


def _as_request(place: int, arrival: object) -> Request:
    fields = arrival if isinstance(arrival, tuple) else (arrival,)
    try:
        at_ms, cost, key = Request(*fields)
        return Request(as_whole(at_ms), as_whole(cost), key)
    except TypeError:
        raise TypeError(
            f"arrival {place} is {type(arrival).__name__} {arrival!r}; pass a Request, a tuple "
            f"(at_ms, cost, key) or a time in whole milliseconds: round(seconds * 1_000)"
        ) from None


def as_whole(number: SupportsIndex) -> int:
    """Return a whole number of any integer type, numpy's included, as an `int`.

    Raises:
        TypeError: `number` is of another type (`bool` is refused).
    """
    if isinstance(number, bool):
        raise TypeError(f"got bool {number!r}; pass a whole number")
    return index(number)
