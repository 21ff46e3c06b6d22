"""Records: data that is checked when it is made, and builds limiters that share nothing."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import assert_never, get_args

import pytest

from ratelimit import (
    Allowed,
    CompositeConfig,
    CompositeLimiter,
    FixedWindow,
    FixedWindowConfig,
    LeakyBucket,
    LeakyBucketConfig,
    LimiterConfig,
    ManualTicker,
    SlidingLog,
    SlidingLogConfig,
    SlidingWindow,
    SlidingWindowConfig,
    TokenBucket,
    TokenBucketConfig,
)

CONFIGS: list[LimiterConfig] = [
    TokenBucketConfig(5, 2),
    TokenBucketConfig(capacity=5, refill_per_sec=Fraction(1, 6)),
    SlidingWindowConfig(5, 1_000),
    SlidingWindowConfig(limit=5, window_ms=1_000, retry_hint="exact"),
    FixedWindowConfig(5, 1_000),
    SlidingLogConfig(5, 1_000),
    LeakyBucketConfig(5, 2),
    CompositeConfig((FixedWindowConfig(5, 1_000), SlidingLogConfig(9, 1_000))),
]
each_config = pytest.mark.parametrize("config", CONFIGS, ids=repr)


def built_class(config: LimiterConfig) -> type:
    """Type-checks only as long as every algorithm is handled."""
    match config:
        case TokenBucketConfig():
            return TokenBucket
        case SlidingWindowConfig():
            return SlidingWindow
        case FixedWindowConfig():
            return FixedWindow
        case SlidingLogConfig():
            return SlidingLog
        case LeakyBucketConfig():
            return LeakyBucket
        case CompositeConfig():
            return CompositeLimiter
        case _:
            assert_never(config)


def test_every_algorithm_is_among_the_examples() -> None:
    assert {type(config) for config in CONFIGS} == set(get_args(LimiterConfig))


@each_config
def test_it_builds_its_algorithm(config: LimiterConfig) -> None:
    assert type(config.build(ManualTicker())) is built_class(config)


@each_config
def test_each_build_is_a_limiter_of_its_own(config: LimiterConfig) -> None:
    ticker = ManualTicker()
    first, second = config.build(ticker), config.build(ticker)
    assert first.acquire(5) == Allowed(0)
    assert second.acquire(5) == Allowed(0)


@each_config
def test_it_is_a_value(config: LimiterConfig) -> None:
    twin = eval(repr(config), {**globals(), "Fraction": Fraction})
    assert twin == config
    assert hash(twin) == hash(config)
    assert copy.deepcopy(config) == pickle.loads(pickle.dumps(config)) == config
    assert len(set(CONFIGS)) == len(CONFIGS)


@each_config
def test_it_cannot_be_changed(config: LimiterConfig) -> None:
    for field in type(config).__slots__:
        with pytest.raises(FrozenInstanceError):
            setattr(config, field, 1)


def test_a_record_that_makes_no_sense_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="capacity must be positive"):
        TokenBucketConfig(0, 1)
    with pytest.raises(ValueError, match="refill_per_sec must be positive, got 0"):
        TokenBucketConfig(1, 0)
    with pytest.raises(TypeError, match="refill_per_sec must be an int or a Fraction"):
        TokenBucketConfig(1, 0.5)  # type: ignore[arg-type]
    for record in (SlidingWindowConfig, FixedWindowConfig, SlidingLogConfig):
        with pytest.raises(ValueError, match="limit must be positive, got 0"):
            record(0, 1)
        with pytest.raises(ValueError, match="window_ms must be positive, got -1"):
            record(1, -1)
