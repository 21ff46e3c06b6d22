"""What is on a picture: its pixels, its lines and areas, and the words on it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import combinations
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon
from matplotlib.text import Text
from PIL import Image

from ratelimit.lab.plots import style
from ratelimit.lab.plots.layers import LayeredFigure

Point = tuple[float, float]


def pixels(png: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    with Image.open(BytesIO(png)) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def saved(figure: Figure) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the pixels of the figure, drawn by matplotlib alone, all of it anew."""
    out = BytesIO()
    figure.savefig(out, format="png")
    return pixels(out.getvalue())


def line(axes: Axes, label: str) -> Line2D:
    """Return the line that the legend calls `label`."""
    (found,) = (each for each in axes.lines if each.get_label() == label)
    return found


def area(axes: Axes, label: str) -> Polygon:
    """Return the area that the legend calls `label`."""
    (found,) = (each for each in axes.patches if each.get_label() == label)
    assert isinstance(found, Polygon)
    return found


def points(drawn: Line2D) -> list[Point]:
    """Return the points of a line, gaps left out."""
    return [point for stroke in strokes(drawn) for point in stroke]


def strokes(drawn: Line2D) -> list[list[Point]]:
    """Return the unbroken pieces of a line."""
    pieces: list[list[Point]] = [[]]
    for x, y in np.asarray(drawn.get_xydata()):
        if np.isnan(x):
            pieces.append([])
        else:
            pieces[-1].append((float(x), float(y)))
    return [piece for piece in pieces if piece]


def corners(drawn: Polygon) -> list[Point]:
    """Return the corners of an area, each once."""
    return [(float(x), float(y)) for x, y in drawn.get_xy()[:-1]]


def legend_of(axes: Axes) -> Legend:
    legend = axes.get_legend()
    assert legend is not None
    return legend


def legend_labels(axes: Axes) -> list[str]:
    return [text.get_text() for text in legend_of(axes).get_texts()]


def labelled(axes: Axes) -> list[Artist]:
    """Return the lines and areas that the legend names, in its order."""
    drawn: list[Artist] = [*axes.lines, *axes.patches]
    by_label = {artist.get_label(): artist for artist in drawn}
    return [by_label[label] for label in legend_labels(axes)]


def linear_light(colour: str) -> list[float]:
    """Return how much red, green and blue light a colour is, from 0 to 1."""
    return [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(colour)
    ]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as in the W3C's contrast rules."""
    red, green, blue = linear_light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, paper: str = style.PAPER) -> float:
    darker, lighter = sorted((luminance(colour), luminance(paper)))
    return (lighter + 0.05) / (darker + 0.05)


def look(artist: Artist) -> tuple[object, ...]:
    """Return what sets an artist apart from others when its colour does not show."""
    if isinstance(artist, Line2D):
        dashes: object = getattr(artist, "_unscaled_dash_pattern", None)
        return ("line", str(artist.get_marker()), artist.get_linestyle(), str(dashes))
    assert isinstance(artist, Patch)
    return ("area", artist.get_hatch())


class Word(NamedTuple):
    """A text where it was drawn, in pixels from the figure's lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Word") -> bool:
        """Whether the two cover each other by more than a rounding error."""
        across = min(self.right, other.right) - max(self.left, other.left)
        along = min(self.top, other.top) - max(self.bottom, other.bottom)
        return across > 0.5 and along > 0.5

    def is_inside(self, width: float, height: float) -> bool:
        return self.left >= 0 and self.bottom >= 0 and self.right <= width and self.top <= height


class Sheet:
    """The words on a layered picture: those on its still layer, and those drawn last."""

    def __init__(self) -> None:
        self.still: list[Word] = []
        self.moving: list[Word] = []

    def faults(self, figure: Figure) -> list[str]:
        """Return what is wrong: words cut off by the figure's edge, and words over words."""
        words = self.still + self.moving
        assert len(words) >= 10
        width, height = figure.bbox.width, figure.bbox.height
        cut = [f"{word.text!r} is cut off" for word in words if not word.is_inside(width, height)]
        covered = [
            f"{one.text!r} and {other.text!r} overlap"
            for one, other in combinations(words, 2)
            if one.meets(other)
        ]
        return cut + covered


@contextmanager
def watched_words() -> Iterator[Sheet]:
    """Note down each text that layered figures draw, where matplotlib puts it.

    The pictures made meanwhile stay empty, which saves most of their time.
    """
    sheet = Sheet()
    words: list[tuple[bool, Word]] = []
    draw_png = LayeredFigure.png

    def note(text: Text, renderer: Any, *_: Any, **__: Any) -> None:  # noqa: ANN401
        if text.get_visible() and text.get_text().strip():
            words.append((text.get_animated(), _word(text, renderer)))

    def png(layers: LayeredFigure) -> bytes:
        words.clear()
        drawings = layers.still_drawings
        picture = draw_png(layers)
        if layers.still_drawings > drawings:
            sheet.still = [word for animated, word in words if not animated]
        sheet.moving = [word for animated, word in words if animated]
        return picture

    with (
        patch.object(Text, "draw", note),
        patch.object(LayeredFigure, "png", png),
        patch.object(Line2D, "draw"),
        patch.object(Patch, "draw"),
        patch("ratelimit.lab.plots.layers._encode", return_value=b"unseen"),
    ):
        yield sheet


def _word(text: Text, renderer: Any) -> Word:  # noqa: ANN401
    box = text.get_window_extent(renderer)
    return Word(text.get_text(), *map(float, (box.x0, box.y0, box.x1, box.y1)))


def spread(lowest: int, highest: int, step: int, most: int) -> Sequence[int]:
    """Return values over a whole range, both ends included, at most about `most` of them."""
    stride = step * max(1, (highest - lowest) // (step * most))
    return [*range(lowest, highest, stride), highest]
