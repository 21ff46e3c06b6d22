"""Atomic integer: the two operations."""

import pytest

from ratelimit import AtomicCounter, AtomicInteger


def test_it_sets_only_what_was_expected() -> None:
    number = AtomicInteger(5)
    assert number.get() == 5
    assert not number.compare_and_set(4, 9)
    assert number.get() == 5
    assert number.compare_and_set(5, 4)
    assert number.get() == 4


def test_it_starts_at_zero_and_may_be_negative() -> None:
    number = AtomicInteger()
    assert number.compare_and_set(0, -(10**20))
    assert number.get() == -(10**20)


def test_it_shows_itself() -> None:
    assert repr(AtomicInteger(7)) == "AtomicInteger(7)"


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_it_holds_integers(value: int) -> None:
    with pytest.raises(TypeError, match="value must be an int"):
        AtomicInteger(value)


def test_it_is_what_a_compare_and_set_loop_needs() -> None:
    assert isinstance(AtomicInteger(), AtomicCounter)


def test_its_docstring_says_what_it_is() -> None:
    assert "model" in (AtomicInteger.__doc__ or "")
    assert "not lock-free" in (AtomicInteger.__doc__ or "").replace("\n    ", " ")
