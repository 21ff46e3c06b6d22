import math
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratelimit.lab.plots import style
from tests.lab.arrivals import REPEATABLE
from tests.lab.seeing import contrast, linear_light, luminance

ENDS = [end * 10**power for power in range(12) for end in (4, 6, 10, 15, 20, 30)]


@REPEATABLE
@given(value=st.integers(0, 10**12))
def test_an_axis_ends_at_the_next_round_number_with_a_tenth_to_spare(value: int) -> None:
    assert style.roomy(value) == min(end for end in ENDS if 11 * value <= 10 * end)


@pytest.mark.parametrize(
    ("value", "end"),
    [(0, 4), (1, 4), (3.6, 4), (3.7, 6), (10, 15), (13, 15), (14, 20), (27, 30), (28, 40)],
)
def test_an_axis_stays_while_a_value_moves_a_little(value: float, end: float) -> None:
    assert style.roomy(value) == end


@pytest.mark.parametrize(
    ("value", "label"),
    [(0, "0"), (999, "999"), (1_500, "1,500"), (-2_000, "-2,000"), (1e6, "1,000,000")],
)
def test_thousands_are_separated(value: float, label: str) -> None:
    assert style.thousands(value) == label
    assert style.thousands(value, 3) == label


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0, "0"),
        (15, "15"),
        (0.5, "0.5"),
        (999, "999"),
        (1_000, "1k"),
        (1_500, "1.5k"),
        (20_000, "20k"),
        (1_500_000, "1.5M"),
        (4e9, "4G"),
    ],
)
def test_short_labels_stay_short(value: float, label: str) -> None:
    assert style.short(value) == label
    assert style.short(value, 3) == label


@pytest.mark.parametrize(
    "colour", [style.ADMITTED, style.DENIED, style.LEVEL, style.EXACT, style.LIMIT]
)
def test_lines_and_marks_stand_out_from_the_paper(colour: str) -> None:
    assert contrast(colour) >= 3


def test_words_can_be_read() -> None:
    assert contrast(style.TEXT) >= 7
    assert style.FONT_SIZE >= 9


def test_the_grid_stays_behind() -> None:
    assert contrast(style.GRID) < 1.5


# Linear light as people without one kind of cone see it (Machado, Oliveira and Fernandes, 2009).
COLOUR_BLIND = {
    "protanopia": [
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ],
    "deuteranopia": [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ],
    "tritanopia": [
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ],
}


@pytest.mark.parametrize("kind", COLOUR_BLIND)
@pytest.mark.parametrize(
    ("one", "other"), [(style.ADMITTED, style.DENIED), (style.LEVEL, style.LIMIT)]
)
def test_colours_differ_for_colour_blind_people(kind: str, one: str, other: str) -> None:
    seen = [
        [sum(map(mul, row, linear_light(colour))) for row in COLOUR_BLIND[kind]]
        for colour in (one, other)
    ]
    assert math.dist(*seen) > 0.25


def test_black_white_and_grey_have_the_luminance_they_should() -> None:
    assert luminance("#FFFFFF") == pytest.approx(1)
    assert luminance("#000000") == 0
    assert luminance("#777777") == pytest.approx(0.184, abs=0.001)
