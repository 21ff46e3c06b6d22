from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from matplotlib._pylab_helpers import Gcf
from PIL import Image as Pillow

from ratelimit.lab import FixedWindowExplorer, SlidingWindowExplorer, TokenBucketExplorer
from tests.lab.explorers.explorers import (
    KINDS,
    AnyExplorer,
    Kind,
    a_move,
    assert_valid,
    layers,
    parts,
    set_all,
    values,
)
from tests.lab.seeing import pixels, saved, spread, watched_words

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)


def test_the_picture_is_an_opaque_png_of_its_figures_size(explorer: AnyExplorer) -> None:
    with Pillow.open(BytesIO(explorer.picture)) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert image.size == pytest.approx(tuple(explorer.figure.bbox.size))
        assert image.getpixel((0, 0)) == (255, 255, 255)
    assert len(explorer.picture) < 100_000


def test_the_picture_is_what_matplotlib_alone_would_draw(explorer: AnyExplorer) -> None:
    random = Random(5)
    for _ in range(4):
        name = random.choice(list(explorer.controls))
        control = explorer.controls[name]
        control.value = random.randint(control.min, control.max)
        assert np.array_equal(pixels(explorer.picture), saved(explorer.figure)), repr(explorer)


def test_the_picture_does_not_depend_on_the_way_to_it(explorer: AnyExplorer) -> None:
    start = values(explorer)
    first = explorer.picture
    for control in explorer.controls.values():
        control.value = a_move(control)
    assert explorer.picture == type(explorer)(**values(explorer)).picture
    set_all(explorer, start)
    assert explorer.picture == first


STEADY_MOVES: list[tuple[Kind, dict[str, range]]] = [
    (
        TokenBucketExplorer,
        {
            "capacity": range(10, 14),
            "refill_per_sec": range(5, 9),
            "traffic_per_sec": range(1, 41, 13),
            "burst_size": range(6, 10),
            "cost": range(1, 11, 3),
        },
    ),
    (
        SlidingWindowExplorer,
        {
            "limit": range(8, 12),
            "window_ms": range(200, 2_001, 600),
            "traffic_per_sec": range(1, 41, 13),
            "offset_ms": range(200, 901, 350),
        },
    ),
    (
        FixedWindowExplorer,
        {
            "limit": range(8, 12),
            "window_ms": range(200, 2_001, 600),
            "burst_size": range(10, 14),
            "lead_ms": range(1, 501, 249),
            "lag_ms": range(0, 501, 250),
        },
    ),
]


@pytest.mark.parametrize(("kind", "moves"), STEADY_MOVES)
def test_the_axes_stay_while_a_slider_moves_a_little(kind: Kind, moves: dict[str, range]) -> None:
    explorer = kind()
    for name, control in explorer.controls.items():
        if name not in moves:
            continue
        start = control.value
        control.value = moves[name][0]
        drawings = layers(explorer).still_drawings
        limits = [axes.get_ylim() for axes in explorer.figure.axes]
        for value in moves[name]:
            control.value = value
        assert layers(explorer).still_drawings == drawings, name
        assert [axes.get_ylim() for axes in explorer.figure.axes] == limits
        control.value = start


@ALL_KINDS
def test_all_along_each_slider_the_words_neither_overlap_nor_are_cut_off(kind: Kind) -> None:
    with watched_words() as sheet:
        explorer = kind()
        start = values(explorer)
        for name, control in explorer.controls.items():
            drawings = layers(explorer).still_drawings
            for value in spread(control.min, control.max, control.step, 24):
                control.value = value
                assert sheet.faults(explorer.figure) == [], repr(explorer)
            assert layers(explorer).still_drawings - drawings <= 11, name
            set_all(explorer, start)


def gray_code(digits: int) -> Iterator[tuple[bool, ...]]:
    """Yield all numbers of so many binary digits, one digit changing at a time, the last most."""
    for number in range(2**digits):
        code = number ^ number >> 1
        yield tuple(bool(code >> digit & 1) for digit in reversed(range(digits)))


def test_all_ends_are_met_one_change_at_a_time() -> None:
    codes = list(gray_code(5))
    assert len(set(codes)) == 32
    assert all(
        sum(a != b for a, b in zip(one, other, strict=True)) == 1 for one, other in pairwise(codes)
    )


@ALL_KINDS
def test_at_all_ends_together_the_words_neither_overlap_nor_are_cut_off(kind: Kind) -> None:
    with watched_words() as sheet:
        explorer = kind()
        for sides in gray_code(len(explorer.controls)):
            for control, side in zip(explorer.controls.values(), sides, strict=True):
                control.value = control.max if side else control.min
            assert sheet.faults(explorer.figure) == [], repr(explorer)
            assert_valid(explorer)


WIDE: list[tuple[Kind, dict[str, int]]] = [
    (TokenBucketExplorer, {"capacity": 1_000_000, "refill_per_sec": 25_000, "cost": 5_000}),
    (TokenBucketExplorer, {"traffic_per_sec": 300, "burst_size": 120}),
    (SlidingWindowExplorer, {"limit": 12_000, "window_ms": 60_000}),
    (SlidingWindowExplorer, {"window_ms": 7, "offset_ms": 9_000}),
    (FixedWindowExplorer, {"limit": 100, "window_ms": 60_000, "burst_size": 150}),
    (FixedWindowExplorer, {"window_ms": 1, "lead_ms": 7_000, "lag_ms": 9_000}),
]


@pytest.mark.parametrize(("kind", "start"), WIDE)
def test_start_values_outside_the_usual_range_widen_it(kind: Kind, start: dict[str, int]) -> None:
    with watched_words() as sheet:
        usual = kind()
        explorer = kind(**start)
        assert values(explorer) == {**values(usual), **start}
        for name, control in explorer.controls.items():
            if name in start:
                assert control.min == min(usual.controls[name].min, start[name])
        assert sheet.faults(explorer.figure) == []
        for name in start:
            for end in ("min", "max"):
                set_all(explorer, {name: getattr(explorer.controls[name], end)})
                assert sheet.faults(explorer.figure) == [], repr(explorer)
                assert_valid(explorer)


def test_thirty_changes_leave_one_figure_behind(explorer: AnyExplorer) -> None:
    figure, image = explorer.figure, explorer._image
    everything = list(parts(explorer))
    artists = len(figure.findobj())
    control = list(explorer.controls.values())[-1]
    for value in range(30):
        control.value = control.min + value % (control.max - control.min)
    next(iter(explorer.controls.values())).value = 2
    assert explorer.figure is figure
    assert explorer._image is image
    assert list(parts(explorer)) == everything
    assert len(figure.findobj()) <= artists + 20
    assert Gcf.get_all_fig_managers() == []
