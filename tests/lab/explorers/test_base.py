import inspect
from base64 import b64decode
from html import escape
from itertools import product
from typing import Any
from unittest.mock import MagicMock, patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ipywidgets import HTML, Image, IntSlider, Output, VBox, Widget
from matplotlib.figure import Figure
from traitlets import TraitError

from ratelimit import TokenBucketConfig
from ratelimit.lab import (
    FixedWindowExplorer,
    TokenBucketExplorer,
    Trace,
    simulate,
)
from ratelimit.lab.explorers.base import Explorer
from ratelimit.lab.explorers.sliders import slider
from ratelimit.lab.plots.layers import LayeredFigure
from tests.lab.arrivals import REPEATABLE
from tests.lab.explorers.explorers import (
    KINDS,
    AnyExplorer,
    Kind,
    a_move,
    arrivals,
    assert_valid,
    parts,
    set_all,
    values,
    words,
)
from tests.lab.seeing import points

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
ALL_KINDS = pytest.mark.parametrize("kind", KINDS)


# Controls


@pytest.mark.usefixtures("draw")
def test_controls_are_sliders_named_and_set_as_the_parameters(explorer: AnyExplorer) -> None:
    parameters = inspect.signature(type(explorer)).parameters
    assert values(explorer) == {name: each.default for name, each in parameters.items()}
    assert all(isinstance(control, IntSlider) for control in explorer.controls.values())


@pytest.mark.usefixtures("draw")
def test_every_control_is_shown_with_its_unit_and_follows_the_hand(explorer: AnyExplorer) -> None:
    shown = [part for part in parts(explorer) if isinstance(part, IntSlider)]
    assert shown == list(explorer.controls.values())
    for control in shown:
        unit = control.description.rpartition(" (")[2].removesuffix(")")
        assert unit in {"tokens", "tokens/s", "requests", "requests/s", "requests/window", "ms"}
        assert control.description.endswith(f" ({unit})")
        assert control.continuous_update is True
        assert control.disabled is False
        assert control.min <= control.value < control.max
        assert control.step >= 1
    assert len({control.description for control in shown}) == len(shown)
    for name, control in explorer.controls.items():
        assert name.endswith("_ms") == control.description.endswith("(ms)")
        assert name.endswith("_per_sec") == control.description.endswith("/s)")


@pytest.mark.usefixtures("draw")
def test_an_explorer_is_sliders_an_error_a_picture_and_numbers_and_no_output_widget(
    explorer: AnyExplorer,
) -> None:
    assert isinstance(explorer, VBox)
    everything = list(parts(explorer))
    assert not [part for part in everything if isinstance(part, Output)]
    assert [type(part) for part in everything if isinstance(part, Image | HTML)] == [
        HTML, Image, HTML,
    ]  # fmt: skip


@pytest.mark.usefixtures("draw")
@pytest.mark.parametrize("kind", KINDS)
def test_closing_all_widgets_leaves_the_next_explorer_whole(kind: Kind) -> None:
    kind()
    Widget.close_all()
    explorer = kind()
    assert all(part.comm is not None for part in parts(explorer))
    assert all(part.layout.comm is not None for part in parts(explorer))


# Following the sliders


def drawn_data(explorer: AnyExplorer) -> list[list[tuple[float, float]]]:
    return [points(each) for axes in explorer.figure.axes for each in axes.lines]


def test_setting_any_slider_changes_trace_picture_and_figure(explorer: AnyExplorer) -> None:
    figure = explorer.figure
    for name, control in explorer.controls.items():
        trace, picture, drawn = explorer.trace, explorer.picture, drawn_data(explorer)
        start = control.value
        control.value = a_move(control)
        assert explorer.figure is figure
        assert explorer.trace != trace, name
        assert explorer.picture != picture, name
        assert drawn_data(explorer) != drawn, name
        control.value = start
        assert (explorer.trace, explorer.picture) == (trace, picture), name


