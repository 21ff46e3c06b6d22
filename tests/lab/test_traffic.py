import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, pairwise, takewhile
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit.lab import Request, traffic
from tests.lab.arrivals import REPEATABLE

RATES = st.one_of(st.integers(1, 3_000), st.fractions(Fraction(1, 40), 3_000, max_denominator=99))


def burst_times(size: int, rate: int | Fraction, duration_ms: int) -> Iterator[int]:
    """Yield when bursts come, each calculated exactly and for itself."""
    exact = (Fraction(number * size * 1_000) / rate for number in count())
    for at in takewhile(lambda at: at < duration_ms, exact):
        yield at.numerator // at.denominator


@REPEATABLE
@given(
    size=st.integers(1, 5),
    rate=RATES,
    duration_ms=st.integers(1, 1_500),
    start_ms=st.integers(-(10**15), 10**15),
    cost=st.integers(1, 9),
    key=st.text(max_size=3),
)
def test_bursts_are_spaced_exactly(
    size: int, rate: int | Fraction, duration_ms: int, start_ms: int, cost: int, key: str
) -> None:
    requests = traffic.bursts(size, rate, duration_ms, start_ms=start_ms, cost=cost, key=key)
    assert requests == [
        Request(start_ms + at_ms, cost, key)
        for at_ms in burst_times(size, rate, duration_ms)
        for _ in range(size)
    ]
    assert {type(request.at_ms) for request in requests} == {int}


@REPEATABLE
@given(rate=RATES, duration_ms=st.integers(1, 1_500), start_ms=st.integers(-99, 99))
def test_steady_traffic_is_bursts_of_one(
    rate: int | Fraction, duration_ms: int, start_ms: int
) -> None:
    requests = traffic.steady(rate, duration_ms, start_ms=start_ms, cost=3, key="k")
    assert requests == traffic.bursts(1, rate, duration_ms, start_ms=start_ms, cost=3, key="k")


def test_a_spacing_that_is_no_whole_number_does_not_drift() -> None:
    times = [request.at_ms for request in traffic.steady(3, 1_000_000)]
    assert len(times) == 3_000
    assert times[::3] == list(range(0, 1_000_000, 1_000))
    assert times[:7] == [0, 333, 666, 1_000, 1_333, 1_666, 2_000]


def test_a_rate_below_one_a_second_is_a_fraction() -> None:
    times = [request.at_ms for request in traffic.steady(Fraction(1, 6), 18_001)]
    assert times == [0, 6_000, 12_000, 18_000]


@pytest.mark.parametrize(
    ("duration_ms", "number"), [(1, 1), (1_000, 1), (1_001, 2), (2_000, 2), (2_001, 3)]
)
def test_requests_arrive_before_the_end_of_the_duration(duration_ms: int, number: int) -> None:
    assert len(traffic.steady(1, duration_ms)) == number


def test_a_burst_arrives_within_one_millisecond_and_keeps_the_average_rate() -> None:
    requests = traffic.bursts(4, 8, 10_000)
    assert len(requests) == 80
    assert [request.at_ms for request in requests[:9]] == [0] * 4 + [500] * 4 + [1_000]


@pytest.mark.parametrize(
    ("rate", "seed", "times"),
    [
        (10, 1, [14, 202, 346, 376, 444, 504, 609]),
        (Fraction(5, 2), 2_024, [254]),
    ],
)
def test_poisson_traffic_is_the_same_on_every_run_and_machine(
    rate: int | Fraction, seed: int, times: list[int]
) -> None:
    assert [request.at_ms for request in traffic.poisson(rate, 700, seed)] == times


def test_another_seed_gives_other_poisson_traffic() -> None:
    sequences = {tuple(traffic.poisson(20, 1_000, seed)) for seed in range(-5, 20)}
    assert len(sequences) >= 20


def test_poisson_traffic_has_the_rate_and_the_gaps_of_independent_clients() -> None:
    requests = traffic.poisson(2, 4_000_000, 7)
    assert len(requests) == pytest.approx(8_000, rel=0.03)
    gaps = [later.at_ms - earlier.at_ms for earlier, later in pairwise(requests)]
    assert fmean(gaps) == pytest.approx(500, rel=0.03)
    assert pstdev(gaps) == pytest.approx(500, rel=0.05)
    assert sum(gap > 500 for gap in gaps) / len(gaps) == pytest.approx(math.exp(-1), abs=0.02)
    halves = sum(request.at_ms < 2_000_000 for request in requests)
    assert halves == pytest.approx(4_000, rel=0.05)


