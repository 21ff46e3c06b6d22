"""Per key: independence, exact forgetting, and what may be a key."""

import gc
from collections.abc import Hashable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, assert_never

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    LimiterConfig,
    LimiterFactory,
    ManualTicker,
    MonotonicTicker,
    PerKeyLimiter,
    RateLimiter,
    SynchronizedPerKeyLimiter,
    Ticker,
    TokenBucket,
    TokenBucketConfig,
)
from tests import sequences
from tests.remembering import Remembering
from tests.sequences import Ask

A, D = Allowed, Denied
NAN = float("nan")
KEYS = "abcdefgh"

PerKey = type[PerKeyLimiter] | type[SynchronizedPerKeyLimiter]
both_forms = pytest.mark.parametrize(
    "form", [PerKeyLimiter, SynchronizedPerKeyLimiter], ids=["plain", "for threads"]
)


class OnlyAcquire:
    """A limiter with the one method that a caller needs, and nothing else."""

    def __init__(self) -> None:
        self.left = 2

    def acquire(self, cost: int = 1) -> Decision:
        if cost != 1:
            raise ValueError("one at a time")
        self.left -= 1
        return Allowed(self.left) if self.left >= 0 else Denied(1_000)


class OnlyAcquireConfig:
    def build(self, ticker: Ticker) -> RateLimiter:
        del ticker
        return OnlyAcquire()


@dataclass
class CountingConfig:
    """Counts what is built, read for freshness, and freed."""

    capacity: int = 2
    rate: int | Fraction = 1
    built: int = 0
    examined: int = 0
    freed: int = 0
    classes: list[type] = field(default_factory=list)

    def build(self, ticker: Ticker) -> RateLimiter:
        counts = self

        class Counted(TokenBucket):
            __slots__ = ()

            @property
            def fresh_from_ms(self) -> int:
                counts.examined += 1
                return super().fresh_from_ms

            def __del__(self) -> None:
                counts.freed += 1

        if not self.classes:
            self.classes.append(Counted)
        self.built += 1
        made: RateLimiter = self.classes[0](ticker, self.capacity, self.rate)
        return made


class CountingKey:
    """A key that counts how often it is looked at."""

    looks = 0

    def __init__(self, name: int) -> None:
        self.name = name

    def __hash__(self) -> int:
        CountingKey.looks += 1
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        CountingKey.looks += 1
        return isinstance(other, CountingKey) and self.name == other.name


class Hop(NamedTuple):
    """A call after part of the limiter's horizon, since that is where forgetting happens."""

    horizons: Fraction
    plus_ms: int
    key: str
    whole: bool

    def step_ms(self, horizon_ms: int) -> int:
        return int(horizon_ms * self.horizons) + self.plus_ms


