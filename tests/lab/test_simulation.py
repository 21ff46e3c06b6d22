from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit import (
    Allowed,
    Decision,
    Denied,
    FixedWindow,
    FixedWindowConfig,
    LeakyBucket,
    LimiterConfig,
    ManualTicker,
    SlidingLog,
    SlidingLogConfig,
    SlidingWindow,
    SlidingWindowConfig,
    TokenBucket,
    TokenBucketConfig,
)
from ratelimit.lab import Level, Request, simulate, traffic
from ratelimit.lab.request import Arrival
from tests.lab.arrivals import CONFIGS, REPEATABLE, decide_by_hand, traffic_for

BUCKET = TokenBucketConfig(capacity=3, refill_per_sec=1)


def test_each_request_gets_one_decision_in_its_order() -> None:
    trace = simulate(BUCKET, [(0, 2), (0, 2), (1_000, 2)])
    assert trace.config is BUCKET
    assert trace.requests == (Request(0, 2), Request(0, 2), Request(1_000, 2))
    assert trace.decisions == (Allowed(1), Denied(1_000), Allowed(0))
    assert trace.levels == ()


ARRIVALS: dict[str, Callable[[], Iterable[Arrival]]] = {
    "list": lambda: [0, 0, 500],
    "tuple": lambda: (0, 0, 500),
    "iterator": lambda: iter([0, 0, 500]),
    "generator": lambda: (at_ms for at_ms in (0, 0, 500)),
    "array": lambda: np.array([0, 0, 500]),
    "tuples": lambda: [(0, 1), (0, 1), (500, 1)],
    "mixture": lambda: [(0, 1, ""), 0, Request(500)],
    "Requests": lambda: [Request(0), Request(0), Request(500)],
}


@pytest.mark.parametrize("arrivals", ARRIVALS.values(), ids=ARRIVALS)
@pytest.mark.parametrize("levels_at_ms", [(), [0]])
def test_any_iterable_of_arrivals_will_do(
    arrivals: Callable[[], Iterable[Arrival]], levels_at_ms: list[int]
) -> None:
    trace = simulate(BUCKET, arrivals(), levels_at_ms=levels_at_ms)
    assert trace.requests == (Request(0), Request(0), Request(500))
    assert trace.decisions == (Allowed(2), Allowed(1), Allowed(0))


def test_a_generator_is_used_up_once() -> None:
    arrivals = (Request(at_ms) for at_ms in range(5))
    assert len(simulate(BUCKET, arrivals, levels_at_ms=[9])) == 5
    assert list(arrivals) == []


def test_no_requests_give_an_empty_trace() -> None:
    assert simulate(BUCKET, []).decisions == ()


@REPEATABLE
@given(data=st.data(), config=CONFIGS)
def test_decisions_are_those_of_limiters_driven_by_hand(
    data: st.DataObject, config: LimiterConfig
) -> None:
    requests = data.draw(traffic_for(config, keys="abc"))
    trace = simulate(config, requests)
    assert trace.requests == tuple(requests)
    assert list(trace.decisions) == decide_by_hand(config, requests)


@REPEATABLE
@given(data=st.data(), config=CONFIGS, moments_ms=st.lists(st.integers(-99, 99), min_size=1))
def test_reading_levels_changes_no_decision(
    data: st.DataObject, config: LimiterConfig, moments_ms: list[int]
) -> None:
    requests = data.draw(traffic_for(config))
    seen = simulate(config, requests, levels_at_ms=moments_ms)
    assert seen.decisions == simulate(config, requests).decisions
    assert seen.requests == tuple(requests)


def test_each_key_has_a_limiter_of_its_own() -> None:
    requests = [Request(0, 3, "a"), Request(0, 3, "b"), Request(0, 1, "a"), Request(0, 3, "c")]
    assert simulate(BUCKET, requests).decisions == (
        Allowed(0), Allowed(0), Denied(1_000), Allowed(0),
    )  # fmt: skip


def test_a_limiter_is_built_when_its_key_first_appears() -> None:
    # Had the bucket been built at 5,000, the step back would have counted as 5,000.
    requests = [Request(5_000, 3, "a"), Request(0, 3, "b"), Request(2_000, 3, "b")]
    assert simulate(BUCKET, requests).decisions == (Allowed(0), Allowed(0), Denied(1_000))


@pytest.mark.parametrize("levels_at_ms", [(), [0]])
def test_the_order_is_kept_so_that_the_clock_may_step_back(levels_at_ms: list[int]) -> None:
    trace = simulate(BUCKET, [(10_000, 3), (7_000, 1), (11_000, 1)], levels_at_ms=levels_at_ms)
    assert [request.at_ms for request in trace.requests] == [10_000, 7_000, 11_000]
    assert trace.decisions == (Allowed(0), Denied(4_000), Allowed(0))