def test_what_is_shown_is_what_the_sliders_say(explorer: AnyExplorer) -> None:
    assert 0 < explorer.trace.denied < len(explorer.trace)
    for move in ({}, *({name: a_move(each)} for name, each in explorer.controls.items())):
        set_all(explorer, move)
        (image,) = (part for part in parts(explorer) if isinstance(part, Image))
        assert image.format == "png"
        assert bytes(image.value) == explorer.picture
        assert words(explorer) == ["", f"<p>{escape(explorer.summary)}</p>"]
        assert explorer.trace.levels[0].at_ms == 0
        end_ms = explorer.trace.levels[-1].at_ms
        assert list(explorer.trace.requests) == arrivals(explorer, end_ms)
        fresh = simulate(explorer.trace.config, explorer.trace.requests)
        assert explorer.trace.decisions == fresh.decisions
        for name in ("capacity", "refill_per_sec", "limit", "window_ms"):
            if name in explorer.controls:
                assert getattr(explorer.trace.config, name) == explorer.controls[name].value


def test_dragging_in_the_browser_is_the_same_as_assigning(explorer: AnyExplorer) -> None:
    name, control = next(iter(explorer.controls.items()))
    control.set_state({"value": 7})
    assert values(explorer)[name] == 7
    other = type(explorer)(**{name: 7})
    assert other.picture == explorer.picture
    assert other.trace == explorer.trace


def test_each_change_draws_once_and_no_change_draws_nothing(
    draw: MagicMock, explorer: AnyExplorer
) -> None:
    assert draw.call_count == 1
    for drawings, control in enumerate(explorer.controls.values(), start=2):
        control.value = a_move(control)
        assert draw.call_count == drawings
        control.value = control.value
        assert draw.call_count == drawings


# No invalid configuration

MOVES = st.lists(
    st.tuples(st.integers(0, 4), st.one_of(st.integers(-50, 50), st.integers(-(10**6), 10**6))),
    max_size=9,
)


@ALL_KINDS
@settings(REPEATABLE, max_examples=15)
@given(moves=MOVES)
def test_no_sequence_of_moves_leads_to_an_invalid_configuration(
    kind: Kind, moves: list[tuple[int, int]]
) -> None:
    with patch.object(LayeredFigure, "png", return_value=b"drawn"):
        explorer = kind()
        controls = list(explorer.controls.values())
        for place, value in moves:
            control = controls[place]
            control.value = value
            assert control.value == min(max(value, control.min), control.max)
            assert_valid(explorer)


@pytest.mark.usefixtures("draw")
def test_what_is_no_number_is_refused_and_changes_nothing(explorer: AnyExplorer) -> None:
    before = repr(explorer), explorer.picture
    for control, bad in product(explorer.controls.values(), ["many", None, [1]]):
        with pytest.raises(TraitError):
            control.value = bad
    assert (repr(explorer), explorer.picture) == before


# What a notebook stores


def test_an_explorer_reads_as_the_call_that_makes_it_again(explorer: AnyExplorer) -> None:
    names = {kind.__name__: kind for kind in KINDS}
    for change in (False, True):
        for control in explorer.controls.values() if change else ():
            control.value = a_move(control)
        text = repr(explorer)
        assert text.startswith(f"{type(explorer).__name__}({next(iter(explorer.controls))}=")
        assert "\n" not in text
        again = eval(text, names)
        assert type(again) is type(explorer)
        assert (repr(again), again.trace, again.picture) == (text, explorer.trace, explorer.picture)


def test_the_first_words_of_a_repr_are_stable() -> None:
    assert repr(FixedWindowExplorer(limit=7)) == (
        "FixedWindowExplorer(limit=7, window_ms=1000, burst_size=12, lead_ms=150, lag_ms=100)"
    )


def test_a_notebook_gets_the_widget_the_present_picture_and_one_line_of_text(
    explorer: AnyExplorer,
) -> None:
    before = explorer.picture
    control = next(iter(explorer.controls.values()))
    control.value = a_move(control)
    assert explorer.picture != before
    for options in ({}, {"include": None, "exclude": None}):
        bundle = explorer._repr_mimebundle_(**options)
        assert set(bundle) == {WIDGET_VIEW, "image/png", "text/plain"}
        assert bundle[WIDGET_VIEW]["model_id"] == explorer.model_id
        assert b64decode(bundle["image/png"]) == explorer.picture
        assert bundle["text/plain"] == repr(explorer)


