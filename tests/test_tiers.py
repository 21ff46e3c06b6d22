"""Tiers: the tier of the moment decides, and changing it gains nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    CompositeConfig,
    Denied,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    ManualTicker,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.tiers import TieredLimiter

FREE = TokenBucketConfig(10, 1)
PRO = TokenBucketConfig(100, 20)
ALL: dict[str, LimiterConfig] = {
    "bucket": TokenBucketConfig(6, 2),
    "leaky": LeakyBucketConfig(3, 1),
    "fixed": FixedWindowConfig(5, 1_000),
    "log": SlidingLogConfig(4, 2_000),
    "sliding": SlidingWindowConfig(7, 1_500, "exact"),
    "both": CompositeConfig((TokenBucketConfig(2, 1), FixedWindowConfig(9, 5_000))),
}


class Customers:
    """Who is in which tier, for as long as it lasts."""

    def __init__(self, **tiers: str) -> None:
        self.tiers = tiers

    def __call__(self, key: str) -> str:
        return self.tiers[key]


def free_and_pro(**tiers: str) -> tuple[TieredLimiter[str], Customers, ManualTicker]:
    customers, ticker = Customers(**tiers), ManualTicker()
    return TieredLimiter({"free": FREE, "pro": PRO}, customers, ticker), customers, ticker


def test_each_key_has_the_limit_of_its_tier() -> None:
    limiter, _, _ = free_and_pro(ann="free", bob="pro")
    assert limiter.acquire("ann", 10) == Allowed(0)
    assert limiter.acquire("ann") == Denied(1_000)
    assert limiter.acquire("bob", 10) == Allowed(90)
    assert limiter.peek("bob", 90) == Allowed(0)
    assert limiter.tracked_keys == 2


def test_a_new_tier_counts_from_the_next_call_on_and_grants_no_free_tokens() -> None:
    limiter, customers, _ = free_and_pro(ann="free")
    limiter.acquire("ann", 10)
    customers.tiers["ann"] = "pro"
    assert limiter.acquire("ann", 90) == Allowed(0)
    assert limiter.acquire("ann") == Denied(50)


def test_after_a_downgrade_what_was_used_counts_up_to_the_new_limit() -> None:
    limiter, customers, ticker = free_and_pro(ann="pro")
    limiter.acquire("ann", 60)
    customers.tiers["ann"] = "free"
    assert limiter.acquire("ann") == Denied(1_000)
    ticker.advance(1_000)
    assert limiter.acquire("ann") == Allowed(0)


def test_to_and_fro_gains_nothing() -> None:
    """A second in the lower tier does not wash off what was used in the higher one."""
    limiter, customers, ticker = free_and_pro(ann="pro")
    limiter.acquire("ann", 100)
    for _ in range(5):
        customers.tiers["ann"] = "free"
        limiter.peek("ann")
        customers.tiers["ann"] = "pro"
    customers.tiers["ann"] = "free"
    ticker.advance(1_000)
    assert limiter.acquire("ann") == Allowed(0)
    customers.tiers["ann"] = "pro"
    assert limiter.peek("ann") == Allowed(18)


steps = st.lists(
    st.tuples(
        st.sampled_from(sorted(ALL)),
        st.sampled_from([0, 0, 1, 250, 500, 1_000, 7_000]),
        st.integers(1, 9),
    ),
    max_size=60,
)


@given(steps=steps)
def test_no_change_admits_what_the_tier_would_have_denied(
    steps: list[tuple[str, int, int]],
) -> None:
    """Each tier's twin is charged with all that was admitted; it would have allowed it too."""
    ticker = ManualTicker()
    customers = Customers(ann="bucket")
    limiter = TieredLimiter(ALL, customers, ticker)
    twins = {tier: config.build(ticker) for tier, config in ALL.items() if tier != "both"}
    for tier, step_ms, cost in steps:
        ticker.advance(step_ms)
        customers.tiers["ann"] = tier
        cost = min(cost, 2 if tier == "both" else twins[tier].max_cost)
        decision = limiter.acquire("ann", cost)
        if tier in twins:
            assert decision == twins[tier].acquire(cost)
        if isinstance(decision, Allowed):
            for name, twin in twins.items():
                if name != tier:
                    for _ in range(cost):
                        twin.acquire()


