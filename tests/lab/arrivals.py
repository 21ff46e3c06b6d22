"""Random configurations and requests for them, and the answers of a limiter driven by hand."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from ratelimit import (
    CompositeConfig,
    Decision,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    ManualTicker,
    RateLimiter,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.lab import Request

# The same examples on every run and machine, however slow it is.
REPEATABLE = settings(derandomize=True, deadline=None, database=None, max_examples=150)

_LIMITS = st.integers(1, 8)
_WINDOWS_MS = st.integers(1, 60)
_RATES = st.one_of(st.integers(1, 400), st.fractions(Fraction(1, 5), 300, max_denominator=7))

CONFIGS: st.SearchStrategy[LimiterConfig] = st.one_of(
    st.builds(TokenBucketConfig, _LIMITS, _RATES),
    st.builds(LeakyBucketConfig, _LIMITS, _RATES),
    st.builds(SlidingWindowConfig, _LIMITS, _WINDOWS_MS, st.sampled_from(["boundary", "exact"])),
    st.builds(FixedWindowConfig, _LIMITS, _WINDOWS_MS),
    st.builds(SlidingLogConfig, _LIMITS, _WINDOWS_MS),
)


def highest_cost(config: LimiterConfig) -> int:
    match config:
        case TokenBucketConfig() | LeakyBucketConfig():
            return config.capacity
        case SlidingWindowConfig() | FixedWindowConfig() | SlidingLogConfig():
            return config.limit
        case CompositeConfig():
            return min(highest_cost(limit) for limit in config.limits)


@st.composite
def traffic_for(
    draw: st.DrawFn, config: LimiterConfig, *, keys: str = "", in_order: bool = False
) -> list[Request]:
    """Draw requests within a short stretch of time, in any order unless `in_order`."""
    requests = draw(
        st.lists(
            st.builds(
                Request,
                st.integers(-90, 90),
                st.integers(1, highest_cost(config)),
                st.sampled_from(keys) if keys else st.just(""),
            ),
            max_size=25,
        )
    )
    return sorted(requests) if in_order else requests


def decide_by_hand(config: LimiterConfig, requests: list[Request]) -> list[Decision]:
    """Ask one limiter a key, each with a clock of its own."""
    clocks: dict[str, ManualTicker] = {}
    limiters: dict[str, RateLimiter] = {}
    decisions: list[Decision] = []
    for request in requests:
        if request.key not in limiters:
            clocks[request.key] = ManualTicker(request.at_ms)
            limiters[request.key] = config.build(clocks[request.key])
        clock = clocks[request.key]
        clock.advance(request.at_ms - clock.now_ms())
        decisions.append(limiters[request.key].acquire(request.cost))
    return decisions
