from collections.abc import Hashable, Sequence
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from PIL import Image

from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import Extent, LayeredFigure, heading, legend, new_axes, set_top
from tests.lab.seeing import legend_labels, legend_of, pixels, saved, watched_words

EXTENT = Extent(0, 1_000)


class Dot:
    """A panel with one moving line, and a still part that can be set."""

    def __init__(self, axes: Axes, colour: str = "black") -> None:
        self._axes = axes
        (self._line,) = axes.plot([], [], color=colour, linewidth=8)
        self._top = set_top(axes, 0, 10)

    @property
    def moving(self) -> Sequence[Artist]:
        return [self._line]

    @property
    def still(self) -> Hashable:
        return self._top

    def show(self, height: float, top: float = 10) -> None:
        self._line.set_data(EXTENT, [height, height])
        self._top = set_top(self._axes, self._top, top)


def a_figure() -> tuple[LayeredFigure, list[Dot]]:
    figure, axes = new_axes([2, 1], 300, EXTENT)
    dots = [Dot(each) for each in axes]
    return LayeredFigure(figure, dots), dots


def test_axes_stand_below_each_other_with_the_heights_asked_for() -> None:
    figure, axes = new_axes([5, 3, 4], 600, EXTENT)
    assert figure.axes == axes
    assert figure.bbox.size == pytest.approx((920, 600))
    boxes = [each.get_position() for each in axes]
    assert all(upper.y0 > lower.y1 for upper, lower in pairwise(boxes))
    assert len({(box.x0, box.x1) for box in boxes}) == 1
    heights = [box.height for box in boxes]
    assert heights == pytest.approx([5 * heights[0] / 5, 3 * heights[0] / 5, 4 * heights[0] / 5])


def test_axes_share_their_times_with_a_hundredth_to_spare() -> None:
    _, axes = new_axes([1, 1], 300, Extent(500, 2_500))
    assert [each.get_xlim() for each in axes] == [(480, 2_520)] * 2
    axes[1].set_xlim(0, 9)
    assert axes[0].get_xlim() == (0, 9)


def test_times_are_labelled_below_the_last_axes_only() -> None:
    figure, axes = new_axes([1, 1], 300, EXTENT)
    figure.draw_without_rendering()
    assert [each.get_xlabel() for each in axes] == ["", "simulated time (ms)"]
    shown = [
        any(tick.label1.get_visible() for tick in each.xaxis.get_major_ticks()) for each in axes
    ]
    assert shown == [False, True]


def test_the_figure_is_opaque_on_an_agg_canvas_and_no_layout_moves_it() -> None:
    figure, axes = new_axes([1], 300, EXTENT)
    assert isinstance(figure.canvas, FigureCanvasAgg)
    assert figure.get_layout_engine() is None
    assert to_rgba(figure.get_facecolor())[3] == 1
    assert axes[0].get_facecolor() == figure.get_facecolor()


@pytest.mark.parametrize(
    ("end", "labels"),
    [
        (1, ["0", "1"]),
        (3, ["0", "1", "2", "3"]),
        (40, ["0", "5", "10", "15", "20", "25", "30", "35", "40"]),
        (10_000, ["0", "2,000", "4,000", "6,000", "8,000", "10,000"]),
        (1_000_000, ["0", "200,000", "400,000", "600,000", "800,000", "1,000,000"]),
    ],
)
def test_times_are_labelled_at_round_whole_numbers(end: int, labels: list[str]) -> None:
    figure, (axes,) = new_axes([1], 300, Extent(0, end))
    axes.set_yticks([])
    with watched_words() as sheet:
        LayeredFigure(figure, []).png()
    assert [word.text for word in sheet.still] == [*labels, "simulated time (ms)"]


@pytest.mark.parametrize(
    ("top", "labels"),
    [
        (4, ["0", "1", "2", "3", "4"]),
        (15, ["0", "5", "10", "15"]),
        (300, ["0", "100", "200", "300"]),
        (1_500, ["0", "500", "1k", "1.5k"]),
    ],
)
def test_amounts_are_labelled_at_round_whole_numbers(top: int, labels: list[str]) -> None:
    figure, (axes,) = new_axes([1], 300, EXTENT)
    axes.set_xticks([])
    axes.set_ylim(0, top)
    with watched_words() as sheet:
        LayeredFigure(figure, []).png()
    assert [word.text for word in sheet.still] == ["simulated time (ms)", *labels]


