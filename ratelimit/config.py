"""The choice of algorithm as data: one frozen record each, and one place that builds."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ratelimit.algorithms.fixed_window import FixedWindow
from ratelimit.algorithms.leaky_bucket import LeakyBucket
from ratelimit.algorithms.sliding_log import SlidingLog
from ratelimit.algorithms.sliding_window import RetryHint, SlidingWindow
from ratelimit.algorithms.token_bucket import TokenBucket
from ratelimit.composite import CompositeLimiter
from ratelimit.ticker import ManualTicker, Ticker


@dataclass(frozen=True, slots=True)
class TokenBucketConfig:
    """Parameters of a `TokenBucket`, checked when the record is made.

    Attributes:
        capacity: the most tokens the bucket holds, at least 1.
        refill_per_sec: tokens that arrive each second, an `int` or a `Fraction` above 0.

    Raises:
        TypeError, ValueError: as `TokenBucket` does.
    """

    capacity: int
    refill_per_sec: int | Fraction

    def __post_init__(self) -> None:
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> TokenBucket:
        """Return a new, full bucket that reads `ticker`."""
        return TokenBucket(ticker, self.capacity, self.refill_per_sec)


@dataclass(frozen=True, slots=True)
class SlidingWindowConfig:
    """Parameters of a `SlidingWindow`, checked when the record is made.

    Attributes:
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.
        retry_hint: "boundary" or "exact".

    Raises:
        TypeError, ValueError: as `SlidingWindow` does.
    """

    limit: int
    window_ms: int
    retry_hint: RetryHint = "boundary"

    def __post_init__(self) -> None:
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> SlidingWindow:
        """Return a new, unused window that reads `ticker`."""
        return SlidingWindow(ticker, self.limit, self.window_ms, self.retry_hint)


@dataclass(frozen=True, slots=True)
class FixedWindowConfig:
    """Parameters of a `FixedWindow`, checked when the record is made.

    Attributes:
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.

    Raises:
        TypeError, ValueError: as `FixedWindow` does.
    """

    limit: int
    window_ms: int

    def __post_init__(self) -> None:
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> FixedWindow:
        """Return a new, unused window that reads `ticker`."""
        return FixedWindow(ticker, self.limit, self.window_ms)


@dataclass(frozen=True, slots=True)
class SlidingLogConfig:
    """Parameters of a `SlidingLog`, checked when the record is made.

    Attributes:
        limit: units per window, at least 1.
        window_ms: the window's length in milliseconds, at least 1.

    Raises:
        TypeError, ValueError: as `SlidingLog` does.
    """

    limit: int
    window_ms: int

    def __post_init__(self) -> None:
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> SlidingLog:
        """Return a new, empty log that reads `ticker`."""
        return SlidingLog(ticker, self.limit, self.window_ms)


@dataclass(frozen=True, slots=True)
class LeakyBucketConfig:
    """Parameters of a `LeakyBucket`, checked when the record is made.

    Attributes:
        capacity: the most the bucket holds, at least 1.
        leak_per_sec: units that leak out each second, an `int` or a `Fraction` above 0.

    Raises:
        TypeError, ValueError: as `LeakyBucket` does.
    """

    capacity: int
    leak_per_sec: int | Fraction

    def __post_init__(self) -> None:
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> LeakyBucket:
        """Return a new, empty bucket that reads `ticker`."""
        return LeakyBucket(ticker, self.capacity, self.leak_per_sec)


@dataclass(frozen=True, slots=True)
class CompositeConfig:
    """Several limits that must all allow, checked when the record is made.

    Attributes:
        limits: the configurations of the members, at least one; a tuple, nested
            composites included. Another iterable is made into a tuple.

    Raises:
        TypeError: `limits` is not iterable, or holds something other than configurations.
        ValueError: `limits` is empty.
    """

    limits: "tuple[LimiterConfig, ...]"

    def __post_init__(self) -> None:
        if isinstance(self.limits, LimiterConfig) or not isinstance(self.limits, Iterable):
            raise TypeError(
                f"limits must be a tuple of configurations, got {type(self.limits).__name__}; "
                f"write CompositeConfig((first, second))"
            )
        object.__setattr__(self, "limits", tuple(self.limits))
        if not self.limits:
            raise ValueError("limits must not be empty; pass at least one configuration")
        for limit in self.limits:
            if not isinstance(limit, LimiterConfig):
                raise TypeError(
                    f"each of limits must be a configuration, got {type(limit).__name__} "
                    f"{limit!r}; use a record such as TokenBucketConfig(10, 5)"
                )
        self.build(ManualTicker())

    def build(self, ticker: Ticker) -> CompositeLimiter:
        """Return a composite of new, unused limiters, all of which read `ticker`."""
        return CompositeLimiter([limit.build(ticker) for limit in self.limits])


LimiterConfig: TypeAlias = (
    TokenBucketConfig
    | SlidingWindowConfig
    | FixedWindowConfig
    | LeakyBucketConfig
    | SlidingLogConfig
    | CompositeConfig
)
"""The closed set of algorithms, as data: a `match` over it can be exhaustive."""
