"""A fixed number of permissions, handed out without a lock of its own."""

from collections.abc import Callable

from ratelimit.atomic import AtomicCounter, AtomicInteger
from ratelimit.validation import require_positive


class Quota:
    """At most `total` permissions, ever; time brings none back.

    Its state is a single number, so it needs no lock: read the number, compute the next
    one, and set it only if nobody else has set it meanwhile; else start again. A thread
    that fails has failed because another one succeeded, so the whole always advances.
    A token bucket has two fields to change together, which is why it takes a lock.

    Args:
        total: permissions to hand out, at least 1.
        make_counter: makes the atomic number from its first value. The default models
            one with a lock, since CPython's standard library has nothing better;
            `cereggii.AtomicInt64` is a real one.

    Raises:
        TypeError: `total` is not an integer (`bool` and `float` are refused).
        ValueError: `total` is not positive.

    Cost: O(1) memory; time O(1) without contention. Thread-safe.
    """

    __slots__ = ("_counter",)

    def __init__(
        self, total: int, make_counter: Callable[[int], AtomicCounter] = AtomicInteger
    ) -> None:
        self._counter = make_counter(require_positive("total", total))

    def try_take(self) -> bool:
        """Take one permission; tell whether there was one. Never goes below zero."""
        while (left := self._counter.get()) > 0:
            if self._counter.compare_and_set(left, left - 1):
                return True
        return False

    @property
    def left(self) -> int:
        """Permissions not yet taken."""
        return self._counter.get()
