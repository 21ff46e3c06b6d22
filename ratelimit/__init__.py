"""Rate limiters that are exact, deterministic under test, and small enough to teach with."""

from ratelimit.algorithms.fixed_window import FixedWindow
from ratelimit.algorithms.sliding_log import SlidingLog
from ratelimit.algorithms.sliding_window import SlidingWindow
from ratelimit.algorithms.token_bucket import TokenBucket
from ratelimit.config import (
    FixedWindowConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.decision import Allowed, Decision, Denied
from ratelimit.limiter import PeekableLimiter, RateLimiter
from ratelimit.ticker import ManualTicker, MonotonicTicker, Ticker

__all__ = [
    "Allowed",
    "Decision",
    "Denied",
    "FixedWindow",
    "FixedWindowConfig",
    "LimiterConfig",
    "ManualTicker",
    "MonotonicTicker",
    "PeekableLimiter",
    "RateLimiter",
    "SlidingLog",
    "SlidingLogConfig",
    "SlidingWindow",
    "SlidingWindowConfig",
    "Ticker",
    "TokenBucket",
    "TokenBucketConfig",
]
