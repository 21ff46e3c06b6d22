"""Threads that run in a given order: they stop where they are told to, and nobody sleeps.

A wait has a limit only so that a deadlock fails a test and does not hang it. No outcome
depends on that limit.
"""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Barrier, Event, Lock, Thread
from typing import Generic, TypeVar

ResultT = TypeVar("ResultT")

STUCK_S = 60


class Task(Generic[ResultT]):
    """An action in a thread of its own, started at once."""

    def __init__(self, action: Callable[[], ResultT]) -> None:
        self._action = action
        self._outcome: list[ResultT] = []
        self._errors: list[BaseException] = []
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def result(self) -> ResultT:
        self._thread.join(STUCK_S)
        assert not self._thread.is_alive(), "the thread is stuck"
        for error in self._errors:
            raise error
        return self._outcome[0]

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._outcome.append(self._action())
        except BaseException as error:
            self._errors.append(error)


def together(actions: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
    """Run all actions at once, each in a thread; return their results in order."""
    start = Barrier(len(actions))

    def started_together(action: Callable[[], ResultT]) -> ResultT:
        start.wait(STUCK_S)
        return action()

    tasks = [Task(partial(started_together, action)) for action in actions]
    return [task.result() for task in tasks]


class Gate:
    """A place in the code where one thread stops until it is let on; others pass."""

    def __init__(self) -> None:
        self._armed = Lock()
        self._arrived = Event()
        self._open = Event()

    def pass_through(self) -> None:
        if self._armed.acquire(blocking=False):
            self._arrived.set()
            assert self._open.wait(STUCK_S), "the gate was never opened"

    def wait_for_arrival(self) -> None:
        assert self._arrived.wait(STUCK_S), "no thread came to the gate"

    def open(self) -> None:
        self._open.set()


class WatchedLock:
    """A lock that tells when a thread has to wait for it."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._lock = Lock()
        self._gate = gate
        self.contended = Event()

    def acquire(self, blocking: bool = True) -> bool:
        """Take the lock, stopping at the gate before, if there is one."""
        if self._gate and blocking:
            self._gate.pass_through()
        if self._lock.acquire(blocking=False):
            return True
        self.contended.set()
        if not blocking:
            return False
        assert self._lock.acquire(timeout=STUCK_S), "a deadlock"
        return True

    def release(self) -> None:
        self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def wait_for_contention(self) -> None:
        assert self.contended.wait(STUCK_S), "no thread had to wait"
