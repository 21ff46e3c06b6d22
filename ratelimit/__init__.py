"""Rate limiters that are exact, deterministic under test, and small enough to teach with."""

from ratelimit.algorithms.fixed_window import FixedWindow
from ratelimit.algorithms.leaky_bucket import LeakyBucket
from ratelimit.algorithms.sliding_log import SlidingLog
from ratelimit.algorithms.sliding_window import SlidingWindow
from ratelimit.algorithms.token_bucket import TokenBucket
from ratelimit.async_waiting import AsyncLimiter
from ratelimit.atomic import AtomicCounter, AtomicInteger
from ratelimit.composite import CompositeLimiter
from ratelimit.config import (
    CompositeConfig,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.config_reading import (
    ConfigError,
    config_from_mapping,
    config_to_mapping,
    config_to_toml,
    group_of,
    load_configs,
)
from ratelimit.decision import Allowed, Decision, Denied
from ratelimit.http import rate_limit_headers
from ratelimit.limiter import ConfiguredLimiter, LimiterFactory, PeekableLimiter, RateLimiter
from ratelimit.per_key import PerKeyLimiter
from ratelimit.quota import Quota
from ratelimit.synchronized import SynchronizedLimiter
from ratelimit.synchronized_per_key import SynchronizedPerKeyLimiter
from ratelimit.ticker import ManualTicker, MonotonicTicker, Ticker
from ratelimit.tiers import TieredLimiter
from ratelimit.waiting import BlockingLimiter
from ratelimit.waiting_line import WaitTimeoutError

__all__ = [
    "Allowed",
    "AsyncLimiter",
    "AtomicCounter",
    "AtomicInteger",
    "BlockingLimiter",
    "CompositeConfig",
    "CompositeLimiter",
    "ConfigError",
    "ConfiguredLimiter",
    "Decision",
    "Denied",
    "FixedWindow",
    "FixedWindowConfig",
    "LeakyBucket",
    "LeakyBucketConfig",
    "LimiterConfig",
    "LimiterFactory",
    "ManualTicker",
    "MonotonicTicker",
    "PeekableLimiter",
    "PerKeyLimiter",
    "Quota",
    "RateLimiter",
    "SlidingLog",
    "SlidingLogConfig",
    "SlidingWindow",
    "SlidingWindowConfig",
    "SynchronizedLimiter",
    "SynchronizedPerKeyLimiter",
    "Ticker",
    "TieredLimiter",
    "TokenBucket",
    "TokenBucketConfig",
    "WaitTimeoutError",
    "config_from_mapping",
    "config_to_mapping",
    "config_to_toml",
    "group_of",
    "load_configs",
    "rate_limit_headers",
]
