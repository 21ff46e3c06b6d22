"""Reading configuration: what is right becomes records, what is wrong is all told at once."""

from fractions import Fraction
from pathlib import Path

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
    config_from_mapping,
    load_configs,
)
from ratelimit.config_reading import (
    ConfigError,
    config_to_mapping,
    config_to_toml,
    group_of,
)

NAMES = "composite, fixed_window, leaky_bucket, sliding_log, sliding_window, token_bucket"
numbers = st.integers(1, 10**6)
rates = st.one_of(
    numbers, st.fractions(min_value=Fraction(1, 1_000), max_value=1_000, max_denominator=1_000)
)
plain = st.one_of(
    st.builds(TokenBucketConfig, numbers, rates),
    st.builds(LeakyBucketConfig, numbers, rates),
    st.builds(FixedWindowConfig, numbers, numbers),
    st.builds(SlidingLogConfig, numbers, numbers),
    st.builds(SlidingWindowConfig, numbers, numbers, st.sampled_from(["boundary", "exact"])),
)
configs = st.recursive(
    plain,
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(
        lambda each: CompositeConfig(tuple(each))
    ),
    max_leaves=6,
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "limits.toml"
    path.write_text(text, encoding="utf-8")
    return path


def faults_of(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_configs(path)
    assert caught.value.source == str(path)
    assert str(path) in str(caught.value)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("mapping", "config"),
    [
        (
            {"algorithm": "token_bucket", "capacity": 10, "refill_per_sec": 5},
            TokenBucketConfig(10, 5),
        ),
        (
            {"algorithm": "token_bucket", "capacity": 10, "refill_per_sec": "1/6"},
            TokenBucketConfig(10, Fraction(1, 6)),
        ),
        (
            {"algorithm": "token_bucket", "capacity": 1, "refill_per_sec": Fraction(5, 3)},
            TokenBucketConfig(1, Fraction(5, 3)),
        ),
        (
            {"algorithm": "leaky_bucket", "capacity": 10, "leak_per_sec": "100 per hour"},
            LeakyBucketConfig(10, Fraction(1, 36)),
        ),
        (
            {"algorithm": "fixed_window", "limit": 10, "window_ms": 1_000},
            FixedWindowConfig(10, 1_000),
        ),
        (
            {"algorithm": "sliding_log", "limit": 10, "window_ms": 1_000},
            SlidingLogConfig(10, 1_000),
        ),
        (
            {"algorithm": "sliding_window", "limit": 10, "window_ms": 1_000},
            SlidingWindowConfig(10, 1_000),
        ),
        (
            {"algorithm": "sliding_window", "limit": 10, "window_ms": 1_000, "retry_hint": "exact"},
            SlidingWindowConfig(10, 1_000, "exact"),
        ),
        (
            {
                "algorithm": "composite",
                "limits": [{"algorithm": "fixed_window", "limit": 1, "window_ms": 2}],
            },
            CompositeConfig((FixedWindowConfig(1, 2),)),
        ),
    ],
)
def test_a_mapping_becomes_its_record(mapping: dict[str, object], config: LimiterConfig) -> None:
    assert config_from_mapping(mapping) == config


@given(config=configs)
def test_every_record_survives_a_round_trip_through_a_mapping(config: LimiterConfig) -> None:
    assert config_from_mapping(config_to_mapping(config)) == config


@given(config=configs)
def test_every_record_survives_a_round_trip_through_a_file(
    config: LimiterConfig, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("toml"), config_to_toml("api", config))
    assert load_configs(path) == {"api": config}


FILE = """
[strict]
algorithm = "sliding_log"
limit = 1_000
window_ms = 0x10

[both]
algorithm = "composite"
[[both.limits]]
algorithm = "fixed_window"
limit = 10
window_ms = 1_000
[[both.limits]]
algorithm = "composite"
[[both.limits.limits]]
algorithm = "token_bucket"
capacity = 1_000
refill_per_sec = "1000/hour"

[tiers.free]
algorithm = "token_bucket"
capacity = 15_000
refill_per_sec = "15000/1d"
[tiers.pro]
algorithm = "token_bucket"
capacity = 100
refill_per_sec = 10
"""


def test_a_file_holds_named_limits_nested_composites_and_groups(tmp_path: Path) -> None:
    loaded = load_configs(written(tmp_path, FILE))
    assert list(loaded) == ["strict", "both", "tiers.free", "tiers.pro"]
    assert loaded["strict"] == SlidingLogConfig(1_000, 16)
    inner = CompositeConfig((TokenBucketConfig(1_000, Fraction(1_000, 3_600)),))
    assert loaded["both"] == CompositeConfig((FixedWindowConfig(10, 1_000), inner))
    assert list(group_of(loaded, "tiers")) == ["free", "pro"]
    with pytest.raises(KeyError, match="there is no group 'plans'; there are tiers"):
        group_of(loaded, "plans")
    with pytest.raises(KeyError, match="there are none"):
        group_of({}, "plans")


def test_a_rate_of_15000_a_day_is_one_token_in_5760_ms(tmp_path: Path) -> None:
    limiter = load_configs(written(tmp_path, FILE))["tiers.free"].build(ManualTicker())
    assert limiter.acquire(15_000) == Allowed(0)
    assert limiter.acquire() == Denied(5_760)


@pytest.mark.parametrize(
    "value", ["true", "1e3", "1.5", "nan", "inf", "-1", "0", '"10"', "[1]", "{}", "1979-05-27"]
)
@pytest.mark.parametrize("key", ["capacity", "limit", "window_ms"])
def test_amounts_and_times_are_whole_numbers(tmp_path: Path, key: str, value: str) -> None:
    good = {
        "capacity": 'algorithm = "token_bucket"\nrefill_per_sec = 1',
        "limit": 'algorithm = "fixed_window"\nwindow_ms = 1',
        "window_ms": 'algorithm = "fixed_window"\nlimit = 1',
    }
    (fault,) = faults_of(written(tmp_path, f"[api]\n{good[key]}\n{key} = {value}"))
    assert fault.startswith(f"[api] {key} = ")
    assert fault.endswith("is not accepted; use a whole number of at least 1")


@pytest.mark.parametrize(
    "value", ["true", "1.5", "nan", "inf", "1e400", "-1", "0", '"10/horu"', '""', '"10/"', "[1]"]
)
@pytest.mark.parametrize("algorithm", ["token_bucket", "leaky_bucket"])
def test_a_rate_is_a_whole_number_or_text(tmp_path: Path, algorithm: str, value: str) -> None:
    key = "refill_per_sec" if algorithm == "token_bucket" else "leak_per_sec"
    text = f'[api]\nalgorithm = "{algorithm}"\ncapacity = 1\n{key} = {value}'
    (fault,) = faults_of(written(tmp_path, text))
    assert fault.startswith(f"[api] {key} = ")
    assert '"10/minute"' in fault


def test_all_faults_are_told_at_once_with_table_key_value_and_what_is_accepted(
    tmp_path: Path,
) -> None:
    path = written(
        tmp_path,
        """
loose = 3
[a]
algorithm = "tokenbucket"
[b]
algorithm = "token_bucket"
capacity = true
refil_per_sec = 5
[c]
algorithm = "fixed_window"
limit = 10
window-ms = 1_000
[d]
capacity = 1
[e]
algoritm = "fixed_window"
[f]
algorithm = "token_bucket"
capacity = 1
refill_per_sec = 1
window_ms = 5
[g]
algorithm = "sliding_window"
limit = 1
window_ms = 1
retry_hint = "soon"
[h]
algorithm = "composite"
limits = []
[i]
algorithm = "composite"
limits = [3, { algorithm = "fixed_window", limit = 0, window_ms = 1 }]
""",
    )
    assert faults_of(path) == [
        "loose = 3 stands outside every limit; put it into a table",
        "[a] algorithm 'tokenbucket' is unknown, did you mean 'token_bucket'?; use one of " + NAMES,
        "[b] key 'refil_per_sec' is unknown, did you mean refill_per_sec?; "
        "accepted are capacity, refill_per_sec",
        "[b] key 'refill_per_sec' is missing; accepted are capacity, refill_per_sec",
        "[b] capacity = true is not accepted; use a whole number of at least 1",
        "[c] key 'window-ms' is unknown, did you mean window_ms?; accepted are limit, window_ms",
        "[c] key 'window_ms' is missing; accepted are limit, window_ms",
        "[d] algorithm is missing; use one of " + NAMES,
        "[e] algorithm is missing, did you mean it by 'algoritm'?; use one of " + NAMES,
        "[f] key 'window_ms' is unknown; accepted are capacity, refill_per_sec",
        '[g] retry_hint = "soon" is not accepted; use "boundary" or "exact"',
        "[h] limits = [] is not accepted; use a list of at least one limit",
        "[i.limits 1] a limit must be a table, got 3",
        "[i.limits 2] limit = 0 is not accepted; use a whole number of at least 1",
    ]


def test_a_mapping_is_refused_with_the_same_words() -> None:
    with pytest.raises(ConfigError, match="3 faults") as caught:
        config_from_mapping({"algorithm": "fixed_window", "limit": True, "window": 5})
    assert isinstance(caught.value, ValueError)
    assert [str(fault) for fault in caught.value.faults] == [
        "key 'window' is unknown, did you mean window_ms?; accepted are limit, window_ms",
        "key 'window_ms' is missing; accepted are limit, window_ms",
        "limit = true is not accepted; use a whole number of at least 1",
    ]
    with pytest.raises(ConfigError, match="a limit must be a table, got 3"):
        config_from_mapping(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "there is no such file"),
        (b"", "the file names no limit"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"[api\n", "this is not TOML"),
        (b"a = 1\na = 2\n", "this is not TOML"),
        (b"#" * 1_000_001, "it has 1,000,001 bytes"),
    ],
)
def test_a_bad_file_is_told_clearly(tmp_path: Path, content: bytes | None, problem: str) -> None:
    path = tmp_path / "limits.toml"
    if content is not None:
        path.write_bytes(content)
    (fault,) = faults_of(path)
    assert problem in fault


def test_a_directory_is_told_clearly(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path)
    assert "this is a directory" in fault


def test_building_twice_gives_limiters_that_share_nothing(tmp_path: Path) -> None:
    config = load_configs(written(tmp_path, FILE))["both"]
    ticker = ManualTicker()
    first, second = config.build(ticker), config.build(ticker)
    assert first.acquire(10) == Allowed(0)
    assert second.acquire(10) == Allowed(0)


def test_the_example_file_loads() -> None:
    path = Path(__file__).parents[1] / "notebooks" / "limits.toml"
    loaded = load_configs(path)
    assert {"strict_api", "bursty_client", "per_second_and_hour"} <= set(loaded)
    assert list(group_of(loaded, "tiers")) == ["free", "pro"]