@pytest.mark.parametrize(
    "extent",
    [
        Extent(0, 1),
        Extent(-5_000, 5_000),
        Extent(0, 99_999),
        Extent(0, 1_000_000),
        Extent(999_000, 1_000_000),
        Extent(-(10**9), 10**9),
        Extent(1_700_000_000_000, 1_700_000_360_000),
        Extent(1_700_000_000_000, 1_700_000_000_010),
    ],
)
@pytest.mark.parametrize("top", [4, 1_500, 30_000, 60_000_000])
def test_long_labels_fit(extent: Extent, top: int) -> None:
    with watched_words() as sheet:
        figure, axes = new_axes([3, 1], 420, extent)
        for each in axes:
            each.set_ylim(0, top)
            each.set_ylabel("units", fontsize=style.FONT_SIZE)
        LayeredFigure(figure, []).png()
        assert sheet.faults(figure) == []
    times = [tick.get_text() for tick in axes[-1].get_xticklabels()]
    assert len(times) >= 2


def test_the_words_of_a_bad_layout_are_found() -> None:
    with watched_words() as sheet:
        figure, axes = new_axes([1, 1], 300, EXTENT)
        for each in axes:
            each.set_position((0.01, 0.5, 0.8, 0.4))
        LayeredFigure(figure, []).png()
        faults = sheet.faults(figure)
    assert any("is cut off" in fault for fault in faults)
    assert any("overlap" in fault for fault in faults)


def test_heading_and_legend_stand_above_the_axes_at_either_side() -> None:
    figure, (axes,) = new_axes([1], 300, EXTENT)
    (first,) = axes.plot([], [], label="first")
    (second,) = axes.plot([], [], label="second")
    heading(axes, "what it shows")
    legend(axes, [second, first], 2)
    figure.draw_without_rendering()
    assert axes.get_title(loc="left") == "what it shows"
    assert legend_labels(axes) == ["second", "first"]
    box, frame = legend_of(axes).get_window_extent(), axes.get_window_extent()
    assert box.y0 >= frame.y1 - 1
    assert box.x1 == pytest.approx(frame.x1, abs=6)
    assert legend_of(axes).get_texts()[0].get_window_extent().y0 == pytest.approx(
        legend_of(axes).get_texts()[1].get_window_extent().y0
    )


def test_the_top_of_an_axis_is_set_only_when_it_is_another() -> None:
    _, (axes,) = new_axes([1], 300, EXTENT)
    assert set_top(axes, 0, 7) == 7
    assert axes.get_ylim() == (0, 7)
    axes.set_ylim(0, 3)
    assert set_top(axes, 7, 7) == 7
    assert axes.get_ylim() == (0, 3)


def test_a_picture_is_an_opaque_png_of_the_figures_size() -> None:
    layers, _ = a_figure()
    with Image.open(BytesIO(layers.png())) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (920, 300))
        assert image.getpixel((0, 0)) == (255, 255, 255)


def test_the_still_parts_are_drawn_once_until_they_change() -> None:
    layers, dots = a_figure()
    assert layers.still_drawings == 0
    for height in (1, 5, 9):
        dots[0].show(height)
        layers.png()
    assert layers.still_drawings == 1
    dots[1].show(1, top=20)
    layers.png()
    layers.png()
    assert layers.still_drawings == 2


def test_only_what_moves_is_drawn_while_the_still_parts_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layers, dots = a_figure()
    layers.png()
    drawn: list[Artist] = []
    monkeypatch.setattr(Axes, "draw_artist", lambda _axes, artist: drawn.append(artist))
    monkeypatch.setattr(Figure, "draw", lambda *_: pytest.fail("everything was drawn again"))
    layers.png()
    assert drawn == [artist for dot in dots for artist in dot.moving]


@pytest.mark.parametrize("top", [10, 20])
def test_what_has_moved_leaves_nothing_behind(top: float) -> None:
    layers, dots = a_figure()
    dots[0].show(8)
    first = layers.png()
    dots[0].show(2, top)
    layers.png()
    dots[0].show(8, 10)
    assert layers.png() == first


def test_a_picture_is_what_matplotlib_alone_would_draw() -> None:
    layers, dots = a_figure()
    for height, top in [(5, 10), (0, 10), (3, 10), (3, 4), (4, 4)]:
        for dot in dots:
            dot.show(height, top)
        picture = pixels(layers.png())
        assert np.array_equal(picture, saved(layers.figure))
        assert (picture == 0).any()


def test_moving_parts_are_drawn_in_their_order_by_matplotlib_as_well() -> None:
    figure, (axes,) = new_axes([1], 300, EXTENT)
    under, over = Dot(axes, "red"), Dot(axes, "lime")
    layers = LayeredFigure(figure, [Pair(over, under)])
    under.show(5)
    over.show(5)
    picture = pixels(layers.png())
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    assert np.array_equal(picture, saved(figure))
    assert (picture == (255, 0, 0)).all(axis=2).any(), middle


class Pair:
    """A panel that draws one dot over another, against the order in which they were made."""

    def __init__(self, under: Dot, over: Dot) -> None:
        self.moving = [*under.moving, *over.moving]
        self.still = 0
