"""What a broken rule says: the value, what is accepted, and what to do."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from traceback import format_exception_only

import pytest

from ratelimit import validation


@pytest.mark.parametrize(
    ("check", "error", "lines"),
    [
        (
            lambda: validation.require_int("window_ms", 1.5),
            TypeError,
            [
                "window_ms must be an int, got float 1.5; "
                "pass a whole number without a decimal point"
            ],
        ),
        (
            lambda: validation.require_int("cost", True),
            TypeError,
            ["cost must be an int, got bool True; pass a whole number without a decimal point"],
        ),
        (
            lambda: validation.require_positive("limit", 0),
            ValueError,
            ["limit must be positive, got 0; pass an int of at least 1"],
        ),
        (
            lambda: validation.require_not_negative("lag_ms", -1),
            ValueError,
            ["lag_ms must not be negative, got -1; pass an int of at least 0"],
        ),
        (
            lambda: validation.require_capacity(-3),
            ValueError,
            ["capacity must be positive", "got -3; pass an int of at least 1"],
        ),
        (
            lambda: validation.require_cost(5, 3),
            ValueError,
            [
                "cost 5 is outside 1..3",
                "no wait can make this request succeed; "
                "split it, or build a limiter that allows more",
            ],
        ),
        (
            lambda: validation.require_rate("refill_per_sec", 0.5),
            TypeError,
            [
                "refill_per_sec must be an int or a Fraction, got float 0.5; "
                "write a rate below one per second as Fraction(1, 6)"
            ],
        ),
        (
            lambda: validation.require_rate("refill_per_sec", Fraction(-1, 2)),
            ValueError,
            [
                "refill_per_sec must be positive, got -1/2; "
                "pass an int of at least 1 or a Fraction above 0, such as Fraction(1, 6)"
            ],
        ),
        (
            lambda: validation.require_choice("retry_hint", "later", ("boundary", "exact")),
            ValueError,
            ["retry_hint 'later' is unknown; use 'boundary' or 'exact'"],
        ),
        (
            lambda: validation.require_choice("retry_hint", 1, ("boundary", "exact")),  # type: ignore[type-var]
            TypeError,
            ["retry_hint must be a str, got int 1; use 'boundary' or 'exact'"],
        ),
    ],
)
def test_what_is_said(
    check: Callable[[], object], error: type[Exception], lines: list[str]
) -> None:
    with pytest.raises(error) as caught:
        check()
    printed = "".join(format_exception_only(caught.value)).splitlines()
    assert printed == [f"{error.__name__}: {lines[0]}", *lines[1:]]


@pytest.mark.parametrize("value", [True, "3", 3.0, None, Decimal(3)], ids=repr)
def test_a_rate_is_an_int_or_a_fraction(value: object) -> None:
    with pytest.raises(TypeError, match="refill_per_sec must be an int or a Fraction"):
        validation.require_rate("refill_per_sec", value)


@pytest.mark.parametrize(("value", "rate"), [(3, Fraction(3)), (Fraction(6, 4), Fraction(3, 2))])
def test_a_rate_is_returned_as_a_fraction(value: int | Fraction, rate: Fraction) -> None:
    checked = validation.require_rate("refill_per_sec", value)
    assert checked == rate
    assert type(checked) is Fraction


def test_what_is_right_is_returned_as_a_plain_int() -> None:
    class Named(int):
        pass

    for checked in (
        validation.require_int("x", Named(3)),
        validation.require_positive("x", Named(3)),
        validation.require_not_negative("x", Named(3)),
        validation.require_capacity(Named(3)),
        validation.require_cost(Named(3), 3),
    ):
        assert checked == 3
        assert type(checked) is int
    assert validation.require_not_negative("x", 0) == 0
    assert validation.require_choice("x", "a", ("a", "b")) == "a"