def levels_by_hand(
    config: LimiterConfig, requests: list[Request], moments_ms: list[int]
) -> list[Level]:
    """Read every level with a limiter of its own, to which the requests so far are put anew."""
    readings: list[tuple[int, int]] = []
    for done, request in enumerate(requests):
        earlier = requests[done - 1].at_ms if done else -1_000
        between = [at_ms for at_ms in sorted(moments_ms) if earlier <= at_ms < request.at_ms]
        readings += [(at_ms, done) for at_ms in between]
        readings += [(request.at_ms, done), (request.at_ms, done + 1)]
    last_ms = requests[-1].at_ms if requests else -1_000
    readings += [(at_ms, len(requests)) for at_ms in sorted(moments_ms) if at_ms >= last_ms]
    return [level_by_hand(config, requests[:count], at_ms) for at_ms, count in readings]


def level_by_hand(config: LimiterConfig, requests: list[Request], at_ms: int) -> Level:
    clock = ManualTicker(requests[0].at_ms if requests else at_ms)
    limiter = config.build(clock)
    for request in requests:
        clock.move_to(request.at_ms)
        limiter.acquire(request.cost)
    clock.move_to(at_ms)
    match limiter:
        case TokenBucket():
            return Level(at_ms, limiter.tokens_milli)
        case LeakyBucket():
            return Level(at_ms, limiter.level_milli)
        case SlidingWindow():
            carried = 1_000 * (limiter.usage - limiter.current)
            return Level(at_ms, 1_000 * limiter.usage, carried)
        case FixedWindow() | SlidingLog():
            return Level(at_ms, 1_000 * limiter.count)
        case _:
            raise AssertionError(f"{limiter!r} has no level")


@REPEATABLE
@given(data=st.data(), config=CONFIGS, moments_ms=st.lists(st.integers(-99, 99), min_size=1))
def test_levels_are_read_as_asked_and_before_and_after_each_request(
    data: st.DataObject, config: LimiterConfig, moments_ms: list[int]
) -> None:
    requests = data.draw(traffic_for(config, in_order=True))
    trace = simulate(config, requests, levels_at_ms=moments_ms)
    assert list(trace.levels) == levels_by_hand(config, requests, moments_ms)


@REPEATABLE
@given(data=st.data(), config=CONFIGS, moments_ms=st.lists(st.integers(-99, 99), min_size=1))
def test_every_moment_is_read_once_whatever_the_clock_does(
    data: st.DataObject, config: LimiterConfig, moments_ms: list[int]
) -> None:
    requests = data.draw(traffic_for(config))
    trace = simulate(config, requests, levels_at_ms=moments_ms)
    expected = Counter(moments_ms)
    expected.update(request.at_ms for request in requests)
    expected.update(request.at_ms for request in requests)
    assert Counter(level.at_ms for level in trace.levels) == expected


def test_a_moment_of_a_request_is_read_after_it() -> None:
    trace = simulate(BUCKET, [5], levels_at_ms=[5])
    assert trace.levels == (Level(5, 3_000), Level(5, 2_000), Level(5, 2_000))


def test_moments_may_come_in_any_order_and_any_integer_type() -> None:
    trace = simulate(BUCKET, [(0, 3)], levels_at_ms=np.array([2_000, -1, 1_000]))
    assert trace.levels == (
        Level(-1, 3_000), Level(0, 3_000), Level(0, 0), Level(1_000, 1_000), Level(2_000, 2_000),
    )  # fmt: skip
    assert {type(level.at_ms) for level in trace.levels} == {int}


def test_levels_of_no_requests_are_those_of_a_fresh_limiter() -> None:
    assert simulate(BUCKET, [], levels_at_ms=[-7, 3]).levels == (Level(-7, 3_000), Level(3, 3_000))


READERS: list[tuple[LimiterConfig, type[Any], str, object, tuple[int, int]]] = [
    (BUCKET, TokenBucket, "tokens_milli", 1_234, (1_234, 0)),
    (SlidingWindowConfig(5, 100), SlidingWindow, "usage", 77, (77_000, 77_000)),
    (FixedWindowConfig(5, 100), FixedWindow, "count", 55, (55_000, 0)),
    (SlidingLogConfig(5, 100), SlidingLog, "count", 44, (44_000, 0)),
]


@pytest.mark.parametrize(("config", "kind", "name", "value", "amounts"), READERS)
def test_the_level_is_what_the_limiter_says_it_is(
    monkeypatch: pytest.MonkeyPatch,
    config: LimiterConfig,
    kind: type[Any],
    name: str,
    value: object,
    amounts: tuple[int, int],
) -> None:
    monkeypatch.setattr(kind, name, property(lambda _limiter: value))
    trace = simulate(config, [], levels_at_ms=[1, 2])
    assert trace.levels == (Level(1, *amounts), Level(2, *amounts))


