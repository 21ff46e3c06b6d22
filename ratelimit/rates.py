"""Rates as people write them: "10/minute", "100 per hour", "1/6"."""

import re
from fractions import Fraction

_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_SHORT = {"s": "second", "sec": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day"}
UNITS = {
    **_SECONDS,
    **{f"{name}s": seconds for name, seconds in _SECONDS.items()},
    **{short: _SECONDS[name] for short, name in _SHORT.items()},
}
"""Every word for a stretch of time, with its length in seconds."""

ACCEPTED = (
    'an int (per second), a fraction such as "1/6" (per second), '
    'or text such as "10/minute", "100 per hour" or "15000/1d"'
)

_NUMBER = r"(?P<amount>\d+(?:_\d+)*)"
_FRACTION = re.compile(rf"{_NUMBER}\s*/\s*(?P<divisor>\d+(?:_\d+)*)")
_PER_TIME = re.compile(rf"{_NUMBER}\s*(?:/|\bper\b)\s*(?P<times>\d+(?:_\d+)*)?\s*(?P<unit>[a-z]+)")


def parse_rate(text: str) -> Fraction:
    """Return a rate per second, exactly.

    A number over a number is a fraction per second; a number over a time, which may have
    a number before it, is an amount in that time. Anything else is refused whole: no
    part of a misspelt rate is used.

    Args:
        text: such as "1/6", "10/minute", "100 per hour", "15000/1d".

    Raises:
        ValueError: `text` is not a rate, or not above 0.
    """
    written = text.strip()
    if found := _FRACTION.fullmatch(written):
        return _positive(text, int(found["amount"]), int(found["divisor"]))
    found = _PER_TIME.fullmatch(written)
    if found is None or found["unit"] not in UNITS:
        raise ValueError(f"{text!r} is not a rate; use {ACCEPTED}")
    seconds = int(found["times"] or 1) * UNITS[found["unit"]]
    return _positive(text, int(found["amount"]), seconds)


def format_rate(rate: int | Fraction) -> int | str:
    """Return a rate per second the way a file states it: an int, or text such as "1/6"."""
    return int(rate) if rate == int(rate) else str(rate)


def _positive(text: str, amount: int, seconds: int) -> Fraction:
    if amount < 1 or seconds < 1:
        raise ValueError(f"{text!r} is not a rate above 0; use {ACCEPTED}")
    return Fraction(amount, seconds)
