"""Several limits at once: all of them allow, or none is charged."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import cast, final

from ratelimit.decision import Decision, Denied, allowed
from ratelimit.limiter import ConfiguredLimiter, PeekableLimiter, RateLimiter, require_peek
from ratelimit.synchronized import SynchronizedLimiter
from ratelimit.validation import require_cost


@final
class CompositeLimiter:
    """Allows what every one of its members allows, and charges all of them or none.

    A decision has two steps. All members are asked, then, if all have agreed, all are
    charged. Between the steps a member of this package can't change its mind: it is
    asked with `ask`, which counts the reading as seen, and from there on time only adds
    room. So members may read different clocks, and those may tick, jump and step back
    during the decision. Nothing is ever charged for a request that is then denied.
    (A clock that raises between two charges does leave the first ones charged.)

    A member of another kind is asked with `peek`, which may be out of date a moment
    later, for instance where the state is shared with other servers. Such members are
    charged first, so that with one of them nothing has been charged yet when it changes
    its mind. With several, those before it stay charged: too few may be admitted then,
    never too many.

    Composites may be nested, and decide as if all limiters were in one. No limiter may
    occur twice, at any depth, since it would be asked once for what it must pay twice.

    Threads: a composite has no lock. Put it into a `SynchronizedLimiter` if its members
    are its own. Put each member into one if members are shared, with other composites
    or directly: a decision then holds the locks of all members, at any depth, taken in
    one order for the whole program. So composites that name shared members in opposite
    orders never wait for each other in a circle, and never admit too much.

    Args:
        limiters: the members, at least one, each with `peek`.

    Raises:
        TypeError: a member has no `acquire` or no `peek`, or `limiters` is no sequence.
        ValueError: there is no member, or a limiter occurs twice.

    Cost: one `ask` and at most one `acquire` for each limiter, nested ones included.
    """

    __slots__ = ("_asks", "_charges", "_leaves", "_limiters", "_locks", "_max_cost", "_peeks")

    def __init__(self, limiters: Iterable[PeekableLimiter]) -> None:
        self._limiters = _require_members(limiters)
        parts = [part for limiter in self._limiters for part in _walk(limiter)]
        leaves = _require_leaves(parts)
        _refuse_twice(leaves)
        # Members that can change their mind are asked and charged first.
        leaves.sort(key=lambda leaf: hasattr(leaf, "ask"))
        self._leaves = tuple(leaves)
        self._peeks = tuple(leaf.peek for leaf in leaves)
        self._asks = tuple(getattr(leaf, "ask", leaf.peek) for leaf in leaves)
        self._charges = tuple(leaf.acquire for leaf in leaves)
        limits = (leaf.max_cost for leaf in leaves if hasattr(leaf, "max_cost"))
        self._max_cost = min(limits, default=None)
        guards = [part for part in parts if isinstance(part, SynchronizedLimiter)]
        guards.sort(key=lambda guard: guard.number, reverse=True)
        self._locks = tuple(guard.lock for guard in guards)

    def acquire(self, cost: int = 1) -> Decision:
        """Charge every member `cost` units if all of them allow it; see `RateLimiter.acquire`.

        Returns:
            `Allowed` with the smallest `remaining` among the members, or `Denied` with
            the largest hint among those that deny. It is exact if theirs are; should the
            clock tick between two members, it may be late by that tick, but not early.

        Raises:
            TypeError, ValueError: `cost` is not an `int` within 1..the smallest limit of
                a member. Nothing is charged.
        """
        if not self._locks:
            return self._acquire(cost)
        with self._all_locks():
            return self._acquire(cost)

    def peek(self, cost: int = 1) -> Decision:
        """Return what `acquire(cost)` would answer now, leaving every member as it was."""
        with self._all_locks():
            return self._answer(self._peeks, cost)

    def ask(self, cost: int = 1) -> Decision:
        """Decide like `acquire(cost)` and charge nothing; see `ConfiguredLimiter.ask`."""
        with self._all_locks():
            return self._answer(self._asks, cost)

    @property
    def limiters(self) -> tuple[PeekableLimiter, ...]:
        """The members as they were given."""
        return self._limiters

    @property
    def max_cost(self) -> int:
        """The smallest limit among the members, the largest cost that can be allowed.

        Raises:
            AttributeError: no member tells its own.
        """
        if self._max_cost is None:
            raise AttributeError("no member tells its max_cost")
        return self._max_cost

    @property
    def horizon_ms(self) -> int:
        """The longest horizon among the members, in milliseconds.

        Raises:
            AttributeError: a member does not tell its own.
        """
        return max(leaf.horizon_ms for leaf in self._leaves)

    @property
    def fresh_from_ms(self) -> int:
        """The reading from which on no member can be told from a new one.

        It can be later than necessary: a member that never decides anything, because
        another is always stricter, counts all the same. Members must read one clock.

        Raises:
            AttributeError: a member does not tell its own.
        """
        return max(leaf.fresh_from_ms for leaf in self._leaves)

    def _acquire(self, cost: int) -> Decision:
        verdict = self._answer(self._asks, cost)
        if isinstance(verdict, Denied):
            return verdict
        left = []
        for charge in self._charges:
            decision = charge(cost)
            if isinstance(decision, Denied):
                return decision
            left.append(decision.remaining)
        return allowed(min(left))

    def _answer(self, questions: tuple[Callable[[int], Decision], ...], cost: int) -> Decision:
        if self._max_cost is not None:
            cost = require_cost(cost, self._max_cost)
        hints, left = [], []
        for question in questions:
            decision = question(cost)
            if isinstance(decision, Denied):
                hints.append(decision.retry_after_ms)
            else:
                left.append(decision.remaining)
        return Denied(max(hints)) if hints else allowed(min(left))

    def _all_locks(self) -> ExitStack:
        with ExitStack() as held:
            for lock in self._locks:
                held.enter_context(lock)
            return held.pop_all()


def _require_members(limiters: object) -> tuple[PeekableLimiter, ...]:
    if not isinstance(limiters, Iterable):
        raise TypeError(
            f"limiters must be a sequence of limiters, got {type(limiters).__name__}; "
            f"write CompositeLimiter([first, second])"
        )
    members = tuple(limiters)
    if not members:
        raise ValueError("limiters must not be empty; pass at least one limiter")
    return members


def _walk(limiter: object) -> Iterator[object]:
    """Yield `limiter` and every limiter within it, at any depth."""
    yield limiter
    if isinstance(limiter, SynchronizedLimiter):
        yield from _walk(limiter.limiter)
    if isinstance(limiter, CompositeLimiter):
        for member in limiter.limiters:
            yield from _walk(member)


def _require_leaves(parts: list[object]) -> list[ConfiguredLimiter]:
    """Return the parts that decide by themselves; refuse those that can't be asked.

    The type promises more than was checked: a part of another kind may have only
    `acquire` and `peek`, and whoever uses the rest looks whether it is there.
    """
    leaves = []
    for part in parts:
        if isinstance(part, SynchronizedLimiter | CompositeLimiter):
            continue
        if not isinstance(part, RateLimiter):
            raise TypeError(
                f"each limiter must have acquire and peek, got {type(part).__name__}; "
                f"pass limiters, such as TokenBucket(ticker, 10, 5)"
            )
        require_peek(part)
        leaves.append(cast("ConfiguredLimiter", part))
    return leaves


def _refuse_twice(leaves: list[ConfiguredLimiter]) -> None:
    seen: set[int] = set()
    for leaf in leaves:
        if id(leaf) in seen:
            raise ValueError(
                f"the same {type(leaf).__name__} occurs twice; name each limiter once, "
                f"or build a second one with the same parameters"
            )
        seen.add(id(leaf))
