"""An integer that changes only if it is still what its reader believed."""

from threading import Lock
from typing import Protocol, runtime_checkable

from ratelimit.validation import require_int


@runtime_checkable
class AtomicCounter(Protocol):
    """The two operations that a compare-and-set loop needs.

    `AtomicInteger` has them, and so has `cereggii.AtomicInt64`, which carries them out
    with the processor's own instruction.
    """

    def get(self) -> int:
        """Return the value of this moment; it may be out of date on arrival."""
        ...

    def compare_and_set(self, expected: int, desired: int, /) -> bool:
        """Set `desired` if the value is `expected`, as one step; tell whether it was."""
        ...


class AtomicInteger:
    """A model of an atomic integer: the operations are right, their making is not.

    Hardware compares and sets in a single instruction, and no thread ever waits.
    CPython's standard library gives no access to such an instruction, so this class
    stands in with a lock around two lines. A loop over it is as correct as one over
    the real thing, with or without a global interpreter lock, but it is not lock-free,
    and it shows how the loop works rather than what it gains.

    Args:
        value: the first value, any integer.

    Raises:
        TypeError: `value` is not an integer (`bool` and `float` are refused).
    """

    __slots__ = ("_lock", "_value")

    def __init__(self, value: int = 0) -> None:
        self._value = require_int("value", value)
        self._lock = Lock()

    def get(self) -> int:
        """Return the value of this moment; it may be out of date on arrival."""
        return self._value

    def compare_and_set(self, expected: int, desired: int) -> bool:
        """Set `desired` if the value is `expected`, as one step; tell whether it was."""
        with self._lock:
            if self._value != expected:
                return False
            self._value = desired
            return True

    def __repr__(self) -> str:
        return f"AtomicInteger({self._value})"
