"""The answer of a limiter: a closed set of two records."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Allowed:
    """The request may proceed, and its cost has been charged.

    Attributes:
        remaining: whole units that are left right now, never negative.
    """

    remaining: int


@dataclass(frozen=True, slots=True)
class Denied:
    """The request must wait; nothing has been charged.

    Attributes:
        retry_after_ms: milliseconds from the reading that was used, at least 1.
    """

    retry_after_ms: int


Decision: TypeAlias = Allowed | Denied
"""`Allowed` or `Denied` and nothing else, so a `match` over it can be exhaustive."""


def later(decision: Decision, by_ms: int) -> Decision:
    """Return `decision` with its hint, if it has one, `by_ms` milliseconds later."""
    return Denied(decision.retry_after_ms + by_ms) if isinstance(decision, Denied) else decision


# Records are immutable, so one of each serves everybody: handing out a ready one is
# about twice as fast as making it anew.
READY_COUNT = 1_024
READY_ALLOWED = tuple(Allowed(remaining) for remaining in range(READY_COUNT))


def allowed(remaining: int) -> Allowed:
    """Return an `Allowed` with `remaining`, a ready one if there is."""
    return READY_ALLOWED[remaining] if remaining < READY_COUNT else Allowed(remaining)
