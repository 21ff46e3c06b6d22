from collections.abc import Iterable

import numpy as np
import pytest

from ratelimit.lab import Request
from ratelimit.lab.request import Arrival, as_requests, as_whole

ARRIVALS: dict[str, tuple[Iterable[Arrival], list[Request]]] = {
    "plain times": ([5, -3, 0], [Request(5), Request(-3), Request(0)]),
    "pairs": ([(7, 2), (1, 1)], [Request(7, 2), Request(1)]),
    "triples": ([(7, 2, "a")], [Request(7, 2, "a")]),
    "a generator": ((10 * step for step in range(2)), [Request(0), Request(10)]),
    "a range": (range(2), [Request(0), Request(1)]),
    "an array": (np.array([4, 2]), [Request(4), Request(2)]),
    "two arrays": (
        zip(np.array([4, 2]), np.array([1, 3]), strict=True),
        [Request(4, 1), Request(2, 3)],
    ),
    "a mixture": ([3, (4, 2), Request(5, 1, "k")], [Request(3), Request(4, 2), Request(5, 1, "k")]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("arrivals", "expected"), ARRIVALS.values(), ids=ARRIVALS)
def test_each_arrival_becomes_a_request_in_its_place(
    arrivals: Iterable[Arrival], expected: list[Request]
) -> None:
    requests = as_requests(arrivals)
    assert requests == expected
    assert {type(request) for request in requests} <= {Request}


def test_a_request_costs_one_unit_and_has_the_empty_key() -> None:
    assert Request(9) == (9, 1, "")


def test_requests_are_taken_over_as_they_are() -> None:
    request = Request(1, 2, "k")
    assert as_requests([request])[0] is request


def test_a_tuple_of_the_time_alone_is_enough() -> None:
    alone: tuple[int, ...] = (8,)
    assert as_requests([alone]) == [Request(8)]  # type: ignore[list-item]


def test_integers_of_numpy_become_plain_ones() -> None:
    (request,) = as_requests([Request(np.int64(3), np.int32(2))])  # type: ignore[arg-type]
    assert request == Request(3, 2)
    assert (type(request), type(request.at_ms), type(request.cost)) == (Request, int, int)


@pytest.mark.parametrize(
    "bad",
    [
        1.5,
        True,
        "now",
        None,
        [0, 1],
        (),
        (0, 1, "a", 0),
        (1.5,),
        (0, 1.0),
        (0, True),
        (False, 1),
        Request(1.5),  # type: ignore[arg-type]
        Request(0, "one"),  # type: ignore[arg-type]
        Request(True),
        np.float64(2),
        np.bool_(True),
        np.zeros((1, 2), dtype=int),
    ],
    ids=repr,
)
def test_an_arrival_of_a_wrong_type_is_named_with_its_place(bad: object) -> None:
    with pytest.raises(TypeError) as caught:
        as_requests([0, 1, bad, 3])  # type: ignore[list-item]
    message = str(caught.value)
    assert message.startswith(f"arrival 2 is {type(bad).__name__} {bad!r}; ")
    assert "tuple (at_ms, cost, key)" in message
    assert "round(seconds * 1_000)" in message


def test_the_remedy_for_seconds_works() -> None:
    seconds = [0.25, 1.1]
    assert as_requests(round(at * 1_000) for at in seconds) == [Request(250), Request(1_100)]


def test_whole_numbers_are_of_any_integer_type() -> None:
    assert as_whole(7) == 7
    assert type(as_whole(np.uint8(7))) is int


def test_a_bool_is_not_a_whole_number() -> None:
    with pytest.raises(TypeError, match="got bool True; pass a whole number"):
        as_whole(True)