hops = st.lists(
    st.builds(
        Hop,
        st.sampled_from([Fraction(n, 4) for n in (0, 0, 1, 2, 2, 3, 4, 4, 5, 8, -1, -2, -4)]),
        st.sampled_from([-1, 0, 0, 1]),
        st.sampled_from("aabcd"),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


class TestKeysAreIndependent:
    @both_forms
    def test_the_printed_example(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(2, 1), ManualTicker())
        decisions = [limiter.acquire(key) for key in ("alice", "alice", "alice", "bob")]
        assert decisions == [A(1), A(0), D(1_000), A(1)]
        assert limiter.tracked_keys == 2
        match limiter.acquire("alice", 1):
            case Allowed(remaining):
                message = f"go, {remaining} left"
            case Denied(retry_after_ms):
                message = f"wait {retry_after_ms} ms"
            case never:
                assert_never(never)
        assert message == "wait 1000 ms"

    @both_forms
    @given(config=sequences.configs, asks=sequences.both_ways, start_ms=sequences.starts_ms)
    def test_one_key_decides_like_a_bare_limiter(
        self, form: PerKey, config: LimiterConfig, asks: list[Ask], start_ms: int
    ) -> None:
        ticker = ManualTicker(start_ms)
        limiter, bare = form(config, ticker), config.build(ticker)
        for ask in asks:
            ticker.advance(ask.step_ms)
            cost = ask.cost(bare)
            assert limiter.peek("only", cost) == bare.peek(cost)
            assert limiter.acquire("only", cost) == bare.acquire(cost)

    @both_forms
    def test_the_first_call_of_a_key_is_never_denied(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(3, 1), ManualTicker())
        for key in range(100):
            assert limiter.acquire(key, 3) == A(0)

    @both_forms
    def test_two_limiters_share_nothing(self, form: PerKey) -> None:
        config, ticker = TokenBucketConfig(1, 1), ManualTicker()
        for limiter in (form(config, ticker), form(config, ticker)):
            assert limiter.acquire("k") == A(0)

    @both_forms
    def test_it_works_on_a_real_clock(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(1, Fraction(1, 3_600)), MonotonicTicker())
        assert limiter.acquire("k") == A(0)
        assert isinstance(limiter.acquire("k"), Denied)
        assert isinstance(limiter.peek("k"), Denied)


class TestForgetting:
    @both_forms
    @given(config=sequences.configs, asks=sequences.asks(sequences.steps_both_ways, max_size=60))
    def test_it_changes_no_decision(
        self, form: PerKey, config: LimiterConfig, asks: list[Ask]
    ) -> None:
        """Against an oracle that never forgets, on every clock, peeks and bad calls included."""
        ticker = ManualTicker()
        limiter, oracle = form(config, ticker), Remembering(config, 0, KEYS)
        probe = config.build(ManualTicker())
        for ask in asks:
            ticker.advance(ask.step_ms)
            now_ms, cost = ticker.now_ms(), ask.cost(probe)
            assert limiter.peek(ask.key, cost) == oracle.peek(now_ms, ask.key, cost)
            for bad in (0, probe.max_cost + 1):
                with pytest.raises(ValueError, match="is outside"):
                    limiter.acquire(ask.key, bad)
            assert limiter.acquire(ask.key, cost) == oracle.acquire(now_ms, ask.key, cost)
            for key in KEYS:
                assert limiter.peek(key, 1) == oracle.peek(now_ms, key, 1)

    @both_forms
    @given(config=sequences.configs, hops=hops)
    def test_at_the_very_millisecond_too(
        self, form: PerKey, config: LimiterConfig, hops: list[Hop]
    ) -> None:
        """It holds what is not fresh, at most what two horizons used, and changes nothing."""
        ticker = ManualTicker()
        limiter, oracle = form(config, ticker), Remembering(config, 0, KEYS)
        probe = config.build(ManualTicker())
        used_ms: dict[str, int] = {}
        for hop in hops:
            ticker.advance(hop.step_ms(probe.horizon_ms))
            now_ms, cost = ticker.now_ms(), probe.max_cost if hop.whole else 1
            assert limiter.acquire(hop.key, cost) == oracle.acquire(now_ms, hop.key, cost)
            for key in KEYS:
                assert limiter.peek(key, probe.max_cost) == oracle.peek(now_ms, key, probe.max_cost)
            highest_ms = used_ms[hop.key] = oracle.highest_ms
            recent = sum(used > highest_ms - 2 * probe.horizon_ms for used in used_ms.values())
            counted = sum(not oracle.is_fresh(now_ms, key) for key in KEYS)
            assert counted <= limiter.tracked_keys <= recent

    @both_forms
    def test_a_millisecond_before_it_is_fresh_a_key_is_remembered(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker)
        limiter.acquire("k", 10)
        ticker.advance(9_999)
        limiter.acquire("another")
        assert limiter.acquire("k", 10) == D(1)

    @both_forms
    def test_a_generation_is_let_go_a_horizon_after_its_last_use(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker)
        ticker.advance(5_000)
        limiter.acquire("k", 10)
        ticker.advance(5_000)
        limiter.acquire("another")
        ticker.advance(4_999)
        limiter.acquire("another")
        assert limiter.tracked_keys == 2
        assert limiter.peek("k", 10) == D(1)
        ticker.advance(1)
        assert limiter.tracked_keys == 1
        limiter.acquire("another")
        assert limiter.tracked_keys == 1

    @both_forms
    def test_an_exhausted_client_is_not_set_free(self, form: PerKey) -> None:
        """A time-to-live of 3000 ms would let 10 pass here, and 200 in the next test."""
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker)
        assert limiter.acquire("k", 10) == A(0)
        ticker.advance(3_001)
        limiter.acquire("another")
        assert [type(limiter.acquire("k")) for _ in range(10)] == [A] * 3 + [D] * 7

    @both_forms
    def test_a_client_that_returns_again_and_again_gets_its_rate(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker)
        admitted = 0
        limiter.acquire("k", 10)
        for _ in range(19):
            ticker.advance(3_001)
            limiter.acquire("another")
            admitted += sum(isinstance(limiter.acquire("k"), Allowed) for _ in range(10))
        assert admitted + 10 == 67

    @both_forms
    def test_a_key_is_forgotten_when_its_bucket_is_full_and_no_sooner(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker)
        limiter.acquire("k", 10)
        ticker.advance(9_999)
        assert limiter.tracked_keys == 1
        assert limiter.peek("another") == A(9)
        assert limiter.tracked_keys == 1
        ticker.advance(1)
        assert limiter.tracked_keys == 0
        assert limiter.acquire("another") == A(9)
        assert limiter.tracked_keys == 1

    @both_forms
    def test_a_key_in_use_is_kept_through_many_turns(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter, bare = form(TokenBucketConfig(2, 1), ticker), TokenBucket(ticker, 2, 1)
        for number in range(50):
            assert limiter.acquire("steady") == bare.acquire()
            limiter.acquire(number)
            ticker.advance(500)
        assert limiter.tracked_keys <= 1 + 2 * 4

    @both_forms
    def test_a_step_back_after_forgetting_does_not_show_it(self, form: PerKey) -> None:
        """The forgotten key and one that was never forgotten see the same clock."""
        config = TokenBucketConfig(1, 1)
        ticker = ManualTicker()
        limiter, oracle = form(config, ticker), Remembering(config, 0, "kab")
        for step_ms, key in [(0, "k"), (1_000, "a"), (1_500, "b"), (-2_400, "k"), (0, "k")]:
            ticker.advance(step_ms)
            assert limiter.acquire(key) == oracle.acquire(ticker.now_ms(), key, 1)
        assert limiter.acquire("k") == D(1_000 + 2_400)

    @both_forms
    def test_a_hint_includes_the_time_until_the_clock_has_caught_up(self, form: PerKey) -> None:
        ticker = ManualTicker(10_000)
        limiter = form(TokenBucketConfig(4, 1), ticker)
        assert [limiter.acquire("k") for _ in range(5)] == [A(3), A(2), A(1), A(0), D(1_000)]
        ticker.advance(-10_000)
        assert limiter.acquire("k") == limiter.peek("k") == D(11_000)
        assert limiter.acquire("new", 4) == A(0)
        assert limiter.acquire("new") == D(11_000)
        ticker.advance(11_000)
        assert limiter.acquire("k") == A(0)

    @both_forms
    def test_a_peek_does_not_move_the_clock(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(1, 1), ticker)
        limiter.acquire("k")
        ticker.advance(1_000)
        assert limiter.peek("k") == limiter.peek("new") == A(0)
        assert limiter.tracked_keys == 0
        ticker.advance(-999)
        assert limiter.acquire("k") == D(999)
        assert limiter.tracked_keys == 1


class TestTheWorkOfForgetting:
    @both_forms
    def test_a_hundred_thousand_visitors_and_one_call_long_after(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker)
        most = 0
        for visitor in range(100_000):
            assert limiter.acquire(visitor) == A(1)
            ticker.advance(1)
            most = max(most, limiter.tracked_keys)
        assert most <= 4_000
        ticker.advance(1_000_000)
        assert limiter.acquire("late") == A(1)
        assert limiter.tracked_keys == 1

    @both_forms
    def test_no_call_looks_at_more_than_its_own_key(self, form: PerKey) -> None:
        """10,000 live keys, 10,000 calls, turns included: counted, not timed."""
        ticker = ManualTicker()
        config = CountingConfig()
        limiter = form(config, ticker)
        keys = [CountingKey(number) for number in range(10_000)]
        for key in keys:
            limiter.acquire(key)
        most = total = 0
        examined = config.examined
        for number, key in enumerate(keys):
            if number % 1_000 == 0:
                ticker.advance(700)
            before = CountingKey.looks
            limiter.acquire(key)
            most = max(most, CountingKey.looks - before)
            total += CountingKey.looks - before
        assert most <= 12
        assert total <= 12 * 10_000
        assert config.examined == examined

    @both_forms
    @pytest.mark.parametrize("steps_ms", [[1_000_000], [1_900] * 3], ids=["all", "the older"])
    def test_no_call_frees_more_than_a_few(self, form: PerKey, steps_ms: list[int]) -> None:
        """Not even one that lets a whole generation go; and what was let go does get freed."""
        ticker = ManualTicker()
        config = CountingConfig()
        limiter = form(config, ticker)
        for number in range(3_000):
            limiter.acquire(number)
        freed_before = config.freed
        most = 0
        gc.collect()
        gc.disable()
        try:
            for step_ms in [*steps_ms, *[0] * 1_500]:
                ticker.advance(step_ms)
                before = config.freed
                limiter.acquire("late")
                most = max(most, config.freed - before)
        finally:
            gc.enable()
        assert most <= 2
        assert config.freed - freed_before == 3_000
        assert limiter.tracked_keys == 1

    @both_forms
    def test_steady_traffic_of_new_keys_leaves_no_backlog(self, form: PerKey) -> None:
        ticker = ManualTicker()
        config = CountingConfig()
        limiter = form(config, ticker)
        for number in range(20_000):
            limiter.acquire(number)
            ticker.advance(1)
            assert config.built - config.freed <= 8_000


class TestKeys:
    @both_forms
    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (("a:b", "c"), ("a", "b:c")),
            (("aa", "b"), ("a", "ab")),
            (("user", "127.0.0.1"), ("address", "127.0.0.1")),
            (("a", ("b", "c")), (("a", "b"), "c")),
            ("1", 1),
            ("a", b"a"),
            ("", None),
            ((), ""),
        ],
    )
    def test_what_is_not_equal_is_independent(
        self, form: PerKey, first: Hashable, second: Hashable
    ) -> None:
        limiter = form(TokenBucketConfig(1, 1), ManualTicker())
        assert limiter.acquire(first) == A(0)
        assert limiter.acquire(second) == A(0)
        assert isinstance(limiter.acquire(first), Denied)
        assert isinstance(limiter.acquire(second), Denied)

    @both_forms
    def test_what_is_equal_is_one_key(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(10, 1), ManualTicker())
        keys: list[Hashable] = [1, True, 1.0, Fraction(1), Decimal(1), 1 + 0j]
        assert [limiter.acquire(key) for key in keys] == [A(9), A(8), A(7), A(6), A(5), A(4)]
        assert limiter.tracked_keys == 1
        assert limiter.acquire(-0.0) == A(9)
        assert limiter.acquire(0) == A(8)

    @both_forms
    @pytest.mark.parametrize(
        "key", [NAN, ("user", NAN), frozenset({NAN}), ("a", ("b", NAN)), Decimal("nan")], ids=repr
    )
    @pytest.mark.parametrize("method", ["acquire", "peek"])
    def test_a_key_that_would_never_be_found_again_is_refused(
        self, form: PerKey, method: str, key: Hashable
    ) -> None:
        limiter = form(TokenBucketConfig(1, 1), ManualTicker())
        with pytest.raises(ValueError, match="is not equal to itself") as caught:
            getattr(limiter, method)(key)
        assert repr(key) in str(caught.value)
        assert limiter.tracked_keys == 0

    @both_forms
    @pytest.mark.parametrize(
        "key", [["a", "b"], {"a": 1}, {"a"}, ("a", ["b"]), bytearray(b"a")], ids=repr
    )
    @pytest.mark.parametrize("method", ["acquire", "peek"])
    def test_a_key_without_a_hash_is_refused(
        self, form: PerKey, method: str, key: Hashable
    ) -> None:
        limiter = form(TokenBucketConfig(1, 1), ManualTicker())
        with pytest.raises(TypeError, match=r"key must be hashable, got .*; use a str") as caught:
            getattr(limiter, method)(key)
        assert repr(key) in str(caught.value)
        assert limiter.tracked_keys == 0

    @both_forms
    def test_an_error_of_the_key_itself_is_not_covered_up(self, form: PerKey) -> None:
        class Odd:
            def __hash__(self) -> int:
                return 1

            def __eq__(self, other: object) -> bool:
                raise TypeError("can't compare")

        limiter = form(TokenBucketConfig(1, 1), ManualTicker())
        limiter.acquire(1)
        with pytest.raises(TypeError, match="can't compare"):
            limiter.acquire(Odd())

    @both_forms
    def test_an_object_without_equality_is_a_new_key_each_time_it_is_made(
        self, form: PerKey
    ) -> None:
        limiter = form(TokenBucketConfig(1, 1), ManualTicker())
        one = object()
        assert limiter.acquire(one) == A(0)
        assert isinstance(limiter.acquire(one), Denied)
        assert limiter.acquire(object()) == A(0)


