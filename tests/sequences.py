"""Traffic for property tests of what manages limiters: configurations, steps, costs and keys."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from ratelimit import (
    CompositeConfig,
    ConfiguredLimiter,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)

limits = st.integers(1, 6)
windows_ms = st.one_of(st.integers(1, 12), st.sampled_from([333, 1_000]))
rates = st.one_of(
    st.sampled_from([1, 2, 3, 7, 999, 1_000, 5_000, Fraction(1, 3), Fraction(5, 7)]),
    st.fractions(min_value=Fraction(1, 60), max_value=50, max_denominator=60),
)

algorithms: st.SearchStrategy[LimiterConfig] = st.one_of(
    st.builds(TokenBucketConfig, limits, rates),
    st.builds(LeakyBucketConfig, limits, rates),
    st.builds(FixedWindowConfig, limits, windows_ms),
    st.builds(SlidingWindowConfig, limits, windows_ms, st.sampled_from(["boundary", "exact"])),
    st.builds(SlidingLogConfig, limits, windows_ms),
)
exact_algorithms = algorithms.filter(
    lambda config: getattr(config, "retry_hint", "exact") == "exact"
)


def composites_of(members: st.SearchStrategy[LimiterConfig]) -> st.SearchStrategy[CompositeConfig]:
    return st.builds(CompositeConfig, st.lists(members, min_size=1, max_size=3).map(tuple))


composites = composites_of(st.one_of(algorithms, composites_of(algorithms)))
exact_composites = composites_of(st.one_of(exact_algorithms, composites_of(exact_algorithms)))
configs = st.one_of(algorithms, composites)

steps_forward = st.one_of(
    st.integers(0, 12),
    st.sampled_from([0, 100, 333, 334, 999, 1_000, 1_001]),
    st.integers(0, 5_000),
)
steps_both_ways = st.one_of(steps_forward, steps_forward.map(lambda step_ms: -step_ms))
starts_ms = st.one_of(st.just(0), st.integers(-3_000, 3_000), st.just(1_700_000_000_000))


class Ask(NamedTuple):
    """One question: the clock moves by `step_ms`, then `share` of what is possible is asked for."""

    step_ms: int
    share: Fraction
    key: str = ""

    def cost(self, limiter: ConfiguredLimiter) -> int:
        """Return the cost, from 1 to the largest that is possible."""
        return 1 + int((limiter.max_cost - 1) * self.share)


shares = st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1)])
keys = st.sampled_from("abcdefgh")


def asks(
    steps: st.SearchStrategy[int], min_size: int = 1, max_size: int = 30
) -> st.SearchStrategy[list[Ask]]:
    return st.lists(st.builds(Ask, steps, shares, keys), min_size=min_size, max_size=max_size)


forward = asks(steps_forward)
both_ways = asks(steps_both_ways)
