"""The rules for arguments, and the words in which a broken rule is reported.

A wrong type is a `TypeError`, a wrong value a `ValueError`. Each names the value,
what is accepted, and what to do. A function here either returns the checked value
or raises: it changes nothing.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ratelimit.ticker import Ticker

ChoiceT = TypeVar("ChoiceT", bound=str)


def require_int(name: str, value: object) -> int:
    """Return `value` as a plain `int`; refuse `bool`, `float` and every other type."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"{name} must be an int, got {type(value).__name__} {value!r}; "
            f"pass a whole number without a decimal point"
        )
    return int(value)


def require_positive(name: str, value: object) -> int:
    """Return `value` as an `int` of at least 1."""
    number = require_int(name, value)
    if number < 1:
        raise ValueError(f"{name} must be positive, got {number}; pass an int of at least 1")
    return number


def require_not_negative(name: str, value: object) -> int:
    """Return `value` as an `int` of at least 0."""
    number = require_int(name, value)
    if number < 0:
        raise ValueError(f"{name} must not be negative, got {number}; pass an int of at least 0")
    return number


def require_capacity(value: object) -> int:
    """Return `value` as a capacity: an `int` of at least 1.

    The message is fixed by the design's printed output, so value, range and remedy
    follow it as a note, which a traceback prints below the message.
    """
    capacity = require_int("capacity", value)
    if capacity < 1:
        error = ValueError("capacity must be positive")
        error.add_note(f"got {capacity}; pass an int of at least 1")
        raise error
    return capacity


def require_rate(name: str, value: object) -> Fraction:
    """Return `value`, an `int` or a `Fraction` above 0, as an exact `Fraction` per second."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(
            f"{name} must be an int or a Fraction, got {type(value).__name__} {value!r}; "
            f"write a rate below one per second as Fraction(1, 6)"
        )
    if value <= 0:
        raise ValueError(
            f"{name} must be positive, got {value}; "
            f"pass an int of at least 1 or a Fraction above 0, such as Fraction(1, 6)"
        )
    return Fraction(value)


def require_choice(name: str, value: ChoiceT, choices: tuple[ChoiceT, ...]) -> ChoiceT:
    """Return `value`, which is one of the words in `choices`."""
    if not isinstance(value, str):
        raise TypeError(
            f"{name} must be a str, got {type(value).__name__} {value!r}; {_use(choices)}"
        )
    if value not in choices:
        raise ValueError(f"{name} {value!r} is unknown; {_use(choices)}")
    return value


def _use(choices: tuple[str, ...]) -> str:
    return "use " + " or ".join(repr(choice) for choice in choices)


def require_cost(cost: object, limit: int) -> int:
    """Return `cost` as an `int` within 1..`limit`.

    The message is fixed by the design's printed output; the note carries the remedy.
    """
    amount = require_int("cost", cost)
    if not 1 <= amount <= limit:
        error = ValueError(f"cost {amount} is outside 1..{limit}")
        error.add_note(
            "no wait can make this request succeed; split it, or build a limiter that allows more"
        )
        raise error
    return amount


def first_reading_ms(ticker: "Ticker") -> int:
    """Return the ticker's reading, having checked that it counts in whole milliseconds.

    A ticker that returns floats would let rounding into every later decision. It is
    caught once, at construction, because a check on each decision would cost more.
    """
    if isinstance(ticker, type) or not callable(getattr(ticker, "now_ms", None)):
        raise TypeError(
            f"ticker must have now_ms(), got {ticker!r}; pass MonotonicTicker() or ManualTicker()"
        )
    return require_int("ticker.now_ms()", ticker.now_ms())