class TestMisuse:
    @both_forms
    @pytest.mark.parametrize("cost", [0, -5, 6, True, 1.0, 0.5, None])
    @pytest.mark.parametrize("method", ["acquire", "peek"])
    def test_a_rejected_call_leaves_no_trace(self, form: PerKey, method: str, cost: int) -> None:
        """No limiter for a new key, nothing spent, and the reading does not count as seen."""
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(5, 1), ticker)
        limiter.acquire("old", 5)
        ticker.advance(3_000)
        for key in ("old", "new"):
            with pytest.raises((TypeError, ValueError), match="cost"):
                getattr(limiter, method)(key, cost)
        assert limiter.tracked_keys == 1
        ticker.advance(-3_000)
        assert limiter.acquire("old") == D(1_000)

    @both_forms
    def test_the_message_is_that_of_the_limiter(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(3, 1), ManualTicker())
        with pytest.raises(ValueError, match=r"^cost 5 is outside 1\.\.3\n"):
            limiter.acquire("k", 5)

    @both_forms
    def test_the_configuration_is_checked_up_front(self, form: PerKey) -> None:
        class Wrong:
            def build(self, ticker: Ticker) -> RateLimiter:
                return TokenBucket(ticker, 0, 1)

        with pytest.raises(ValueError, match="capacity must be positive"):
            form(Wrong(), ManualTicker())

    @both_forms
    @pytest.mark.parametrize(
        "config", [None, 5, "token_bucket", TokenBucketConfig, TokenBucket(ManualTicker(), 1, 1)]
    )
    def test_what_does_not_build_is_refused(self, form: PerKey, config: LimiterFactory) -> None:
        with pytest.raises(TypeError, match=r"config must have build\(ticker\)"):
            form(config, ManualTicker())

    @both_forms
    def test_what_builds_something_else_is_refused(self, form: PerKey) -> None:
        class Wrong:
            def build(self, ticker: Ticker) -> RateLimiter:
                return ticker  # type: ignore[return-value]

        with pytest.raises(TypeError, match="must return a limiter, got HeldTicker"):
            form(Wrong(), ManualTicker())

    @both_forms
    def test_a_clock_of_floats_is_refused(self, form: PerKey) -> None:
        class Floats:
            def now_ms(self) -> float:
                return 0.5

        with pytest.raises(TypeError, match=r"ticker\.now_ms\(\) must be an int"):
            form(TokenBucketConfig(1, 1), Floats())  # type: ignore[arg-type]

    @both_forms
    def test_a_clock_that_fails_costs_nothing(self, form: PerKey) -> None:
        class Broken:
            broken = False

            def now_ms(self) -> int:
                if self.broken:
                    raise OSError("no clock")
                return 0

        ticker = Broken()
        limiter = form(TokenBucketConfig(5, 1), ticker)
        limiter.acquire("k", 3)
        ticker.broken = True
        for key in ("k", "new"):
            with pytest.raises(OSError, match="no clock"):
                limiter.acquire(key, 2)
        ticker.broken = False
        assert limiter.tracked_keys == 1
        assert limiter.acquire("k", 2) == A(0)


