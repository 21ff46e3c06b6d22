"""Clocks: one that the system moves, one that we move."""

import time

import pytest

from ratelimit import ManualTicker, MonotonicTicker, Ticker


def test_both_are_tickers() -> None:
    assert isinstance(ManualTicker(), Ticker)
    assert isinstance(MonotonicTicker(), Ticker)


@pytest.mark.parametrize(
    ("ns", "ms"), [(0, 0), (999_999, 0), (1_000_000, 1), (1_999_999, 1), (-1, -1), (10**18, 10**12)]
)
def test_the_monotonic_ticker_rounds_the_monotonic_clock_down(
    monkeypatch: pytest.MonkeyPatch, ns: int, ms: int
) -> None:
    monkeypatch.setattr(time, "monotonic_ns", lambda: ns)
    assert MonotonicTicker().now_ms() == ms


def test_the_manual_ticker_stands_still_until_it_is_moved() -> None:
    ticker = ManualTicker()
    readings = [ticker.now_ms(), ticker.now_ms()]
    ticker.advance(5)
    readings.append(ticker.now_ms())
    ticker.advance(-7)
    readings.append(ticker.now_ms())
    ticker.move_to(1_000)
    readings.append(ticker.now_ms())
    assert readings == [0, 0, 5, -2, 1_000]


def test_the_manual_ticker_starts_where_it_is_told() -> None:
    assert ManualTicker(-3).now_ms() == -3
    assert repr(ManualTicker(7)) == "ManualTicker(start_ms=7)"


@pytest.mark.parametrize("value", [True, 1.0, "1", None], ids=repr)
def test_the_manual_ticker_takes_whole_milliseconds_only(value: object) -> None:
    ticker = ManualTicker(9)
    with pytest.raises(TypeError, match="ms must be an int"):
        ticker.advance(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="at_ms must be an int"):
        ticker.move_to(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="start_ms must be an int"):
        ManualTicker(value)  # type: ignore[arg-type]
    assert ticker.now_ms() == 9
