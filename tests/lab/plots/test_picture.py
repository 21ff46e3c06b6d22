from base64 import b64decode
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ratelimit import (
    CompositeConfig,
    FixedWindowConfig,
    LeakyBucketConfig,
    LimiterConfig,
    SlidingLogConfig,
    SlidingWindowConfig,
    TokenBucketConfig,
)
from ratelimit.lab import Picture, plot, simulate, traffic
from tests.lab.seeing import line, pixels, points, saved, watched_words

CONFIGS: dict[LimiterConfig, int] = {
    TokenBucketConfig(capacity=4, refill_per_sec=2): 600,
    LeakyBucketConfig(capacity=4, leak_per_sec=2): 600,
    FixedWindowConfig(4, 1_000): 520,
    SlidingWindowConfig(4, 1_000): 520,
    SlidingLogConfig(4, 1_000): 520,
}


def a_picture(config: LimiterConfig, **times: int) -> Picture:
    return plot(simulate(config, traffic.bursts(3, 9, 3_000)), **times)


@pytest.mark.parametrize(("config", "height"), CONFIGS.items(), ids=repr)
def test_the_trace_of_any_algorithm_is_drawn_as_an_opaque_png(
    config: LimiterConfig, height: int
) -> None:
    picture = a_picture(config)
    with Image.open(BytesIO(picture.png)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (920, height))
    seen = pixels(picture.png)
    assert len(np.unique(seen @ np.array([65_536, 256, 1]))) > 50
    assert np.array_equal(seen, saved(picture.figure))


@pytest.mark.parametrize("config", CONFIGS, ids=repr)
def test_marks_are_those_of_the_trace(config: LimiterConfig) -> None:
    trace = simulate(config, traffic.bursts(3, 9, 3_000))
    lane = plot(trace).figure.axes[1]
    assert len(points(line(lane, "admitted"))) == trace.admitted > 0
    assert len(points(line(lane, "denied"))) == trace.denied > 0


def test_a_picture_shows_itself_with_its_numbers_as_text() -> None:
    picture = a_picture(TokenBucketConfig(capacity=4, refill_per_sec=2))
    assert picture.summary == "27 requests, 9 admitted, 18 denied"
    assert repr(picture) == f"Picture: {picture.summary}"
    for options in ({}, {"include": None, "exclude": None}):
        bundle = picture._repr_mimebundle_(**options)
        assert set(bundle) == {"text/plain", "image/png"}
        assert bundle["text/plain"] == repr(picture)
        assert b64decode(bundle["image/png"]) == picture.png


def test_large_numbers_in_the_summary_have_their_thousands_separated() -> None:
    picture = plot(simulate(SlidingLogConfig(1_500, 9_000), range(4_000)))
    assert picture.summary == "4,000 requests, 1,500 admitted, 2,500 denied"


def extent_of(picture: Picture) -> tuple[float, float]:
    (start, _), (end, _) = points(line(picture.figure.axes[0], "limit"))
    return start, end


@pytest.mark.parametrize(
    ("times", "extent"),
    [
        ({}, (500, 2_574)),
        ({"start_ms": 0}, (0, 2_599)),
        ({"end_ms": 9_000}, (500, 9_000)),
        ({"start_ms": -1_000, "end_ms": 700}, (-1_000, 700)),
    ],
)
def test_a_picture_shows_the_whole_trace_or_the_times_asked_for(
    times: dict[str, int], extent: tuple[int, int]
) -> None:
    trace = simulate(FixedWindowConfig(4, 1_000), [500, 1_000, 2_475])
    assert extent_of(plot(trace, **times)) == extent


def test_one_request_is_enough_and_the_clock_may_step_back() -> None:
    assert extent_of(plot(simulate(FixedWindowConfig(4, 1_000), [7]))) == (7, 8)
    assert extent_of(plot(simulate(FixedWindowConfig(4, 1_000), [700, 100]))) == (100, 731)


def test_a_step_back_of_the_clock_is_drawn_as_it_was_decided() -> None:
    trace = simulate(TokenBucketConfig(capacity=1, refill_per_sec=1), [2_000, 0, 3_000])
    lane = plot(trace).figure.axes[1]
    assert points(line(lane, "admitted")) == [(2_000, 1), (3_000, 1)]
    assert points(line(lane, "denied")) == [(0, 1)]


def test_levels_are_read_anew_and_a_trace_is_left_as_it_was() -> None:
    trace = simulate(FixedWindowConfig(4, 1_000), [500, 600])
    picture = plot(trace, start_ms=0, end_ms=1_000)
    assert trace.levels == ()
    (usage,) = (each for each in picture.figure.axes[0].lines if len(points(each)) > 100)
    assert {(500, 0), (500, 1), (600, 1), (600, 2), (999, 2), (1_000, 0)} <= set(points(usage))


@pytest.mark.parametrize(
    ("times", "error", "words"),
    [
        (
            {"start_ms": 1_000, "end_ms": 1_000},
            ValueError,
            "end_ms 1000 is not after start_ms 1000",
        ),
        ({"start_ms": 9_000}, ValueError, "is not after start_ms 9000; choose a later end"),
        ({"end_ms": -1}, ValueError, "end_ms -1 is not after start_ms 500"),
        ({"start_ms": 0.5}, TypeError, "start_ms must be an int, got float 0.5"),
        ({"end_ms": True}, TypeError, "end_ms must be an int, got bool True"),
    ],
)
def test_times_that_make_no_picture_are_refused(
    times: dict[str, Any], error: type[Exception], words: str
) -> None:
    trace = simulate(FixedWindowConfig(4, 1_000), [500, 600])
    with pytest.raises(error, match=words):
        plot(trace, **times)


def test_nothing_can_not_be_drawn() -> None:
    with pytest.raises(ValueError, match="no requests, so there is nothing to draw; simulate some"):
        plot(simulate(FixedWindowConfig(4, 1_000), []))


def test_a_composite_can_not_be_drawn_and_its_members_can() -> None:
    both = CompositeConfig((FixedWindowConfig(4, 1_000), SlidingLogConfig(9, 5_000)))
    trace = simulate(both, traffic.bursts(3, 9, 3_000))
    with pytest.raises(TypeError, match="plot each of its members alone"):
        plot(trace)
    assert trace.admitted == 9


def test_several_keys_can_not_be_drawn() -> None:
    with pytest.raises(ValueError, match="pass the requests of one key"):
        plot(simulate(FixedWindowConfig(4, 1_000), [(0, 1, "a"), (0, 1, "b")]))


@pytest.mark.parametrize("config", CONFIGS, ids=repr)
@pytest.mark.parametrize(
    "times",
    [
        {},
        {"start_ms": 2_000},
        {"start_ms": 900, "end_ms": 950},
        {"end_ms": 10_000_000},
    ],
    ids=repr,
)
def test_the_words_on_a_picture_neither_overlap_nor_are_cut_off(
    config: LimiterConfig, times: dict[str, int]
) -> None:
    with watched_words() as sheet:
        picture = a_picture(config, **times)
        assert sheet.faults(picture.figure) == []


@pytest.mark.parametrize("config", CONFIGS, ids=repr)
def test_the_words_on_a_picture_of_a_real_clock_fit(config: LimiterConfig) -> None:
    with watched_words() as sheet:
        requests = traffic.poisson(2, 30_000, 5, start_ms=1_700_000_000_123)
        picture = plot(simulate(config, requests))
        assert sheet.faults(picture.figure) == []