@REPEATABLE
@given(
    rate=RATES,
    duration_ms=st.integers(1, 600),
    seed=st.integers(),
    start_ms=st.integers(-(10**12), 10**12),
)
def test_poisson_traffic_stays_within_its_duration_in_order(
    rate: int | Fraction, duration_ms: int, seed: int, start_ms: int
) -> None:
    requests = traffic.poisson(rate, duration_ms, seed, start_ms=start_ms, cost=2, key="k")
    assert requests == sorted(requests)
    assert all(start_ms <= at_ms < start_ms + duration_ms for at_ms, _, _ in requests)
    assert all(request[1:] == (2, "k") for request in requests)
    shifted = traffic.poisson(rate, duration_ms, seed, start_ms=start_ms + 5, cost=2, key="k")
    assert [request._replace(at_ms=request.at_ms + 5) for request in requests] == shifted


def test_a_boundary_burst_is_one_burst_on_each_side() -> None:
    assert traffic.boundary_burst(3, 1_000) == [Request(999)] * 3 + [Request(1_000)] * 3


def test_a_boundary_burst_takes_its_distances_its_boundary_its_cost_and_its_key() -> None:
    requests = traffic.boundary_burst(
        2, 60_000, lead_ms=1_000, lag_ms=250, boundary=-1, cost=4, key="k"
    )
    assert requests == [Request(-61_000, 4, "k")] * 2 + [Request(-59_750, 4, "k")] * 2


def test_a_boundary_burst_may_arrive_exactly_at_the_boundary_of_ticker_zero() -> None:
    assert traffic.boundary_burst(1, 50, boundary=0) == [Request(-1), Request(0)]


Maker = Callable[..., list[Request]]
STEADY: tuple[Maker, dict[str, Any]] = (traffic.steady, {"per_sec": 1, "duration_ms": 9})
BURSTS: tuple[Maker, dict[str, Any]] = (
    traffic.bursts,
    {"burst_size": 1, "per_sec": 1, "duration_ms": 9},
)
POISSONS: tuple[Maker, dict[str, Any]] = (
    traffic.poisson,
    {"per_sec": 1, "duration_ms": 9, "seed": 1},
)
BOUNDARY: tuple[Maker, dict[str, Any]] = (
    traffic.boundary_burst,
    {"burst_size": 1, "window_ms": 9},
)
MAKERS = (STEADY, BURSTS, POISSONS, BOUNDARY)

POSITIVE = {"burst_size", "duration_ms", "cost", "window_ms", "lead_ms"}
NOT_NEGATIVE = {"lag_ms"}
ANY_INTEGER = {"start_ms", "seed", "boundary"}


def bad_arguments() -> Iterator[Any]:
    for make, good in MAKERS:
        optional = set(make.__kwdefaults__ or {})
        for name in sorted({*good, *optional}):
            for value, error, word, remedy in bad_values(name):
                yield pytest.param(
                    make, {**good, name: value}, error, name, word, remedy,
                    id=f"{make.__name__}-{name}-{value!r}",
                )  # fmt: skip


def bad_values(name: str) -> Iterator[tuple[object, type[Exception], str, str]]:
    if name == "key":
        yield 5, TypeError, "int 5", "str(key)"
        yield None, TypeError, "NoneType None", "str(key)"
        return
    if name == "per_sec":
        yield 0, ValueError, "got 0", "Fraction(1, 6)"
        yield Fraction(-1, 3), ValueError, "got -1/3", "Fraction(1, 6)"
        yield 1.5, TypeError, "float 1.5", "Fraction(1, 6)"
        yield True, TypeError, "bool True", "Fraction(1, 6)"
        return
    yield 1.5, TypeError, "float 1.5", "whole number"
    yield True, TypeError, "bool True", "whole number"
    yield "9", TypeError, "str '9'", "whole number"
    if name in POSITIVE:
        yield 0, ValueError, "got 0", "at least 1"
        yield -7, ValueError, "got -7", "at least 1"
    elif name in NOT_NEGATIVE:
        yield -1, ValueError, "got -1", "at least 0"
    else:
        assert name in ANY_INTEGER


@pytest.mark.parametrize(
    ("make", "arguments", "error", "name", "word", "remedy"), list(bad_arguments())
)
def test_a_bad_argument_is_named_with_its_value_and_a_remedy(
    make: Maker,
    arguments: dict[str, Any],
    error: type[Exception],
    name: str,
    word: str,
    remedy: str,
) -> None:
    with pytest.raises(error) as caught:
        make(**arguments)
    message = str(caught.value)
    assert message.startswith(f"{name} must ")
    assert word in message
    assert remedy in message


@pytest.mark.parametrize(("make", "good"), MAKERS)
def test_the_arguments_that_bad_ones_were_made_from_are_good(
    make: Maker, good: dict[str, Any]
) -> None:
    make(**good)