@pytest.mark.parametrize(("config", "kind", "name", "value"), [reader[:4] for reader in READERS])
def test_the_level_is_read_from_the_very_object_that_decides(
    monkeypatch: pytest.MonkeyPatch,
    config: LimiterConfig,
    kind: type[Any],
    name: str,
    value: object,
) -> None:
    asked: list[object] = []
    read: list[object] = []
    decide = kind.acquire

    def acquire(limiter: object, cost: int = 1) -> Decision:
        asked.append(limiter)
        decision: Decision = decide(limiter, cost)
        return decision

    def level(limiter: object) -> object:
        read.append(limiter)
        return value

    monkeypatch.setattr(kind, "acquire", acquire)
    monkeypatch.setattr(kind, name, property(level))
    simulate(config, [0, 1, 2], levels_at_ms=[1])
    assert len(asked) == 3
    assert len(read) == 7
    assert {id(limiter) for limiter in asked + read} == {id(asked[0])}


def test_several_keys_have_no_level_in_common() -> None:
    requests = [Request(0, 1, "bob"), Request(1, 1, "eve"), Request(2, 1, "ann")]
    with pytest.raises(ValueError, match="there are 3 keys") as caught:
        simulate(BUCKET, requests, levels_at_ms=[0])
    message = str(caught.value)
    assert "'ann' and 'bob' among them" in message
    assert "pass the requests of one key" in message
    with pytest.raises(ValueError, match="there are 2 keys, 'ann' and 'bob' among them"):
        simulate(BUCKET, requests[::2], levels_at_ms=[0])


def test_one_key_of_any_name_has_levels() -> None:
    assert simulate(BUCKET, [(0, 1, "bob"), (1, 1, "bob")], levels_at_ms=[0]).admitted == 2


@pytest.mark.parametrize("levels_at_ms", [(), [0]])
def test_a_bad_arrival_is_named_with_its_place(levels_at_ms: list[int]) -> None:
    arrivals: list[Any] = [*range(41), 0.5]
    with pytest.raises(TypeError, match=r"^arrival 41 is float 0\.5; "):
        simulate(BUCKET, arrivals, levels_at_ms=levels_at_ms)


@pytest.mark.parametrize("levels_at_ms", [(), [0]])
@pytest.mark.parametrize("cost", [0, -1, 4])
def test_a_cost_that_can_never_be_allowed_is_refused(cost: int, levels_at_ms: list[int]) -> None:
    with pytest.raises(ValueError, match=rf"cost {cost} is outside 1\.\.3"):
        simulate(BUCKET, [(0, cost)], levels_at_ms=levels_at_ms)


@pytest.mark.parametrize("moment", [0.5, True, "0"])
def test_a_moment_of_a_wrong_type_is_refused(moment: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError):
        simulate(BUCKET, [0], levels_at_ms=[moment])


def greedy(span_ms: int, start_ms: int = 0, cost_at_start: int = 1) -> list[Request]:
    """A client that asks until it is denied: `cost_at_start` times, then once a millisecond."""
    return [Request(start_ms)] * cost_at_start + traffic.steady(1_000, span_ms, start_ms=start_ms)


@pytest.mark.parametrize(
    ("config", "requests", "span_ms", "admitted"),
    [
        (TokenBucketConfig(60, 1), greedy(60_000, cost_at_start=60), 60_000, 119),
        (FixedWindowConfig(100, 1_000), greedy(4_000, 999, 100), 1_000, 200),
        (SlidingWindowConfig(100, 1_000), greedy(4_000, 999, 100), 1_000, 200),
        (SlidingLogConfig(100, 1_000), greedy(4_000, 999, 100), 1_000, 100),
    ],
)
def test_the_most_that_a_greedy_client_gets(
    config: LimiterConfig, requests: list[Request], span_ms: int, admitted: int
) -> None:
    assert simulate(config, requests).worst_span(span_ms).admitted_units == admitted


@pytest.mark.parametrize(
    ("config", "admitted", "first_denial"),
    [
        (FixedWindowConfig(10, 60_000), 10, None),
        (SlidingWindowConfig(10, 60_000, "exact"), 2, Denied(5_667)),
        (SlidingLogConfig(10, 60_000), 1, Denied(58_000)),
    ],
)
def test_a_burst_around_a_window_boundary(
    config: LimiterConfig, admitted: int, first_denial: Denied | None
) -> None:
    trace = simulate(config, [59_000] * 9 + [61_000] * 10)
    second = trace.decisions[9:]
    assert all(isinstance(decision, Allowed) for decision in trace.decisions[:9])
    assert sum(isinstance(decision, Allowed) for decision in second) == admitted
    assert next((item for item in second if isinstance(item, Denied)), None) == first_denial