@pytest.mark.usefixtures("draw")
def test_a_long_line_of_text_is_not_cut() -> None:
    explorer = TokenBucketExplorer(capacity=10**15, refill_per_sec=10**15, burst_size=100)
    assert len(repr(explorer)) > 110
    assert explorer._repr_mimebundle_()["text/plain"] == repr(explorer)


# Errors


class Fragile(Explorer):
    """Fails to simulate 5, and to sum up 6."""

    def __init__(self, limit: int = 1) -> None:
        self._figure = Figure()
        super().__init__({"limit": slider("limit", "units", limit, 0, 9)})

    @property
    def figure(self) -> Figure:
        return self._figure

    @property
    def summary(self) -> str:
        if self.controls["limit"].value == 6:
            raise RuntimeError("6 can't be summed up")
        return f"{self.controls['limit'].value} < 10"

    def _explore(self, values: dict[str, int]) -> tuple[Trace, bytes]:
        limit = values["limit"]
        if limit == 5:
            error = ValueError("5 is <bad> & wrong")
            error.add_note("take another one")
            raise error
        return simulate(TokenBucketConfig(9, 1), range(limit)), b"picture %d" % limit


def shown(explorer: Fragile) -> tuple[str, bytes, str]:
    _, error, image, numbers = explorer.children
    return error.value, bytes(image.value), numbers.value


def test_an_error_is_raised_and_shown_and_the_last_good_picture_stays() -> None:
    explorer = Fragile(3)
    assert shown(explorer) == ("", b"picture 3", "<p>3 &lt; 10</p>")
    with pytest.raises(ValueError, match="5 is <bad> & wrong"):
        explorer.controls["limit"].value = 5
    alert, image, numbers = shown(explorer)
    assert alert.startswith('<p role="alert"')
    assert ">ValueError: 5 is &lt;bad&gt; &amp; wrong take another one</p>" in alert
    assert (image, numbers) == (b"picture 3", "<p>3 &lt; 10</p>")
    assert explorer.picture == b"picture 3"
    assert len(explorer.trace) == 3


def test_the_next_good_change_clears_the_error() -> None:
    explorer = Fragile()
    with pytest.raises(ValueError, match="bad"):
        explorer.controls["limit"].value = 5
    explorer.controls["limit"].value = 4
    assert shown(explorer) == ("", b"picture 4", "<p>4 &lt; 10</p>")


def test_an_error_is_shown_each_time_it_comes_back() -> None:
    explorer = Fragile()
    for _ in range(2):
        with pytest.raises(ValueError, match="bad"):
            explorer.controls["limit"].value = 5
        assert 'role="alert"' in shown(explorer)[0]
        explorer.controls["limit"].value = 2
        assert shown(explorer)[0] == ""


def test_an_error_on_a_drag_in_the_browser_is_shown_as_well() -> None:
    explorer = Fragile()
    with pytest.raises(ValueError, match="bad"):
        explorer.controls["limit"].set_state({"value": 5})
    assert 'role="alert"' in shown(explorer)[0]


def test_an_error_of_the_summary_is_shown_as_well() -> None:
    explorer = Fragile()
    with pytest.raises(RuntimeError, match="6 can't be summed up"):
        explorer.controls["limit"].value = 6
    assert "RuntimeError: 6 can&#x27;t be summed up" in shown(explorer)[0]


def test_an_error_at_the_start_is_raised() -> None:
    with pytest.raises(ValueError, match="bad"):
        Fragile(5)


def test_an_error_in_a_real_explorer_is_raised_shown_and_cleared(
    explorer: AnyExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = explorer.trace, explorer.picture
    name, control = next(iter(explorer.controls.items()))
    with monkeypatch.context() as broken:
        broken.setattr(f"{type(explorer).__module__}.simulate", fail)
        with pytest.raises(RuntimeError, match="the simulation is broken"):
            control.value = 3
    assert "RuntimeError: the simulation is broken" in words(explorer)[0]
    assert (explorer.trace, explorer.picture) == before
    assert bytes(explorer._image.value) == explorer.picture
    control.value = 4
    assert words(explorer)[0] == ""
    assert explorer.picture == type(explorer)(**{name: 4}).picture


def fail(*_args: Any, **_options: Any) -> Trace:  # noqa: ANN401
    raise RuntimeError("the simulation is broken")
