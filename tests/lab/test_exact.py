import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import Denied, LimiterConfig, SlidingWindowConfig
from ratelimit.lab import Level, Request, Trace, exact_counts, refused_with_room, simulate, traffic
from tests.lab.arrivals import CONFIGS, REPEATABLE, traffic_for

WINDOWS_MS = st.integers(1, 120)


def units_in_window(requests: tuple[Request, ...], at_ms: int, window_ms: int) -> int:
    return sum(request.cost for request in requests if at_ms - window_ms < request.at_ms <= at_ms)


@REPEATABLE
@given(
    data=st.data(),
    config=CONFIGS,
    window_ms=WINDOWS_MS,
    moments_ms=st.lists(st.integers(-99, 99)),
)
def test_the_count_at_each_moment_is_of_all_that_was_admitted_within_the_window(
    data: st.DataObject, config: LimiterConfig, window_ms: int, moments_ms: list[int]
) -> None:
    requests = data.draw(traffic_for(config, in_order=True))
    trace = simulate(config, requests, levels_at_ms=moments_ms)
    counts = exact_counts(trace, window_ms)
    assert counts.requests == trace.admitted_requests
    assert counts.denied == 0
    last_reading = {level.at_ms: level.amount_milli for level in counts.levels}
    assert last_reading == {
        at_ms: 1_000 * units_in_window(trace.admitted_requests, at_ms, window_ms)
        for at_ms in {*moments_ms, *(request.at_ms for request in requests)}
    }
    assert [level.at_ms for level in counts.levels] == sorted(
        [*last_reading, *(2 * [request.at_ms for request in trace.admitted_requests])]
    )


def test_the_count_before_a_request_does_not_hold_it() -> None:
    trace = simulate(SlidingWindowConfig(5, 100), [(7, 3)])
    assert exact_counts(trace, 100).levels == (Level(7, 0), Level(7, 3_000), Level(7, 3_000))


def test_nothing_at_all_counts_as_nothing() -> None:
    assert exact_counts(simulate(SlidingWindowConfig(5, 100), []), 100).levels == ()


@REPEATABLE
@given(data=st.data(), config=CONFIGS, window_ms=WINDOWS_MS, limit=st.integers(1, 12))
def test_a_refusal_with_room_is_one_that_the_exact_count_would_have_let_in(
    data: st.DataObject, config: LimiterConfig, window_ms: int, limit: int
) -> None:
    trace = simulate(config, data.draw(traffic_for(config, in_order=True)))
    assert refused_with_room(trace, limit, window_ms) == [
        request
        for request, decision in trace
        if isinstance(decision, Denied)
        and units_in_window(trace.admitted_requests, request.at_ms, window_ms) + request.cost
        <= limit
    ]


def test_an_estimate_refuses_what_an_exact_count_would_let_in() -> None:
    config = SlidingWindowConfig(10, 1_000)
    trace = simulate(config, [0] * 10 + [1_100] * 9)
    # At 1,100 the log is empty, and the estimate is 9; what was admitted then fills the log.
    assert refused_with_room(trace, 10, 1_000) == [Request(1_100)] * 8


def test_room_is_judged_after_all_requests_of_the_same_moment() -> None:
    trace = simulate(SlidingWindowConfig(2, 1_000), [0, 0, 1_500, 1_500, 1_500])
    assert trace.admitted == 3
    assert refused_with_room(trace, 2, 1_000) == [Request(1_500)] * 2
    assert refused_with_room(trace, 1, 1_000) == []


def a_trace() -> Trace:
    return simulate(SlidingWindowConfig(2, 1_000), traffic.steady(5, 1_000))


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (0, ValueError, "must be positive, got 0"),
        (-1, ValueError, "must be positive, got -1"),
        (0.5, TypeError, "must be an int, got float 0.5"),
        (True, TypeError, "must be an int, got bool True"),
    ],
)
def test_limits_and_windows_are_positive_integers(
    bad: int, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=f"window_ms {words}"):
        exact_counts(a_trace(), bad)
    with pytest.raises(error, match=f"window_ms {words}"):
        refused_with_room(a_trace(), 2, bad)
    with pytest.raises(error, match=f"limit {words}"):
        refused_with_room(a_trace(), bad, 1_000)


def test_several_keys_are_refused() -> None:
    trace = simulate(SlidingWindowConfig(2, 1_000), [(0, 1, "a"), (0, 1, "b")])
    with pytest.raises(ValueError, match="2 keys"):
        exact_counts(trace, 1_000)
