import re
from fractions import Fraction
from typing import Any
from unittest.mock import MagicMock

import pytest

from ratelimit import Allowed, ManualTicker, TokenBucket, TokenBucketConfig
from ratelimit.lab import TokenBucketExplorer
from tests.lab.explorers.explorers import values
from tests.lab.seeing import line, points

pytestmark = pytest.mark.usefixtures("draw")

SETTINGS = [
    {},
    {"capacity": 1},
    {"capacity": 40, "refill_per_sec": 20, "traffic_per_sec": 40, "burst_size": 20, "cost": 10},
    {"capacity": 7, "refill_per_sec": 3, "traffic_per_sec": 13, "burst_size": 5, "cost": 2},
    {"refill_per_sec": 20, "traffic_per_sec": 1, "burst_size": 20},
    {"capacity": 2_000, "refill_per_sec": 1, "traffic_per_sec": 250},
]


def spent_by_hand(chosen: dict[str, int]) -> tuple[int, int]:
    """Return how many requests a bucket of fractions gets, and how many it admits."""
    capacity, rate = Fraction(chosen["capacity"]), Fraction(chosen["refill_per_sec"], 1_000)
    spacing_ms = Fraction(1_000 * chosen["burst_size"], chosen["traffic_per_sec"])
    level, last_ms, asked, admitted = capacity, 0, 0, 0
    burst = 0
    while burst * spacing_ms < 10_000:
        now_ms = int(burst * spacing_ms)
        level, last_ms = min(capacity, level + rate * (now_ms - last_ms)), now_ms
        for _ in range(chosen["burst_size"]):
            asked += 1
            if level >= chosen["cost"]:
                level -= chosen["cost"]
                admitted += 1
        burst += 1
    return asked, admitted


@pytest.mark.parametrize("start", SETTINGS, ids=repr)
def test_the_numbers_are_those_of_a_bucket_of_fractions(start: dict[str, int]) -> None:
    explorer = TokenBucketExplorer(**start)
    chosen = values(explorer)
    asked, admitted = spent_by_hand(chosen)
    units = chosen["cost"] * admitted
    bound = chosen["capacity"] + 10 * chosen["refill_per_sec"]
    assert units <= bound
    assert explorer.summary == (
        f"{admitted:,} of {asked:,} requests admitted, {asked - admitted:,} denied; "
        f"{units:,} units admitted of at most {chosen['capacity']:,} + "
        f"{chosen['refill_per_sec']:,} × 10 = {bound:,}"
    )


def test_the_first_picture_has_a_number_for_each_mark() -> None:
    explorer = TokenBucketExplorer()
    admitted, asked, denied = map(int, re.findall(r"\d+", explorer.summary)[:3])
    lane = explorer.figure.axes[1]
    assert len(points(line(lane, "admitted"))) == admitted
    assert len(points(line(lane, "denied"))) == denied == asked - admitted


def test_the_real_bucket_decides_and_shows_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = TokenBucketExplorer()
    clock = ManualTicker()
    bucket = TokenBucket(clock, 10, 5)
    for request, decision in explorer.trace:
        clock.move_to(request.at_ms)
        assert bucket.acquire(request.cost) == decision
    monkeypatch.setattr(TokenBucket, "tokens_milli", property(lambda _bucket: 2_500))
    explorer.controls["capacity"].value = 11
    assert {y for _, y in points(line(explorer.figure.axes[0], "level"))} == {2.5}


def test_capacity_and_bound_lines_follow_the_sliders() -> None:
    explorer = TokenBucketExplorer()
    explorer.controls["capacity"].value = 17
    explorer.controls["refill_per_sec"].value = 3
    level, _, totals = explorer.figure.axes
    assert points(line(level, "capacity")) == [(0, 17), (10_000, 17)]
    assert points(line(totals, "bound: capacity + rate × time")) == [(0, 17), (10_000, 47)]
    assert explorer.trace.config == TokenBucketConfig(17, 3)


def test_the_cost_is_never_above_the_capacity() -> None:
    explorer = TokenBucketExplorer(cost=10)
    capacity, cost = explorer.controls["capacity"], explorer.controls["cost"]
    for chosen in (9, 3, 1):
        capacity.value = chosen
        assert (cost.value, cost.max) == (chosen, chosen)
        assert {request.cost for request in explorer.trace.requests} == {chosen}
    cost.value = 10
    assert cost.value == 1
    capacity.value = 40
    assert (cost.value, cost.max) == (1, 10)


def test_moving_the_capacity_draws_once_though_it_moves_the_cost(draw: MagicMock) -> None:
    explorer = TokenBucketExplorer(cost=8)
    assert draw.call_count == 1
    explorer.controls["capacity"].value = 3
    assert explorer.controls["cost"].value == 3
    assert draw.call_count == 2
    explorer.controls["capacity"].value = 30
    assert draw.call_count == 3
    assert {request.cost for request in explorer.trace.requests} == {3}


def test_a_high_cost_keeps_its_range_when_it_is_lowered() -> None:
    explorer = TokenBucketExplorer(capacity=30, cost=25)
    cost = explorer.controls["cost"]
    assert cost.max == 25
    cost.value = 2
    assert cost.max == 25
    cost.value = 25
    assert explorer.trace.requests[0].cost == 25


def test_a_burst_above_the_capacity_is_denied_from_there_on() -> None:
    explorer = TokenBucketExplorer(capacity=3, burst_size=5, refill_per_sec=1)
    first = explorer.trace.decisions[:5]
    assert [isinstance(decision, Allowed) for decision in first] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"capacity": 0}, ValueError, "capacity must be positive"),
        ({"capacity": -1}, ValueError, "capacity must be positive"),
        ({"capacity": 1.5}, TypeError, "capacity must be an int, got float 1.5"),
        ({"capacity": True}, TypeError, "capacity must be an int, got bool True"),
        ({"refill_per_sec": 0}, ValueError, "refill_per_sec must be positive, got 0"),
        ({"refill_per_sec": Fraction(3, 2)}, TypeError, "refill_per_sec must be an int, got Frac"),
        ({"traffic_per_sec": 0}, ValueError, "traffic_per_sec must be positive, got 0"),
        ({"traffic_per_sec": Fraction(3, 2)}, TypeError, "traffic_per_sec must be an int, got Fr"),
        ({"burst_size": 0}, ValueError, "burst_size must be positive, got 0"),
        ({"burst_size": "4"}, TypeError, "burst_size must be an int, got str '4'"),
        ({"cost": 20}, ValueError, r"cost 20 is outside 1\.\.10"),
        ({"cost": 0}, ValueError, r"cost 0 is outside 1\.\.10"),
        ({"capacity": 4, "cost": 5}, ValueError, r"cost 5 is outside 1\.\.4"),
        ({"cost": 1.0}, TypeError, "cost must be an int, got float 1.0"),
    ],
    ids=repr,
)
def test_bad_arguments_are_refused_as_the_configuration_refuses_them(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        TokenBucketExplorer(**arguments)
