"""Faults that limiters in production really had, each with the right answer and its neighbours."""

from fractions import Fraction

import pytest

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    FixedWindowConfig,
    LimiterConfig,
    ManualTicker,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucket,
    TokenBucketConfig,
)
from ratelimit.lab.simulation import simulate
from tests.algorithms.steps import Step, play
from tests.limiters import Subject, each_limiter

A, D = Allowed, Denied
Rate = int | Fraction


def admitted_ms(config: LimiterConfig, arrivals_ms: list[int]) -> list[int]:
    return [request.at_ms for request in simulate(config, arrivals_ms).admitted_requests]


class TestTheRemainderIsLostWhenPolledOften:
    def test_polled_every_millisecond_for_ten_seconds(self) -> None:
        polled = admitted_ms(TokenBucketConfig(10, 3), [0] * 10 + list(range(1, 10_001)))[10:]
        assert polled[:4] == [334, 667, 1_000, 1_334]
        assert sum(at_ms <= 1_000 for at_ms in polled) == 3
        assert len(polled) == 30

    @pytest.mark.parametrize(("at_ms", "answer"), [(499, D(1)), (500, A(0)), (600, A(0))])
    def test_half_a_second_brings_half_of_what_a_second_does(
        self, at_ms: int, answer: Allowed | Denied
    ) -> None:
        play(TokenBucketConfig(10, 2), [(0, 1, A(9)), (at_ms, 10, answer)])

    @pytest.mark.parametrize(
        "rate", [1, 3, 7, 999, Fraction(1, 3), Fraction(5, 7), Fraction(59, 60)]
    )
    @pytest.mark.parametrize("every_ms", [1, 2, 7, 99])
    def test_at_any_rate_and_however_often(self, rate: Rate, every_ms: int) -> None:
        end_ms = 99 * 70
        polled = admitted_ms(
            TokenBucketConfig(1_000, rate),
            [0] * 1_000 + list(range(every_ms, end_ms + 1, every_ms)),
        )
        asked = end_ms // every_ms
        assert len(polled) - 1_000 == min(asked, int(Fraction(rate) * end_ms / 1_000))

    def test_a_window_polled_often_counts_no_denial(self) -> None:
        for config in (FixedWindowConfig(3, 1_000), SlidingLogConfig(3, 1_000)):
            assert admitted_ms(config, list(range(3_000))) == [
                0,
                1,
                2,
                1_000,
                1_001,
                1_002,
                2_000,
                2_001,
                2_002,
            ]


class TestRetryAfterIsExact:
    @pytest.mark.parametrize(
        ("capacity", "rate", "steps"),
        [
            (
                1,
                3,
                [
                    (0, 1, A(0)),
                    (0, 1, D(334)),
                    (333, 1, D(1)),
                    (334, 1, A(0)),
                    (334, 1, D(334)),
                    (667, 1, D(1)),
                ],
            ),
            (
                2,
                3,
                [
                    (0, 2, A(0)),
                    (333, 1, D(1)),
                    (334, 1, A(0)),
                    (666, 1, D(1)),
                    (667, 1, A(0)),
                    (668, 1, D(332)),
                    (1_000, 1, A(0)),
                ],
            ),
            (
                10,
                7,
                [(0, 10, A(0)), (0, 1, D(143)), (0, 2, D(286)), (0, 3, D(429)), (0, 10, D(1_429))],
            ),
            (1, 2_147_483_647, [(0, 1, A(0)), (0, 1, D(1)), (1, 1, A(0))]),
            (
                3,
                Fraction(2, 3),
                [
                    (0, 3, A(0)),
                    (0, 1, D(1_500)),
                    (0, 2, D(3_000)),
                    (2_999, 2, D(1)),
                    (3_000, 2, A(0)),
                ],
            ),
        ],
    )
    def test_step_by_step(self, capacity: int, rate: Rate, steps: list[Step]) -> None:
        play(TokenBucketConfig(capacity, rate), steps)


class TestADenialMovesTheRefillClock:
    def test_asked_a_millisecond_too_early_each_time(self) -> None:
        times_ms = [999 * number for number in range(8)]
        answers: list[Decision] = [A(0), D(1)] * 4
        play(
            TokenBucketConfig(1, 1),
            [(at, 1, answer) for at, answer in zip(times_ms, answers, strict=True)],
        )

    def test_a_client_that_never_stops_asking_is_admitted_all_the_same(self) -> None:
        assert len(admitted_ms(TokenBucketConfig(1, 1), list(range(0, 60_000, 10)))) == 60


