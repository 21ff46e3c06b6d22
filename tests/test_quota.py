"""Quota: so many, and never one more."""

from collections.abc import Callable

import pytest

from ratelimit import AtomicCounter, Quota
from tests.counters import each_counter


class Contended:
    """A counter on which others win the first races, and each of them takes one."""

    def __init__(self, value: int, lost: int) -> None:
        self.value = value
        self.lost = lost

    def get(self) -> int:
        return self.value

    def compare_and_set(self, expected: int, desired: int, /) -> bool:
        assert expected == self.value
        if self.lost:
            self.lost -= 1
            self.value -= 1
            return False
        self.value = desired
        return True


@each_counter
def test_it_hands_out_its_total_and_no_more(make_counter: Callable[[int], AtomicCounter]) -> None:
    quota = Quota(3, make_counter)
    assert quota.left == 3
    assert [quota.try_take() for _ in range(5)] == [True, True, True, False, False]
    assert quota.left == 0


def test_who_loses_a_race_tries_again() -> None:
    counter = Contended(5, lost=2)
    quota = Quota(5, lambda _: counter)
    assert quota.try_take()
    assert quota.left == 2


def test_who_loses_the_last_one_goes_away_empty_handed() -> None:
    counter = Contended(1, lost=1)
    quota = Quota(1, lambda _: counter)
    assert not quota.try_take()
    assert quota.left == 0


@pytest.mark.parametrize("total", [0, -1, -(10**20)])
def test_the_total_must_be_positive(total: int) -> None:
    with pytest.raises(ValueError, match=f"total must be positive, got {total}"):
        Quota(total)


@pytest.mark.parametrize("total", [True, 1.0, 0.5, "1", None])
def test_the_total_must_be_an_integer(total: int) -> None:
    with pytest.raises(TypeError, match="total must be an int"):
        Quota(total)
