"""One look for all plots.

The colours are from the palette of Okabe and Ito, which colour-blind people can tell
apart. What must be told apart differs in shape or dash as well, so that grey will do.
"""

from typing import Final

ADMITTED: Final = "#0072B2"
DENIED: Final = "#D55E00"
LEVEL: Final = "#0072B2"
CARRIED: Final = "#CC79A7"
EXACT: Final = "#00795A"
LIMIT: Final = "#000000"
MARKED: Final = "#E69F00"
GRID: Final = "#D9D9D9"
TEXT: Final = "#1A1A1A"
PAPER: Final = "#FFFFFF"

FONT_SIZE: Final = 10
DIGIT_PX: Final = 9
WIDTH_PX: Final = 920
DPI: Final = 100


def thousands(value: float, _position: float = 0) -> str:
    """Return a number for a label, thousands separated: 1,500."""
    return f"{value:,.0f}"


def short(value: float, _position: float = 0) -> str:
    """Return a number for a label that has little room: 1.5k."""
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def roomy(value: float) -> float:
    """Return the upper end for an axis that has to show `value`.

    It is the next of a few round numbers with a tenth to spare, so that the axis stays
    where it is while a slider moves `value` a little.
    """
    step = 1
    while True:
        for end in (4 * step, 6 * step, 10 * step, 15 * step, 20 * step, 30 * step):
            if value * 1.1 <= end:
                return end
        step *= 10