@given(
    steps=st.lists(st.tuples(st.sampled_from(["free", "pro"]), st.integers(0, 900)), max_size=150)
)
def test_no_switching_beats_having_been_in_the_best_tier_all_along(
    steps: list[tuple[str, int]],
) -> None:
    configs = {"free": TokenBucketConfig(3, 1), "pro": TokenBucketConfig(8, 2)}
    ticker, customers = ManualTicker(), Customers(ann="free")
    limiter = TieredLimiter(configs, customers, ticker)
    best = configs["pro"].build(ticker)
    admitted = best_admitted = 0
    for tier, step_ms in steps:
        ticker.advance(step_ms)
        customers.tiers["ann"] = tier
        admitted += isinstance(limiter.acquire("ann"), Allowed)
        best_admitted += isinstance(best.acquire(), Allowed)
        assert admitted <= best_admitted


def test_a_composite_tiers_members_each_pay_what_they_have() -> None:
    """The bucket of two is empty after two, yet the window of nine has counted all six."""
    ticker, customers = ManualTicker(), Customers(ann="bucket")
    limiter = TieredLimiter(ALL, customers, ticker)
    limiter.acquire("ann", 6)
    customers.tiers["ann"] = "both"
    ticker.advance(3_000)
    assert limiter.acquire("ann", 2) == Allowed(0)
    ticker.advance(1_900)
    assert limiter.peek("ann") == Allowed(0)


def test_nested_composites_pay_too() -> None:
    nested = CompositeConfig((CompositeConfig((FixedWindowConfig(5, 1_000),)),))
    customers = Customers(ann="a")
    limiter = TieredLimiter(
        {"a": FixedWindowConfig(9, 1_000), "b": nested}, customers, ManualTicker()
    )
    limiter.acquire("ann", 4)
    customers.tiers["ann"] = "b"
    assert limiter.acquire("ann") == Allowed(0)


def test_an_unknown_tier_is_an_error_that_names_those_there_are() -> None:
    limiter, customers, _ = free_and_pro(ann="gold")
    with pytest.raises(
        ValueError, match="tier 'gold' of key 'ann' is unknown; known are 'free', 'pro'"
    ):
        limiter.acquire("ann")
    assert limiter.tracked_keys == 0
    customers.tiers["ann"] = "free"
    assert limiter.acquire("ann", 10) == Allowed(0)


def test_or_it_is_the_default() -> None:
    customers = Customers(ann="gold")
    configs = {"free": FREE, "pro": PRO}
    limiter = TieredLimiter(configs, customers, ManualTicker(), default_tier="free")
    assert limiter.acquire("ann", 10) == Allowed(0)
    with pytest.raises(ValueError, match="tier 'gold' is unknown"):
        TieredLimiter(configs, customers, ManualTicker(), default_tier="gold")


def test_a_cost_above_the_tiers_limit_is_refused_and_costs_nothing() -> None:
    limiter, _, _ = free_and_pro(ann="free")
    with pytest.raises(ValueError, match=r"cost 11 is outside 1\.\.10"):
        limiter.acquire("ann", 11)
    assert limiter.acquire("ann", 10) == Allowed(0)


def test_a_lookup_that_fails_costs_nothing() -> None:
    limiter, customers, _ = free_and_pro()
    with pytest.raises(KeyError):
        limiter.acquire("ann")
    customers.tiers["ann"] = "free"
    assert limiter.acquire("ann", 10) == Allowed(0)


def test_a_bound_on_keys_keeps_newcomers_out_until_a_key_is_as_new() -> None:
    customers, ticker = Customers(ann="pro", bob="free"), ManualTicker()
    limiter = TieredLimiter({"free": FREE, "pro": PRO}, customers, ticker, max_keys=1)
    limiter.acquire("ann", 5)
    assert limiter.acquire("bob") == Denied(5_000)
    ticker.advance(5_000)
    assert limiter.acquire("bob") == Allowed(9)


def test_idle_keys_are_forgotten_once_all_tiers_are_as_new() -> None:
    limiter, customers, ticker = free_and_pro(ann="pro", bob="free")
    limiter.acquire("ann", 100)
    ticker.advance(20_001)
    customers.tiers["ann"] = "free"
    limiter.acquire("bob")
    assert limiter.tracked_keys == 1


@pytest.mark.parametrize(
    ("configs", "error"), [({}, ValueError), ([FREE], TypeError), (None, TypeError)]
)
def test_configs_is_a_mapping_with_a_tier(configs: Any, error: type[Exception]) -> None:  # noqa: ANN401
    with pytest.raises(error, match="configs must"):
        TieredLimiter(configs, Customers(), ManualTicker())
