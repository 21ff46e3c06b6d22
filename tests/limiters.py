"""The table of all limiters: one line here puts a limiter under the whole contract suite."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pytest

from ratelimit import (
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    PeekableLimiter,
    SlidingLogConfig,
    SlidingWindowConfig,
    Ticker,
    TokenBucketConfig,
)
from tests.oracles import (
    BoundaryOracle,
    BucketOracle,
    FixedOracle,
    LogOracle,
    Oracle,
    SlidingOracle,
)

Build = Callable[[Ticker, int], PeekableLimiter]
Number = int | Fraction


@dataclass(frozen=True)
class Subject:
    """A limiter under test.

    Attributes:
        name: how test reports call it.
        configure: makes its record from a limit and its second parameter.
        oracle: makes the oracle from a start, a limit and the second parameter.
        second: an everyday second parameter: a rate per second, or a window in ms.
        exact_hint: whether a denial's hint is the smallest wait that is enough.
    """

    name: str
    configure: Callable[[int, Number], LimiterConfig]
    oracle: Callable[[int, int, Number], Oracle]
    second: Number
    exact_hint: bool = True

    def build(self, ticker: Ticker, limit: int) -> PeekableLimiter:
        """Return a new limiter with the everyday second parameter."""
        return self.configure(limit, self.second).build(ticker)

    @property
    def is_bucket(self) -> bool:
        return "bucket" in self.name


SUBJECTS = [
    Subject("token bucket", TokenBucketConfig, BucketOracle, 3),
    Subject("token bucket, a third per second", TokenBucketConfig, BucketOracle, Fraction(1, 3)),
    Subject("leaky bucket", LeakyBucketConfig, BucketOracle, 3),
    Subject("leaky bucket, a third per second", LeakyBucketConfig, BucketOracle, Fraction(1, 3)),
    Subject(
        "fixed window",
        lambda limit, window: FixedWindowConfig(limit, int(window)),
        lambda start, limit, window: FixedOracle(start, limit, int(window)),
        1_000,
    ),
    Subject(
        "sliding log",
        lambda limit, window: SlidingLogConfig(limit, int(window)),
        lambda start, limit, window: LogOracle(start, limit, int(window)),
        1_000,
    ),
    Subject(
        "sliding window",
        lambda limit, window: SlidingWindowConfig(limit, int(window)),
        lambda start, limit, window: BoundaryOracle(start, limit, int(window)),
        1_000,
        exact_hint=False,
    ),
    Subject(
        "sliding window, exact hint",
        lambda limit, window: SlidingWindowConfig(limit, int(window), "exact"),
        lambda start, limit, window: SlidingOracle(start, limit, int(window)),
        1_000,
    ),
]

each_limiter = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
each_exact_limiter = pytest.mark.parametrize(
    "subject", [each for each in SUBJECTS if each.exact_hint], ids=lambda subject: subject.name
)
