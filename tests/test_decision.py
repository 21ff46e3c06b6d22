"""The two outcomes: values that can be compared, taken apart, and not changed."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import assert_never, get_args

import pytest

from ratelimit import Allowed, Decision, Denied

BOTH: list[Decision] = [Allowed(3), Denied(250)]


def told(decision: Decision) -> str:
    """Type-checks only as long as these two are all there are."""
    match decision:
        case Allowed(remaining):
            return f"go, {remaining} left"
        case Denied(retry_after_ms):
            return f"wait {retry_after_ms} ms"
        case _:
            assert_never(decision)


def test_a_match_takes_them_apart() -> None:
    assert [told(decision) for decision in BOTH] == ["go, 3 left", "wait 250 ms"]


def test_there_are_two() -> None:
    assert get_args(Decision) == (Allowed, Denied)
    assert all(isinstance(decision, Decision) for decision in BOTH)


def test_they_are_compared_by_value() -> None:
    assert Allowed(3) == Allowed(3) != Allowed(2)
    assert BOTH[0] != BOTH[1]
    assert len({Allowed(3), Allowed(3), Denied(3)}) == 2


def test_they_read_as_they_are_written() -> None:
    assert [repr(decision) for decision in BOTH] == [
        "Allowed(remaining=3)",
        "Denied(retry_after_ms=250)",
    ]


@pytest.mark.parametrize(
    ("decision", "field"), [(Allowed(3), "remaining"), (Denied(3), "retry_after_ms")]
)
def test_they_cannot_be_changed(decision: Decision, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(decision, field, 0)
    assert not hasattr(decision, "__dict__")


@pytest.mark.parametrize("decision", BOTH, ids=repr)
def test_they_can_be_copied_and_sent(decision: Decision) -> None:
    assert copy.deepcopy(decision) == pickle.loads(pickle.dumps(decision)) == decision
