"""Where time comes from: a one-method interface, so that tests and simulations own the clock."""

import time
from typing import Protocol, runtime_checkable

from ratelimit.validation import require_int


@runtime_checkable
class Ticker(Protocol):
    """A source of time that counts in whole milliseconds.

    The zero point is the ticker's own: readings may be zero, negative or huge,
    and only their differences and their place on the window grid matter.
    """

    def now_ms(self) -> int:
        """Return the current reading in whole milliseconds."""
        ...


class MonotonicTicker:
    """The ticker for production: the operating system's monotonic clock.

    It never runs backwards, and setting the wall clock does not move it. Its
    zero point is unspecified, so readings of two machines, or of one machine
    before and after a restart, can't be compared.
    """

    __slots__ = ()

    def now_ms(self) -> int:
        """Return the monotonic clock's reading in whole milliseconds, rounded down."""
        return time.monotonic_ns() // 1_000_000


class ManualTicker:
    """The ticker for tests and simulations: it stands still until it is told to move.

    Args:
        start_ms: the first reading, in milliseconds; any integer.

    Raises:
        TypeError: `start_ms` is not an integer (`bool` and `float` are refused).
    """

    __slots__ = ("_now_ms",)

    def __init__(self, start_ms: int = 0) -> None:
        self._now_ms = require_int("start_ms", start_ms)

    def now_ms(self) -> int:
        """Return the reading set last, in milliseconds."""
        return self._now_ms

    def advance(self, ms: int) -> None:
        """Move the clock by `ms` milliseconds; a negative step shows a clock fault.

        Raises:
            TypeError: `ms` is not an integer; the clock has not moved.
        """
        self._now_ms += require_int("ms", ms)

    def move_to(self, at_ms: int) -> None:
        """Set the reading to `at_ms`, be it later or earlier than now.

        Raises:
            TypeError: `at_ms` is not an integer; the clock has not moved.
        """
        self._now_ms = require_int("at_ms", at_ms)

    def __repr__(self) -> str:
        return f"ManualTicker(start_ms={self._now_ms})"
