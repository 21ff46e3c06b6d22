"""What every configured limiter tells besides its decisions: held against its decisions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    CompositeConfig,
    ConfiguredLimiter,
    Decision,
    Denied,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    ManualTicker,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from tests import sequences
from tests.sequences import Ask


def use(limiter: ConfiguredLimiter, ticker: ManualTicker, asks: list[Ask]) -> list[Decision]:
    decisions = []
    for ask in asks:
        ticker.advance(ask.step_ms)
        decisions.append(limiter.acquire(ask.cost(limiter)))
    return decisions


@given(config=sequences.configs)
def test_every_configured_limiter_is_one(config: LimiterConfig) -> None:
    assert isinstance(config.build(ManualTicker()), ConfiguredLimiter)


@given(config=sequences.configs)
def test_the_largest_cost_is_possible_and_a_larger_one_is_not(config: LimiterConfig) -> None:
    limiter = config.build(ManualTicker())
    with pytest.raises(ValueError, match=rf"is outside 1\.\.{limiter.max_cost}\n"):
        limiter.acquire(limiter.max_cost + 1)
    assert isinstance(limiter.acquire(limiter.max_cost), Allowed)


class TestAsNew:
    @given(
        config=sequences.configs,
        asks=sequences.both_ways,
        start_ms=sequences.starts_ms,
        later_ms=st.integers(0, 2_000),
        following=sequences.both_ways,
    )
    def test_from_then_on_it_cannot_be_told_from_a_new_one(
        self,
        config: LimiterConfig,
        asks: list[Ask],
        start_ms: int,
        later_ms: int,
        following: list[Ask],
    ) -> None:
        """At that reading or later, whatever is asked and however the clock then runs."""
        ticker = ManualTicker(start_ms)
        limiter = config.build(ticker)
        use(limiter, ticker, asks)
        ticker.advance(limiter.fresh_from_ms + later_ms - ticker.now_ms())
        new = config.build(ticker)
        assert limiter.ask(1) == new.ask(1)
        for ask in following:
            ticker.advance(ask.step_ms)
            cost = ask.cost(limiter)
            for each in (1, cost, limiter.max_cost):
                assert limiter.peek(each) == new.peek(each)
            assert limiter.acquire(cost) == new.acquire(cost)

    @given(config=sequences.algorithms, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_a_millisecond_earlier_it_can(
        self, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        ticker = ManualTicker(start_ms)
        limiter = config.build(ticker)
        highest_ms = start_ms
        for ask in asks:
            use(limiter, ticker, [ask])
            highest_ms = max(highest_ms, ticker.now_ms())
            fresh_ms = limiter.fresh_from_ms
            if fresh_ms == highest_ms:
                continue
            back_ms = fresh_ms - 1 - ticker.now_ms()
            ticker.advance(back_ms)
            assert isinstance(limiter.peek(limiter.max_cost), Denied)
            ticker.advance(-back_ms)

    @given(config=sequences.configs, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_it_lies_within_a_horizon_of_the_highest_reading(
        self, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        ticker = ManualTicker(start_ms)
        limiter = config.build(ticker)
        highest_ms = start_ms
        assert limiter.fresh_from_ms == start_ms
        for ask in asks:
            use(limiter, ticker, [ask])
            highest_ms = max(highest_ms, ticker.now_ms())
            assert highest_ms <= limiter.fresh_from_ms <= highest_ms + limiter.horizon_ms

    @given(config=sequences.algorithms)
    def test_the_horizon_is_no_longer_than_it_must_be(self, config: LimiterConfig) -> None:
        limiter = config.build(ManualTicker())
        limiter.acquire(limiter.max_cost)
        assert limiter.fresh_from_ms == limiter.horizon_ms

    @given(config=sequences.configs, asks=sequences.both_ways)
    def test_reading_it_changes_nothing(self, config: LimiterConfig, asks: list[Ask]) -> None:
        ticker = ManualTicker()
        limiter, twin = config.build(ticker), config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            limiter.fresh_from_ms  # noqa: B018
            assert limiter.acquire(ask.cost(limiter)) == twin.acquire(ask.cost(twin))

    @pytest.mark.parametrize(
        ("config", "spend_ms", "cost", "fresh_ms", "horizon_ms"),
        [
            (TokenBucketConfig(10, 1), 0, 10, 10_000, 10_000),
            (TokenBucketConfig(10, 1), 0, 1, 1_000, 10_000),
            (TokenBucketConfig(10, 3), 0, 1, 334, 3_334),
            (LeakyBucketConfig(10, 3), 7, 2, 674, 3_334),
            (FixedWindowConfig(10, 1_000), 999, 1, 1_000, 1_000),
            (FixedWindowConfig(10, 1_000), 0, 1, 1_000, 1_000),
            (SlidingLogConfig(10, 1_000), 999, 1, 1_999, 1_000),
            (SlidingWindowConfig(10, 1_000), 999, 1, 1_001, 1_901),
            (SlidingWindowConfig(10, 1_000), 0, 10, 1_901, 1_901),
            (SlidingWindowConfig(5_000, 1_000), 0, 5_000, 2_000, 2_000),
            (
                CompositeConfig((TokenBucketConfig(10, 1), FixedWindowConfig(10, 60_000))),
                0,
                1,
                60_000,
                60_000,
            ),
        ],
        ids=repr,
    )
    def test_examples(
        self, config: LimiterConfig, spend_ms: int, cost: int, fresh_ms: int, horizon_ms: int
    ) -> None:
        limiter = config.build(ManualTicker(spend_ms))
        assert isinstance(limiter.acquire(cost), Allowed)
        assert (limiter.fresh_from_ms, limiter.horizon_ms) == (fresh_ms, horizon_ms)

    def test_a_log_that_has_cleared_itself_away_is_as_new_at_once(self) -> None:
        ticker = ManualTicker()
        log = SlidingLogConfig(2, 1_000).build(ticker)
        log.acquire(2)
        ticker.advance(5_000)
        log.ask()
        assert log.fresh_from_ms == 5_000


class TestAsking:
    @given(config=sequences.configs, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_it_tells_the_answer_and_charges_nothing(
        self, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        """A twin that is not asked first gives the same answers."""
        ticker = ManualTicker(start_ms)
        limiter, twin = config.build(ticker), config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(limiter)
            told = limiter.ask(cost)
            assert limiter.ask(cost) == told == limiter.acquire(cost) == twin.acquire(cost)

    @given(config=sequences.configs, asks=sequences.both_ways)
    def test_where_it_denies_it_does_all_that_a_denied_acquire_does(
        self, config: LimiterConfig, asks: list[Ask]
    ) -> None:
        ticker = ManualTicker()
        limiter, twin = config.build(ticker), config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(limiter)
            decision = limiter.ask(cost)
            if isinstance(decision, Allowed):
                decision = limiter.acquire(cost)
            assert decision == twin.acquire(cost)

    @given(
        config=sequences.configs,
        asks=sequences.both_ways,
        steps=st.lists(sequences.steps_both_ways, min_size=1, max_size=5),
        share=sequences.shares,
    )
    def test_what_it_allows_stays_allowed_whatever_the_clock_does(
        self, config: LimiterConfig, asks: list[Ask], steps: list[int], share: Fraction
    ) -> None:
        ticker = ManualTicker()
        limiter = config.build(ticker)
        use(limiter, ticker, asks)
        cost = Ask(0, share).cost(limiter)
        if isinstance(limiter.ask(cost), Denied):
            return
        for step_ms in steps:
            ticker.advance(step_ms)
            assert isinstance(limiter.peek(cost), Allowed)
            assert isinstance(limiter.ask(cost), Allowed)
        assert isinstance(limiter.acquire(cost), Allowed)

    @given(config=sequences.configs, asks=sequences.both_ways)
    def test_a_cost_that_is_refused_leaves_no_trace(
        self, config: LimiterConfig, asks: list[Ask]
    ) -> None:
        ticker = ManualTicker()
        limiter, twin = config.build(ticker), config.build(ticker)
        for ask in asks:
            ticker.advance(5_000)
            for bad in (0, -1, limiter.max_cost + 1):
                with pytest.raises(ValueError, match="is outside"):
                    limiter.ask(bad)
            for bad_type in (True, 1.0, "1", None):
                with pytest.raises(TypeError, match="cost must be an int"):
                    limiter.ask(bad_type)  # type: ignore[arg-type]
            ticker.advance(ask.step_ms - 5_000)
            assert limiter.acquire(ask.cost(limiter)) == twin.acquire(ask.cost(twin))

    def test_peeking_promises_less(self) -> None:
        """The reading of a peek is forgotten, so a step back may take back what it allowed."""
        ticker = ManualTicker()
        bucket = TokenBucketConfig(1, 1).build(ticker)
        bucket.acquire()
        ticker.advance(1_000)
        assert bucket.peek() == Allowed(0)
        ticker.advance(-1)
        assert bucket.acquire() == Denied(1)