class TestLimitersOfYourOwn:
    def test_one_with_acquire_alone_is_enough_and_is_never_forgotten(self) -> None:
        ticker = ManualTicker()
        limiter = PerKeyLimiter(OnlyAcquireConfig(), ticker)
        assert [limiter.acquire("k") for _ in range(3)] == [A(1), A(0), D(1_000)]
        ticker.advance(10**12)
        assert limiter.acquire("another") == A(1)
        assert limiter.tracked_keys == 2
        ticker.advance(-5)
        assert limiter.acquire("k") == D(1_005)
        with pytest.raises(ValueError, match="one at a time"):
            limiter.acquire("new", 2)
        assert limiter.tracked_keys == 2

    def test_it_can_be_peeked_at_only_if_it_has_peek(self) -> None:
        limiter = PerKeyLimiter(OnlyAcquireConfig(), ManualTicker())
        with pytest.raises(TypeError, match="OnlyAcquire has no peek; give it peek"):
            limiter.peek("k")

    def test_a_bound_needs_to_know_when_a_limiter_is_as_new(self) -> None:
        with pytest.raises(
            TypeError, match="max_keys needs limiters that tell when they are fresh"
        ):
            PerKeyLimiter(OnlyAcquireConfig(), ManualTicker(), max_keys=10)

    def test_the_form_for_threads_needs_to_know_it_always(self) -> None:
        with pytest.raises(TypeError, match="got OnlyAcquire without max_cost; give it"):
            SynchronizedPerKeyLimiter(OnlyAcquireConfig(), ManualTicker())