class TestExtremes:
    def test_a_huge_rate_after_a_huge_time(self) -> None:
        play(TokenBucketConfig(10, 1_000_000_000), [(0, 10, A(0)), (2**63 - 1, 1, A(9))])

    @pytest.mark.parametrize(
        ("rate", "wait_ms"),
        [
            (Fraction(1, 10), 10_000),
            (Fraction(1, 3), 3_000),
            (Fraction(1, 3_600), 3_600_000),
            (Fraction(1, 10**9), 10**12),
        ],
    )
    def test_a_tiny_rate_is_not_rounded(self, rate: Fraction, wait_ms: int) -> None:
        play(
            TokenBucketConfig(1, rate),
            [(0, 1, A(0)), (0, 1, D(wait_ms)), (wait_ms - 1, 1, D(1)), (wait_ms, 1, A(0))],
        )

    @each_limiter
    @pytest.mark.parametrize("start_ms", [0, 2**62, -(2**63), 10**30])
    def test_any_start_and_any_jump(self, subject: Subject, start_ms: int) -> None:
        limit = 10**15
        ticker = ManualTicker(start_ms)
        limiter = subject.build(ticker, limit)
        assert limiter.acquire(limit) == A(0)
        ticker.advance(10**40)
        assert limiter.acquire(1) == A(limit - 1)

    def test_a_window_of_a_century(self) -> None:
        century_ms = 100 * 365 * 24 * 60 * 60 * 1_000
        for config in (FixedWindowConfig(1, century_ms), SlidingLogConfig(1, century_ms)):
            play(
                config,
                [
                    (0, 1, A(0)),
                    (0, 1, D(century_ms)),
                    (century_ms - 1, 1, D(1)),
                    (century_ms, 1, A(0)),
                ],
            )


class TestRequestsThatCanNeverSucceed:
    @each_limiter
    def test_they_are_refused_at_once_and_cost_nothing(self, subject: Subject) -> None:
        limiter = subject.build(ManualTicker(), 100)
        with pytest.raises(ValueError, match=r"cost 200 is outside 1\.\.100"):
            limiter.acquire(200)
        assert limiter.acquire(100) == A(0)
        with pytest.raises(ValueError, match=r"cost 101 is outside 1\.\.100"):
            limiter.acquire(101)

    @each_limiter
    def test_a_negative_cost_does_not_mint(self, subject: Subject) -> None:
        limiter = subject.build(ManualTicker(), 5)
        limiter.acquire(5)
        denied = limiter.acquire()
        with pytest.raises(ValueError, match=r"cost -5 is outside 1\.\.5"):
            limiter.acquire(-5)
        assert limiter.acquire() == denied

    @each_limiter
    def test_a_limit_of_zero_is_not_unlimited(self, subject: Subject) -> None:
        with pytest.raises(ValueError, match="must be positive"):
            subject.build(ManualTicker(), 0)


