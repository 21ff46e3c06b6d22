"""Quota: eight threads, 400 attempts, 100 permissions; over the model and over hardware."""

from collections.abc import Callable

from ratelimit import AtomicCounter, Quota
from tests.concurrency.schedule import Gate, Task, together
from tests.counters import each_counter


class Paused:
    """A counter whose first reader stops after reading."""

    def __init__(self, counter: AtomicCounter, gate: Gate) -> None:
        self._counter = counter
        self._gate = gate
        self.refused = 0

    def get(self) -> int:
        value = self._counter.get()
        self._gate.pass_through()
        return value

    def compare_and_set(self, expected: int, desired: int, /) -> bool:
        done = self._counter.compare_and_set(expected, desired)
        self.refused += not done
        return done


@each_counter
def test_eight_threads_take_exactly_the_total(
    make_counter: Callable[[int], AtomicCounter],
) -> None:
    quota = Quota(100, make_counter)

    def take() -> int:
        return sum(quota.try_take() for _ in range(50))

    allowed = sum(together([take] * 8))
    assert f"allowed: {allowed}, left: {quota.left}" == "allowed: 100, left: 0"


@each_counter
def test_a_reading_that_is_out_of_date_is_not_built_upon(
    make_counter: Callable[[int], AtomicCounter],
) -> None:
    """The first thread reads 2 and stops; another takes one; the first must start again."""
    gate = Gate()
    counter = Paused(make_counter(2), gate)
    quota = Quota(2, lambda _: counter)
    first = Task(quota.try_take)
    gate.wait_for_arrival()
    assert quota.try_take()
    gate.open()
    assert first.result()
    assert (quota.left, counter.refused) == (0, 1)


@each_counter
def test_the_last_one_goes_to_one_of_two(make_counter: Callable[[int], AtomicCounter]) -> None:
    gate = Gate()
    counter = Paused(make_counter(1), gate)
    quota = Quota(1, lambda _: counter)
    first = Task(quota.try_take)
    gate.wait_for_arrival()
    assert quota.try_take()
    gate.open()
    assert not first.result()
    assert quota.left == 0
