"""Rates as people write them, exactly; and not a part of one that is misspelt."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit.rates import UNITS, format_rate, parse_rate


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("10/minute", Fraction(10, 60)),
        ("100 per hour", Fraction(100, 3_600)),
        ("15000/1d", Fraction(15_000, 86_400)),
        ("1/6", Fraction(1, 6)),
        ("7/2", Fraction(7, 2)),
        ("10_000/day", Fraction(10_000, 86_400)),
        ("5/second", Fraction(5)),
        ("5 / 2 seconds", Fraction(5, 2)),
        ("3 per 10 min", Fraction(3, 600)),
        (" 1/s ", Fraction(1)),
    ],
)
def test_a_rate_is_exact(text: str, rate: Fraction) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize(
    "text",
    [
        "10/horu",
        "1 per hour; 10 perr day",
        "10/minutesss",
        "",
        "/minute",
        "10/",
        "10",
        "ten/minute",
        "1.5/second",
        "-1/second",
        "0/minute",
        "1/0",
        "10/0d",
        "10 minute",
        "10//minute",
        "10perhour",
        "1e3/s",
        "10/minute 5",
        "1/6/day",
        "inf/s",
        "10/Minute",
    ],
)
def test_what_is_misspelt_is_refused_whole(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rate") as caught:
        parse_rate(text)
    assert repr(text) in str(caught.value)
    assert '"10/minute"' in str(caught.value)


@given(
    amount=st.integers(1, 10**9), times=st.integers(1, 10**6), unit=st.sampled_from(sorted(UNITS))
)
def test_any_amount_in_any_time(amount: int, times: int, unit: str) -> None:
    assert parse_rate(f"{amount}/{times}{unit}") == Fraction(amount, times * UNITS[unit])
    assert parse_rate(f"{amount} per {times} {unit}") == Fraction(amount, times * UNITS[unit])


@given(rate=st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6))
def test_what_is_written_is_read_back(rate: Fraction) -> None:
    written = format_rate(rate)
    assert (written if isinstance(written, int) else parse_rate(written)) == rate
