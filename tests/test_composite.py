"""Composite: all or nothing, whatever the members and their clocks do."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    CompositeConfig,
    CompositeLimiter,
    ConfiguredLimiter,
    Decision,
    Denied,
    FixedWindow,
    FixedWindowConfig,
    LeakyBucket,
    LimiterConfig,
    ManualTicker,
    PeekableLimiter,
    RateLimiter,
    SlidingLog,
    SlidingWindow,
    SlidingWindowConfig,
    SynchronizedLimiter,
    Ticker,
    TokenBucket,
    TokenBucketConfig,
)
from tests import sequences
from tests.sequences import Ask

A, D = Allowed, Denied

BUILDERS: list[Callable[[Ticker, int], ConfiguredLimiter]] = [
    lambda ticker, limit: TokenBucket(ticker, limit, 3),
    lambda ticker, limit: TokenBucket(ticker, limit, Fraction(1, 3)),
    lambda ticker, limit: LeakyBucket(ticker, limit, 5),
    lambda ticker, limit: FixedWindow(ticker, limit, 1_000),
    lambda ticker, limit: SlidingWindow(ticker, limit, 1_000),
    lambda ticker, limit: SlidingWindow(ticker, limit, 7, "exact"),
    lambda ticker, limit: SlidingLog(ticker, limit, 333),
]


class Jumpy:
    """A clock that moves at every reading, by the steps it is given, in turn."""

    def __init__(self, steps: list[int]) -> None:
        self._steps = steps
        self._readings = 0
        self.reading_ms = 0

    def now_ms(self) -> int:
        self.reading_ms += self._steps[self._readings % len(self._steps)]
        self._readings += 1
        return self.reading_ms


class Recorded:
    """A member that records each charge; in all else it is the limiter inside."""

    def __init__(self, limiter: ConfiguredLimiter) -> None:
        self._limiter = limiter
        self.charges: list[Decision] = []

    def acquire(self, cost: int = 1) -> Decision:
        decision = self._limiter.acquire(cost)
        self.charges.append(decision)
        return decision

    def peek(self, cost: int = 1) -> Decision:
        return self._limiter.peek(cost)

    def ask(self, cost: int = 1) -> Decision:
        return self._limiter.ask(cost)

    @property
    def max_cost(self) -> int:
        return self._limiter.max_cost

    @property
    def horizon_ms(self) -> int:
        return self._limiter.horizon_ms

    @property
    def fresh_from_ms(self) -> int:
        return self._limiter.fresh_from_ms


class Elsewhere:
    """A member whose state others share: what it said may no longer hold when it is charged."""

    def __init__(self, peeks: list[Decision], charges: list[Decision]) -> None:
        self.peeks = peeks
        self.charges = charges

    def acquire(self, cost: int = 1) -> Decision:
        del cost
        return self.charges.pop(0)

    def peek(self, cost: int = 1) -> Decision:
        if cost > 7:
            raise ValueError("too much for elsewhere")
        return self.peeks.pop(0)


class OnlyAcquire:
    def acquire(self, cost: int = 1) -> Decision:
        return Allowed(cost)


class TestAllOrNothing:
    @pytest.mark.parametrize("reverse", [False, True])
    def test_six_requests_where_one_is_possible(self, reverse: bool) -> None:
        ticker = ManualTicker()
        wide, narrow = TokenBucket(ticker, 10, 1), TokenBucket(ticker, 1, 1)
        composite = CompositeLimiter([narrow, wide] if reverse else [wide, narrow])
        assert [composite.acquire() for _ in range(6)] == [A(0)] + [D(1_000)] * 5
        assert wide.tokens_milli == 9_000

    def test_one_user_does_not_use_up_what_all_share(self) -> None:
        ticker = ManualTicker()
        shared = TokenBucket(ticker, 10, 1)
        first, second = (CompositeLimiter([TokenBucket(ticker, 1, 1), shared]) for _ in range(2))
        answers = [first.acquire() for _ in range(20)]
        assert sum(isinstance(answer, Allowed) for answer in answers) == 1
        assert shared.tokens_milli == 9_000
        assert isinstance(second.acquire(), Allowed)
        assert shared.tokens_milli == 8_000

    def test_the_smallest_remaining_is_told(self) -> None:
        ticker = ManualTicker()
        composite = CompositeLimiter(
            [TokenBucket(ticker, 10, 1), FixedWindow(ticker, 4, 1_000), SlidingLog(ticker, 6, 50)]
        )
        assert composite.peek(3) == composite.ask(3) == composite.acquire(3) == A(1)

    @given(
        members=st.lists(sequences.algorithms, min_size=1, max_size=4),
        asks=sequences.forward,
        start_ms=sequences.starts_ms,
    )
    def test_it_decides_what_its_members_decide_together(
        self, members: list[LimiterConfig], asks: list[Ask], start_ms: int
    ) -> None:
        """Against twins of the members that are asked by peeking and charged by hand."""
        ticker = ManualTicker(start_ms)
        composite = CompositeLimiter([member.build(ticker) for member in members])
        twins = [member.build(ticker) for member in members]
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(composite)
            told = [twin.peek(cost) for twin in twins]
            hints = [each.retry_after_ms for each in told if isinstance(each, Denied)]
            left = [each.remaining for each in told if isinstance(each, Allowed)]
            expected = Denied(max(hints)) if hints else Allowed(min(left))
            assert composite.peek(cost) == composite.acquire(cost) == expected
            if not hints:
                for twin in twins:
                    twin.acquire(cost)
            for member, twin in zip(composite.limiters, twins, strict=True):
                assert member.peek() == twin.peek()

    @given(config=sequences.algorithms, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_a_composite_of_one_decides_like_that_one(
        self, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        """On every clock: the reading of a denied request counts as seen here, too."""
        ticker = ManualTicker(start_ms)
        composite = CompositeConfig((CompositeConfig((config,)),)).build(ticker)
        bare = config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(bare)
            assert composite.peek(cost) == bare.peek(cost)
            assert composite.acquire(cost) == bare.acquire(cost)
            assert composite.fresh_from_ms == bare.fresh_from_ms

    def test_a_reading_that_only_a_denial_has_seen_counts(self) -> None:
        ticker = ManualTicker()
        composite = CompositeLimiter([TokenBucket(ticker, 2, 1), FixedWindow(ticker, 9, 60_000)])
        assert composite.acquire(2) == A(0)
        ticker.advance(1_500)
        assert composite.acquire(2) == D(500)
        ticker.advance(-1_000)
        assert composite.acquire() == A(0)

    @given(config=sequences.composites, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_peeking_tells_the_answer_and_changes_nothing(
        self, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        ticker = ManualTicker(start_ms)
        composite, twin = config.build(ticker), config.build(ticker)
        for ask in asks:
            for step_ms in (-500, 0, 1_000):
                ticker.advance(step_ms)
                for cost in range(1, composite.max_cost + 1):
                    composite.peek(cost)
                ticker.advance(-step_ms)
            ticker.advance(ask.step_ms)
            cost = ask.cost(composite)
            told = composite.peek(cost)
            assert told == composite.acquire(cost) == twin.acquire(cost)


class TestTheHint:
    def test_the_largest_of_those_that_deny(self) -> None:
        ticker = ManualTicker()
        composite = CompositeLimiter(
            [TokenBucket(ticker, 1, 3), TokenBucket(ticker, 1, Fraction(1, 5))]
        )
        answers = []
        for at_ms in (0, 0, 334, 4_999, 5_000):
            ticker.advance(at_ms - ticker.now_ms())
            answers.append(composite.acquire())
        assert answers == [A(0), D(5_000), D(4_666), D(1), A(0)]

    def test_with_whole_rates_a_window_does_the_same(self) -> None:
        ticker = ManualTicker()
        composite = CompositeLimiter([TokenBucket(ticker, 1, 3), FixedWindow(ticker, 1, 5_000)])
        assert [composite.acquire(), composite.acquire()] == [A(0), D(5_000)]

    def test_one_that_allows_has_no_say(self) -> None:
        ticker = ManualTicker()
        slow = TokenBucket(ticker, 5, Fraction(1, 5))
        composite = CompositeLimiter([TokenBucket(ticker, 1, 3), slow])
        assert [composite.acquire(), composite.acquire()] == [A(0), D(334)]
        assert slow.tokens_milli == 4_000

    @given(config=sequences.exact_composites, asks=sequences.both_ways)
    def test_it_is_exact_where_the_members_are(
        self, config: LimiterConfig, asks: list[Ask]
    ) -> None:
        ticker = ManualTicker()
        composite = config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(composite)
            decision = composite.acquire(cost)
            if isinstance(decision, Denied):
                ticker.advance(decision.retry_after_ms - 1)
                assert isinstance(composite.peek(cost), Denied)
                ticker.advance(1)
                assert isinstance(composite.peek(cost), Allowed)
                ticker.advance(-decision.retry_after_ms)

    def test_it_counts_from_a_reading_that_has_stepped_back(self) -> None:
        ticker = ManualTicker(10_000)
        composite = CompositeLimiter([TokenBucket(ticker, 4, 1), FixedWindow(ticker, 9, 7)])
        assert composite.acquire(4) == A(0)
        ticker.advance(-10_000)
        assert composite.acquire() == composite.peek() == D(11_000)


class TestAClockThatMovesDuringADecision:
    @given(
        picks=st.lists(
            st.tuples(st.sampled_from(BUILDERS), st.integers(1, 5)), min_size=2, max_size=4
        ),
        steps=st.lists(sequences.steps_both_ways, min_size=1, max_size=23),
        shares=st.lists(sequences.shares, min_size=1, max_size=30),
    )
    def test_nothing_is_charged_for_a_request_that_is_denied(
        self,
        picks: list[tuple[Callable[[Ticker, int], ConfiguredLimiter], int]],
        steps: list[int],
        shares: list[Fraction],
    ) -> None:
        """It ticks, jumps and steps back at every single reading, between the members too."""
        ticker = Jumpy(steps)
        members = [Recorded(build(ticker, limit)) for build, limit in picks]
        composite = CompositeLimiter(members)
        allowed = 0
        for share in shares:
            allowed += isinstance(composite.acquire(Ask(0, share).cost(composite)), Allowed)
            for member in members:
                assert len(member.charges) == allowed
                assert all(isinstance(charge, Allowed) for charge in member.charges)

    @given(
        picks=st.lists(
            st.tuples(st.sampled_from(BUILDERS[:4]), st.integers(1, 3)), min_size=2, max_size=3
        ),
        steps=st.lists(st.integers(0, 40), min_size=1, max_size=7),
        count=st.integers(5, 30),
    )
    def test_a_hint_is_never_too_early(
        self,
        picks: list[tuple[Callable[[Ticker, int], ConfiguredLimiter], int]],
        steps: list[int],
        count: int,
    ) -> None:
        ticker = Jumpy(steps)
        composite = CompositeLimiter([build(ticker, limit) for build, limit in picks])
        for _ in range(count):
            decision = composite.acquire()
            if isinstance(decision, Denied):
                ticker.reading_ms += decision.retry_after_ms
                assert isinstance(composite.acquire(), Allowed)

    def test_members_may_have_clocks_of_their_own(self) -> None:
        first, second = ManualTicker(), ManualTicker(1_000_000)
        composite = CompositeLimiter([TokenBucket(first, 1, 1), TokenBucket(second, 2, 1)])
        assert composite.acquire() == A(0)
        assert composite.acquire() == D(1_000)
        first.advance(1_000)
        assert composite.acquire() == A(0)
        second.advance(999)
        assert composite.acquire() == D(1_000)


class TestMembersOfAnotherKind:
    def test_one_that_has_only_peek_is_enough(self) -> None:
        bucket = TokenBucket(ManualTicker(), 5, 1)
        composite = CompositeLimiter([bucket, Elsewhere([A(3), D(7)], [A(2)])])
        assert [composite.acquire(), composite.acquire()] == [A(2), D(7)]
        assert bucket.tokens_milli == 4_000

    def test_it_is_charged_first_so_that_a_change_of_mind_costs_nothing(self) -> None:
        bucket = TokenBucket(ManualTicker(), 5, 1)
        composite = CompositeLimiter([bucket, Elsewhere([A(0)], [D(70)])])
        assert composite.acquire() == D(70)
        assert bucket.tokens_milli == 5_000

    def test_its_own_limit_is_heard_before_anything_is_charged(self) -> None:
        bucket = TokenBucket(ManualTicker(), 9, 1)
        composite = CompositeLimiter([bucket, Elsewhere([], [])])
        with pytest.raises(ValueError, match="too much for elsewhere"):
            composite.acquire(8)
        with pytest.raises(ValueError, match=r"^cost 10 is outside 1\.\.9\n"):
            composite.acquire(10)
        assert bucket.tokens_milli == 9_000

    def test_what_they_do_not_tell_the_composite_does_not_tell(self) -> None:
        bucket = TokenBucket(ManualTicker(), 9, 1)
        mixed, alone = (
            CompositeLimiter([bucket, Elsewhere([], [])]),
            CompositeLimiter([Elsewhere([A(1)], [A(1)])]),
        )
        assert mixed.max_cost == 9
        assert alone.acquire() == A(1)
        with pytest.raises(AttributeError, match="no member tells its max_cost"):
            alone.max_cost  # noqa: B018
        for composite in (mixed, alone):
            with pytest.raises(AttributeError, match=r"Elsewhere. object has no attribute"):
                composite.fresh_from_ms  # noqa: B018
            with pytest.raises(AttributeError, match=r"Elsewhere. object has no attribute"):
                composite.horizon_ms  # noqa: B018


class TestCosts:
    @pytest.mark.parametrize("method", ["acquire", "peek", "ask"])
    @pytest.mark.parametrize("order", [[10, 3, 2], [2, 3, 10], [3, 10, 2]])
    def test_a_cost_that_one_member_can_never_grant(self, method: str, order: list[int]) -> None:
        ticker = ManualTicker()
        buckets = [TokenBucket(ticker, capacity, 1) for capacity in order]
        composite = CompositeLimiter([buckets[0], CompositeLimiter(buckets[1:])])
        assert composite.max_cost == 2
        with pytest.raises(ValueError, match=r"^cost 5 is outside 1\.\.2\n"):
            getattr(composite, method)(5)
        assert [bucket.tokens_milli for bucket in buckets] == [1_000 * each for each in order]

    @pytest.mark.parametrize("cost", [0, -1, -5])
    @pytest.mark.parametrize("method", ["acquire", "peek", "ask"])
    def test_a_cost_below_one(self, method: str, cost: int) -> None:
        bucket = TokenBucket(ManualTicker(), 5, 1)
        composite = CompositeLimiter([bucket])
        with pytest.raises(ValueError, match=rf"^cost {cost} is outside 1\.\.5\n"):
            getattr(composite, method)(cost)
        assert bucket.tokens_milli == 5_000

    @pytest.mark.parametrize("cost", [True, 1.0, 0.5, "1", None])
    @pytest.mark.parametrize("method", ["acquire", "peek", "ask"])
    def test_a_cost_of_a_wrong_type(self, method: str, cost: object) -> None:
        bucket = TokenBucket(ManualTicker(), 5, 1)
        composite = CompositeLimiter([bucket])
        with pytest.raises(TypeError, match="cost must be an int"):
            getattr(composite, method)(cost)
        assert bucket.tokens_milli == 5_000


class TestConstruction:
    def test_nested_composites_decide_as_one(self) -> None:
        ticker = ManualTicker()
        a, b, c = (TokenBucket(ticker, capacity, 1) for capacity in (2, 3, 1))
        composite = CompositeLimiter([a, CompositeLimiter([b, c])])
        assert composite.acquire() == A(0)
        assert composite.acquire() == D(1_000)
        assert [each.tokens_milli for each in (a, b, c)] == [1_000, 2_000, 0]

    @given(members=st.lists(sequences.algorithms, min_size=3, max_size=3), asks=sequences.both_ways)
    def test_nesting_changes_no_answer(self, members: list[LimiterConfig], asks: list[Ask]) -> None:
        ticker = ManualTicker()
        first, second, third = members
        nested = CompositeConfig((first, CompositeConfig((second, CompositeConfig((third,))))))
        one, other = nested.build(ticker), CompositeConfig(tuple(members)).build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            assert one.acquire(ask.cost(one)) == other.acquire(ask.cost(other))

    @pytest.mark.parametrize(
        "arrange",
        [
            lambda a, _: [a, a],
            lambda a, b: [a, b, a],
            lambda a, b: [a, CompositeLimiter([b, a])],
            lambda a, b: [CompositeLimiter([a]), CompositeLimiter([b, CompositeLimiter([a])])],
            lambda a, _: [a, SynchronizedLimiter(a)],
            lambda a, _: [SynchronizedLimiter(a), SynchronizedLimiter(a)],
            lambda a, b: [SynchronizedLimiter(CompositeLimiter([a, b])), b],
        ],
    )
    def test_the_same_limiter_twice_is_refused(
        self, arrange: Callable[[TokenBucket, TokenBucket], list[PeekableLimiter]]
    ) -> None:
        ticker = ManualTicker()
        a, b = TokenBucket(ticker, 2, 1), TokenBucket(ticker, 2, 1)
        with pytest.raises(ValueError, match="the same TokenBucket occurs twice"):
            CompositeLimiter(arrange(a, b))

    def test_the_same_composite_twice_is_refused(self) -> None:
        inner = CompositeLimiter([TokenBucket(ManualTicker(), 2, 1)])
        with pytest.raises(ValueError, match="occurs twice"):
            CompositeLimiter([inner, inner])

    def test_equal_limiters_that_are_not_the_same_are_fine(self) -> None:
        ticker = ManualTicker()
        composite = CompositeLimiter([TokenBucket(ticker, 2, 1), TokenBucket(ticker, 2, 1)])
        assert composite.acquire() == A(1)

    def test_none_at_all_is_refused(self) -> None:
        with pytest.raises(ValueError, match="limiters must not be empty"):
            CompositeLimiter([])

    @pytest.mark.parametrize("limiters", [TokenBucket(ManualTicker(), 1, 1), None, 5])
    def test_what_is_no_sequence_is_refused(self, limiters: object) -> None:
        with pytest.raises(TypeError, match="limiters must be a sequence of limiters, got"):
            CompositeLimiter(limiters)  # type: ignore[arg-type]

    @pytest.mark.parametrize("wrap", [lambda each: each, SynchronizedLimiter])
    def test_a_member_without_peek_is_refused(
        self, wrap: Callable[[RateLimiter], PeekableLimiter]
    ) -> None:
        with pytest.raises(TypeError, match="OnlyAcquire has no peek; give it peek"):
            CompositeLimiter([TokenBucket(ManualTicker(), 1, 1), wrap(OnlyAcquire())])

    @pytest.mark.parametrize("member", [None, "token_bucket", TokenBucketConfig(1, 1)])
    def test_a_member_that_is_no_limiter_is_refused(self, member: object) -> None:
        with pytest.raises(TypeError, match="each limiter must have acquire and peek, got"):
            CompositeLimiter([member])  # type: ignore[list-item]

    def test_any_iterable_will_do_and_is_read_once(self) -> None:
        def members() -> Iterator[PeekableLimiter]:
            yield TokenBucket(ManualTicker(), 2, 1)
            yield TokenBucket(ManualTicker(), 1, 1)

        composite = CompositeLimiter(members())
        assert [type(each) for each in composite.limiters] == [TokenBucket, TokenBucket]
        assert composite.acquire() == A(0)


class TestTheRecord:
    CONFIG = CompositeConfig((TokenBucketConfig(10, 1), FixedWindowConfig(100, 60_000)))

    def test_it_builds_limiters_that_share_nothing(self) -> None:
        ticker = ManualTicker()
        first, second = self.CONFIG.build(ticker), self.CONFIG.build(ticker)
        assert first.acquire(10) == A(0)
        assert second.acquire(10) == A(0)

    def test_it_is_a_value(self) -> None:
        twin = CompositeConfig((TokenBucketConfig(10, 1), FixedWindowConfig(100, 60_000)))
        assert twin == self.CONFIG
        assert hash(twin) == hash(self.CONFIG)
        assert eval(repr(twin)) == twin

    def test_another_sequence_is_made_a_tuple(self) -> None:
        limits = [TokenBucketConfig(10, 1), FixedWindowConfig(100, 60_000)]
        config = CompositeConfig(limits)  # type: ignore[arg-type]
        limits.clear()
        assert config == self.CONFIG
        assert hash(config) == hash(self.CONFIG)

    def test_none_at_all_is_refused(self) -> None:
        with pytest.raises(ValueError, match="limits must not be empty; pass at least one"):
            CompositeConfig(())

    @pytest.mark.parametrize("limits", [None, 5, TokenBucketConfig(1, 1)])
    def test_what_is_no_tuple_is_refused(self, limits: object) -> None:
        with pytest.raises(TypeError, match="limits must be a tuple of configurations, got"):
            CompositeConfig(limits)  # type: ignore[arg-type]

    @pytest.mark.parametrize("limit", [None, "10/s", TokenBucket(ManualTicker(), 1, 1)])
    def test_what_holds_something_else_is_refused(self, limit: object) -> None:
        with pytest.raises(TypeError, match="each of limits must be a configuration, got"):
            CompositeConfig((limit,))  # type: ignore[arg-type]

    def test_the_same_record_twice_builds_two_limiters(self) -> None:
        record = SlidingWindowConfig(2, 1_000)
        composite = CompositeConfig((record, record)).build(ManualTicker())
        assert composite.acquire() == A(1)
