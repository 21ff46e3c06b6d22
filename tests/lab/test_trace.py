import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import Allowed, Decision, Denied, FixedWindowConfig, LimiterConfig, TokenBucketConfig
from ratelimit.lab import Request, Span, Trace, simulate, traffic
from tests.lab.arrivals import CONFIGS, REPEATABLE, traffic_for

CONFIG = TokenBucketConfig(capacity=3, refill_per_sec=1)


def a_trace() -> Trace:
    return simulate(CONFIG, [(0, 2), (100, 2), (200, 1), (1_500, 2)])


def test_counts_are_of_requests_and_of_units() -> None:
    trace = a_trace()
    assert len(trace) == 4
    assert (trace.admitted, trace.denied, trace.admitted_units) == (2, 2, 3)
    assert trace.admitted_requests == (Request(0, 2), Request(200, 1))


def test_iterating_gives_each_request_with_its_decision() -> None:
    trace = a_trace()
    assert list(trace) == list(zip(trace.requests, trace.decisions, strict=True))


def test_a_trace_without_its_decisions_is_not_iterated_over_in_part() -> None:
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        list(Trace(CONFIG, (Request(0), Request(1)), (Allowed(0),)))


@REPEATABLE
@given(data=st.data(), config=CONFIGS)
def test_counts_agree_with_the_decisions(data: st.DataObject, config: LimiterConfig) -> None:
    trace = simulate(config, data.draw(traffic_for(config, keys="ab")))
    admitted = [
        request
        for place, request in enumerate(trace.requests)
        if type(trace.decisions[place]) is Allowed
    ]
    assert list(trace.admitted_requests) == admitted
    assert trace.admitted == len(admitted)
    assert trace.denied == len(trace) - len(admitted)
    assert trace.admitted_units == sum(request.cost for request in admitted)


REQUESTS = st.builds(Request, st.integers(-40, 40), st.integers(1, 5), st.sampled_from("ab"))
DECISIONS = st.sampled_from([Allowed(1), Denied(1)])


@REPEATABLE
@given(steps=st.lists(st.tuples(REQUESTS, DECISIONS), max_size=20), span_ms=st.integers(1, 90))
def test_the_worst_span_is_that_of_all_spans(
    steps: list[tuple[Request, Decision]], span_ms: int
) -> None:
    requests = tuple(request for request, _ in steps)
    decisions = tuple(decision for _, decision in steps)
    spans = [
        Span(start_ms, start_ms + span_ms, units_in(steps, start_ms, start_ms + span_ms))
        for start_ms in sorted({request.at_ms for request in requests})
    ]
    most = max((span.admitted_units for span in spans), default=0)
    worst = Trace(CONFIG, requests, decisions).worst_span(span_ms)
    if most:
        # The first of equals among those that start at an admitted request.
        assert worst == next(
            span
            for span in spans
            if span.admitted_units == most and units_in(steps, span.start_ms, span.start_ms + 1)
        )
    else:
        assert worst == Span(0, span_ms, 0)
    everywhere = [units_in(steps, start_ms, start_ms + span_ms) for start_ms in range(-140, 50)]
    assert worst.admitted_units == max(everywhere)


def units_in(steps: list[tuple[Request, Decision]], start_ms: int, end_ms: int) -> int:
    return sum(
        request.cost
        for request, decision in steps
        if isinstance(decision, Allowed) and start_ms <= request.at_ms < end_ms
    )


def test_the_worst_span_of_a_boundary_burst_is_one_millisecond_long_and_twice_the_limit() -> None:
    trace = simulate(FixedWindowConfig(10, 1_000), traffic.boundary_burst(12, 1_000))
    assert trace.worst_span(2) == Span(999, 1_001, 20)
    assert trace.worst_span(1) == Span(999, 1_000, 10)


def test_the_end_of_a_span_does_not_belong_to_it() -> None:
    trace = simulate(FixedWindowConfig(1, 1_000), [0, 1_000])
    assert trace.worst_span(1_000) == Span(0, 1_000, 1)
    assert trace.worst_span(1_001) == Span(0, 1_001, 2)


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (0, ValueError, "must be positive, got 0"),
        (-3, ValueError, "must be positive, got -3"),
        (1.5, TypeError, "must be an int, got float 1.5"),
        (True, TypeError, "must be an int, got bool True"),
    ],
)
def test_lengths_are_positive_integers(bad: int, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=f"span_ms {words}"):
        a_trace().worst_span(bad)
    with pytest.raises(error, match=f"rows {words}"):
        a_trace().table(bad)


def test_the_table_has_one_line_for_each_request() -> None:
    assert a_trace().table() == "\n".join(
        [
            "t =       0 ms   cost 2   Allowed(remaining=1)",
            "t =     100 ms   cost 2   Denied(retry_after_ms=900)",
            "t =     200 ms   cost 1   Allowed(remaining=0)",
            "t =   1,500 ms   cost 2   Denied(retry_after_ms=500)",
        ]
    )


def test_a_long_table_says_how_much_is_left_out() -> None:
    trace = simulate(CONFIG, range(1_502))
    lines = trace.table(2).splitlines()
    assert lines == [
        "t =       0 ms   cost 1   Allowed(remaining=2)",
        "t =       1 ms   cost 1   Allowed(remaining=1)",
        "... and 1,500 more",
    ]
    assert len(trace.table().splitlines()) == 21
    assert "more" not in simulate(CONFIG, range(20)).table()


def test_the_table_of_nothing_is_empty() -> None:
    assert simulate(CONFIG, []).table() == ""


def test_a_trace_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        a_trace().requests = ()  # type: ignore[misc]
