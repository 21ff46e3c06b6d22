"""A figure in two layers: the still parts are drawn once, the moving ones each time.

Drawing axes, ticks and labels is most of the work of a redraw, and they rarely change.
So they are kept as a picture, over which only what has moved is drawn.
"""

from collections.abc import Hashable, Sequence
from io import BytesIO
from typing import Any, NamedTuple, Protocol

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from PIL import Image

from ratelimit.lab.plots import style

_ABOVE_THE_STILL = 10


class Panel(Protocol):
    """One pair of axes with what moves on it."""

    @property
    def moving(self) -> Sequence[Artist]:
        """What is drawn anew each time, in drawing order."""
        ...

    @property
    def still(self) -> Hashable:
        """What the still parts depend on: they are drawn again when this changes."""
        ...


class Extent(NamedTuple):
    """The stretch of simulated time that a picture shows, both ends included."""

    start_ms: int
    end_ms: int


def new_axes(heights: Sequence[int], height_px: int, extent: Extent) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with axes of these relative heights below each other.

    The axes share their x-axis, and the places are fixed: a layout engine would move
    them about, and run at each redraw.
    """
    figure = Figure(
        figsize=(style.WIDTH_PX / style.DPI, height_px / style.DPI),
        dpi=style.DPI,
        facecolor=style.PAPER,
    )
    FigureCanvasAgg(figure)
    label_px = style.DIGIT_PX * max(len(style.thousands(end)) for end in extent)
    left_px, right_px = max(72, label_px // 2), max(36, label_px // 2)
    grid = figure.add_gridspec(
        len(heights),
        height_ratios=heights,
        left=left_px / style.WIDTH_PX,
        right=1 - right_px / style.WIDTH_PX,
        top=1 - 34 / height_px,
        bottom=46 / height_px,
        hspace=0.42,
    )
    axes: list[Axes] = []
    for row in range(len(heights)):
        shared = axes[0] if axes else None
        axes.append(figure.add_subplot(grid[row], sharex=shared))
    most_labels = (style.WIDTH_PX - left_px - right_px) // (label_px + 24)
    for each in axes:
        _dress(each, min(10, most_labels))
    margin_ms = 0.01 * (extent.end_ms - extent.start_ms)
    axes[0].set_xlim(extent.start_ms - margin_ms, extent.end_ms + margin_ms)
    for each in axes[:-1]:
        each.tick_params(labelbottom=False)
    axes[-1].set_xlabel("simulated time (ms)", fontsize=style.FONT_SIZE, color=style.TEXT)
    return figure, axes


def _dress(axes: Axes, most_labels: int) -> None:
    axes.set_facecolor(style.PAPER)
    axes.grid(visible=True, color=style.GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=style.FONT_SIZE, colors=style.TEXT)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=most_labels, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(style.thousands)
    axes.yaxis.set_major_formatter(style.short)


def heading(axes: Axes, text: str) -> None:
    """Put a panel's name above its left corner."""
    axes.set_title(text, loc="left", fontsize=style.FONT_SIZE, color=style.TEXT, pad=6)


def legend(axes: Axes, handles: Sequence[Artist], columns: int) -> None:
    """Put the legend above the right corner, clear of everything that moves."""
    axes.legend(
        handles=handles,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=columns,
        frameon=False,
        fontsize=style.FONT_SIZE - 1,
        labelcolor=style.TEXT,
        borderaxespad=0.1,
        handletextpad=0.4,
        columnspacing=1.2,
    )


def set_top(axes: Axes, old_top: float, new_top: float) -> float:
    """Let the y-axis end at `new_top`, and return it."""
    if new_top != old_top:
        axes.set_ylim(0, new_top)
    return new_top


class LayeredFigure:
    """Draws panels of one figure as PNG, and keeps the still layer between drawings."""

    def __init__(self, figure: Figure, panels: Sequence[Panel]) -> None:
        self.figure = figure
        self.still_drawings = 0
        # Matplotlib leaves the methods of its Agg canvas untyped.
        self._canvas: Any = figure.canvas
        self._panels = panels
        self._still: Hashable = None
        for panel in panels:
            for place, artist in enumerate(panel.moving):
                artist.set_animated(True)
                # Saved by matplotlib itself, the figure has to look the same.
                artist.set_zorder(_ABOVE_THE_STILL + place)

    def png(self) -> bytes:
        """Draw the panels as they stand.

        Cost: drawing what moves, and encoding; about five times that when the still
        parts have changed.
        """
        still = tuple(panel.still for panel in self._panels)
        if still != self._still:
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self.figure.bbox)
            self._still = still
            self.still_drawings += 1
        else:
            self._canvas.restore_region(self._background)
        for panel in self._panels:
            for artist in panel.moving:
                assert artist.axes is not None
                artist.axes.draw_artist(artist)
        return _encode(self._canvas)


def _encode(canvas: Any) -> bytes:  # noqa: ANN401
    width, height = canvas.get_width_height()
    pixels = Image.frombuffer("RGBA", (width, height), canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
    out = BytesIO()
    # The paper is opaque, so the fourth channel says nothing; and level 1 encodes four
    # times as fast as the default, for a file a little larger.
    pixels.convert("RGB").save(out, "PNG", compress_level=1)
    return out.getvalue()