class TestABoundOnTheKeys:
    @both_forms
    def test_an_attacker_with_new_keys_resets_nobody(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker, max_keys=100)
        assert limiter.acquire("victim", 2) == A(0)
        for number in range(10_000):
            limiter.acquire(number)
            assert limiter.tracked_keys <= 100
        assert limiter.acquire("victim") == D(1_000)
        ticker.advance(999)
        for number in range(10_000):
            limiter.acquire(number, 2)
        assert limiter.acquire("victim") == D(1)

    @both_forms
    def test_a_newcomer_is_told_when_to_return(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(10, 1), ticker, max_keys=2)
        assert limiter.acquire("a", 10) == A(0)
        assert limiter.acquire("b", 3) == A(7)
        assert limiter.peek("c") == limiter.acquire("c") == D(3_000)
        assert limiter.tracked_keys == 2
        ticker.advance(2_999)
        assert limiter.peek("c") == limiter.acquire("c") == D(1)
        ticker.advance(1)
        assert limiter.peek("c") == limiter.acquire("c") == A(9)
        assert limiter.tracked_keys == 2
        assert limiter.acquire("b") == D(1_000)
        assert limiter.acquire("a", 3) == A(0)
        assert limiter.acquire("b") == D(1_000)

    @both_forms
    def test_the_hint_counts_from_the_reading_even_if_the_clock_steps_back(
        self, form: PerKey
    ) -> None:
        ticker = ManualTicker(5_000)
        limiter = form(TokenBucketConfig(1, 1), ticker, max_keys=1)
        limiter.acquire("a")
        ticker.advance(-2_000)
        assert limiter.peek("b") == limiter.acquire("b") == D(3_000)
        ticker.advance(3_000)
        assert limiter.acquire("b") == A(0)

    @both_forms
    def test_a_newcomer_that_is_denied_leaves_no_trace(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker, max_keys=1)
        limiter.acquire("a", 2)
        ticker.advance(1_500)
        assert limiter.acquire("b") == D(500)
        ticker.advance(-1_000)
        assert limiter.acquire("a") == D(500)
        assert limiter.acquire("b") == D(1_500)

    @both_forms
    def test_a_bad_cost_is_an_error_even_when_there_is_no_room(self, form: PerKey) -> None:
        limiter = form(TokenBucketConfig(1, 1), ManualTicker(), max_keys=1)
        limiter.acquire("a")
        for method in (limiter.acquire, limiter.peek):
            with pytest.raises(ValueError, match="cost 2 is outside"):
                method("b", 2)

    @both_forms
    def test_places_of_a_generation_long_past_are_free(self, form: PerKey) -> None:
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker, max_keys=50)
        for number in range(50):
            limiter.acquire(number, 2)
        ticker.advance(2_000)
        assert limiter.peek("late") == A(1)
        assert [limiter.acquire(f"late {number}") for number in range(50)] == [A(1)] * 50
        assert limiter.acquire("one too many") == D(1_000)

    @both_forms
    def test_an_attacker_must_keep_asking_to_keep_the_places(self, form: PerKey) -> None:
        """A place is in use until its bucket is full again, not for a whole horizon."""
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(1_000, 1), ticker, max_keys=200)
        for number in range(200):
            limiter.acquire(("attacker", number))
        assert limiter.acquire("honest") == D(1_000)
        ticker.advance(1_000)
        assert limiter.acquire("honest") == A(999)

    @both_forms
    def test_a_newcomer_examines_a_few_keys_and_not_all(self, form: PerKey) -> None:
        ticker = ManualTicker()
        config = CountingConfig(capacity=2, rate=Fraction(1, 1_000))
        limiter = form(config, ticker, max_keys=1_000)
        for number in range(1_000):
            limiter.acquire(number)
        ticker.advance(1)
        for number in range(500):
            before = config.examined
            assert isinstance(limiter.acquire(("new", number)), Denied)
            assert config.examined - before <= 9
            before = config.examined
            limiter.peek(("new", number))
            assert config.examined - before <= 9

    @both_forms
    def test_the_place_that_was_promised_is_found_again(self, form: PerKey) -> None:
        """Among many: the key that will be fresh first is kept in mind."""
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker, max_keys=100)
        for number in range(100):
            limiter.acquire(number, 1 if number == 95 else 2)
        assert limiter.acquire("new") == D(1_000)
        ticker.advance(1_000)
        assert limiter.peek("new") == limiter.acquire("new") == A(1)

    @both_forms
    def test_newcomers_together_find_the_one_place_that_is_free(self, form: PerKey) -> None:
        """Each examines the next few keys, so a place is found within a round."""
        ticker = ManualTicker()
        limiter = form(TokenBucketConfig(2, 1), ticker, max_keys=100)
        for number in range(100):
            limiter.acquire(number, 1 if number == 37 else 2)
        ticker.advance(1_000)
        answers = [limiter.acquire(("new", number)) for number in range(13)]
        assert sum(isinstance(answer, Allowed) for answer in answers) == 1
        assert limiter.tracked_keys == 100

    @both_forms
    @given(
        config=sequences.configs,
        asks=sequences.asks(sequences.steps_both_ways, max_size=60),
        max_keys=st.integers(1, 6),
    )
    def test_it_denies_newcomers_and_changes_nothing_else(
        self, form: PerKey, config: LimiterConfig, asks: list[Ask], max_keys: int
    ) -> None:
        """Every answer is the oracle's, or a denial for want of room whose hint is kept."""
        ticker = ManualTicker()
        limiter, oracle = form(config, ticker, max_keys), Remembering(config, 0, KEYS)
        probe = config.build(ManualTicker())
        for ask in asks:
            ticker.advance(ask.step_ms)
            now_ms, cost = ticker.now_ms(), ask.cost(probe)
            expected = oracle.peek(now_ms, ask.key, cost)
            told = limiter.peek(ask.key, cost)
            assert limiter.acquire(ask.key, cost) == told
            if told == expected:
                assert oracle.acquire(now_ms, ask.key, cost) == told
            else:
                assert isinstance(told, Denied)
                assert isinstance(expected, Allowed)
                assert oracle.is_fresh(now_ms, ask.key)
                assert limiter.tracked_keys == max_keys
                ticker.advance(told.retry_after_ms)
                assert isinstance(limiter.peek(ask.key, cost), Allowed)
                ticker.advance(-told.retry_after_ms)
            assert limiter.tracked_keys <= max_keys

    @both_forms
    @given(
        config=st.one_of(sequences.exact_algorithms, sequences.exact_composites),
        asks=sequences.asks(sequences.steps_forward, 5, 30),
    )
    def test_few_places_are_all_examined_so_the_hint_is_exact(
        self, form: PerKey, config: LimiterConfig, asks: list[Ask]
    ) -> None:
        ticker = ManualTicker()
        limiter = form(config, ticker, max_keys=4)
        probe = config.build(ManualTicker())
        for ask in asks:
            ticker.advance(ask.step_ms // 10)
            limiter.acquire(ask.key, ask.cost(probe))
            for key in KEYS:
                denial = limiter.peek(key, 1)
                if isinstance(denial, Allowed) or limiter.peek(key, probe.max_cost) != denial:
                    continue
                ticker.advance(denial.retry_after_ms - 1)
                assert isinstance(limiter.peek(key, probe.max_cost), Denied)
                ticker.advance(1 - denial.retry_after_ms)

    @both_forms
    @pytest.mark.parametrize("max_keys", [0, -1])
    def test_it_must_be_positive(self, form: PerKey, max_keys: int) -> None:
        with pytest.raises(ValueError, match=f"max_keys must be positive, got {max_keys}"):
            form(TokenBucketConfig(1, 1), ManualTicker(), max_keys)

    @both_forms
    @pytest.mark.parametrize("max_keys", [True, 10.0, "10"])
    def test_it_must_be_an_integer(self, form: PerKey, max_keys: int) -> None:
        with pytest.raises(TypeError, match="max_keys must be an int"):
            form(TokenBucketConfig(1, 1), ManualTicker(), max_keys)