class TestBursts:
    @pytest.mark.parametrize(
        ("capacity", "rate", "most"), [(60, 1, 119), (15, Fraction(1, 4), 29), (1, 1, 60)]
    )
    def test_the_most_within_a_minute(self, capacity: int, rate: Rate, most: int) -> None:
        greedy = [0] * (capacity + 1) + list(range(1, 60_000))
        assert len(admitted_ms(TokenBucketConfig(capacity, rate), greedy)) == most

    @pytest.mark.parametrize(
        ("config", "most"),
        [
            (FixedWindowConfig(100, 1_000), 200),
            (SlidingWindowConfig(100, 1_000), 200),
            (SlidingLogConfig(100, 1_000), 100),
        ],
        ids=repr,
    )
    def test_the_most_within_one_windows_length(self, config: LimiterConfig, most: int) -> None:
        greedy = [999] * 100 + [at_ms for at_ms in range(1_000, 5_000) for _ in range(101)]
        assert simulate(config, greedy).worst_span(1_000).admitted_units == most

    @pytest.mark.parametrize(
        ("first", "second", "limit", "window_ms", "admitted"),
        [
            ((59_000, 9), (61_000, 10), 10, 60_000, (10, 2, 1)),
            ((900, 100), (1_100, 100), 100, 1_000, (100, 10, 0)),
        ],
    )
    def test_a_burst_on_each_side_of_a_boundary(
        self,
        first: tuple[int, int],
        second: tuple[int, int],
        limit: int,
        window_ms: int,
        admitted: tuple[int, int, int],
    ) -> None:
        requests = [first[0]] * first[1] + [second[0]] * second[1]
        counts = [
            simulate(config, requests).admitted - first[1]
            for config in (
                FixedWindowConfig(limit, window_ms),
                SlidingWindowConfig(limit, window_ms),
                SlidingLogConfig(limit, window_ms),
            )
        ]
        assert tuple(counts) == admitted

    @pytest.mark.parametrize(
        ("config", "hint"),
        [
            (SlidingWindowConfig(10, 60_000, "exact"), D(5_667)),
            (SlidingLogConfig(10, 60_000), D(58_000)),
        ],
        ids=repr,
    )
    def test_the_first_denial_after_the_boundary(self, config: LimiterConfig, hint: Denied) -> None:
        decisions = simulate(config, [59_000] * 9 + [61_000] * 10).decisions
        assert next(decision for decision in decisions if isinstance(decision, Denied)) == hint

    def test_the_first_denial_of_the_second_set(self) -> None:
        requests = [900] * 100 + [1_100] * 100
        sliding = simulate(SlidingWindowConfig(100, 1_000, "exact"), requests).decisions
        log = simulate(SlidingLogConfig(100, 1_000), requests).decisions
        assert (sliding[110], log[100]) == (D(1), D(800))


class TestAStalePreviousWindow:
    @pytest.mark.parametrize(
        ("at_ms", "left"), [(1_001, 0), (1_999, 4), (2_000, 4), (7_000, 4), (10**12, 4)]
    )
    def test_after_two_boundaries_the_old_count_is_gone(self, at_ms: int, left: int) -> None:
        play(SlidingWindowConfig(5, 1_000), [(0, 5, A(0)), (at_ms, 1, A(left))])

    def test_what_is_left_is_weighted(self) -> None:
        trace = simulate(
            SlidingWindowConfig(100, 1_000), [(500, 50)] + [(1_100, 10)] + [(1_100, 1)] * 60
        )
        assert trace.decisions[2] == A(44)
        assert trace.admitted == 2 + 45


class TestAClockThatStepsBack:
    def test_it_neither_mints_nor_locks_out(self) -> None:
        arrivals_ms = [10_000] * 5 + [0] + [10_000] * 4 + [11_000]
        trace = simulate(TokenBucketConfig(4, 1), arrivals_ms)
        assert trace.decisions == (
            A(3),
            A(2),
            A(1),
            A(0),
            D(1_000),
            D(11_000),
            *[D(1_000)] * 4,
            A(0),
        )

    @each_limiter
    def test_no_step_back_admits_more(self, subject: Subject) -> None:
        ticker = ManualTicker(10_000)
        limiter = subject.build(ticker, 4)
        limiter.acquire(4)
        for at_ms in (0, -10_000, 9_999, 10_000):
            ticker.move_to(at_ms)
            decision = limiter.acquire()
            assert isinstance(decision, Denied)
            assert decision.retry_after_ms > 10_000 - at_ms

    @each_limiter
    def test_it_is_not_locked_out_for_longer_than_the_clock_was_set_back(
        self, subject: Subject
    ) -> None:
        ticker = ManualTicker(10_000)
        limiter = subject.build(ticker, 1)
        limiter.acquire()
        ticker.move_to(0)
        limiter.acquire()
        ticker.move_to(10_000 + 3_000)
        assert limiter.acquire() == A(0)

    def test_a_level_is_never_negative(self) -> None:
        ticker = ManualTicker(10_000)
        bucket = TokenBucket(ticker, 4, 1)
        bucket.acquire(4)
        for at_ms in (0, -5_000, 10_000, 10_500):
            ticker.move_to(at_ms)
            assert bucket.tokens_milli == max(0, at_ms - 10_000)

    def test_a_limiter_made_on_a_frozen_later_clock_waits_until_it_has_caught_up(self) -> None:
        ticker = ManualTicker(1_893_456_000_000)
        bucket = TokenBucket(ticker, 1, 1)
        bucket.acquire()
        ticker.move_to(5_000_000)
        assert bucket.acquire() == D(1_893_456_000_000 - 5_000_000 + 1_000)
