import pytest

from ratelimit.lab.explorers.sliders import slider


def test_the_label_names_the_unit() -> None:
    assert slider("window", "ms", 5, 1, 9).description == "window (ms)"
    assert slider("players", "", 5, 1, 9).description == "players"


def test_a_slider_has_the_range_and_the_step_asked_for_and_moves_continuously() -> None:
    made = slider("window", "ms", 500, 200, 2_000, 100)
    assert (made.min, made.value, made.max, made.step) == (200, 500, 2_000, 100)
    assert slider("limit", "units", 3, 1, 9).step == 1
    assert made.continuous_update is True
    assert made.disabled is False
    assert made.readout is True


@pytest.mark.parametrize(
    ("value", "lowest", "highest"), [(1, 1, 9), (9, 1, 9), (-4, -4, 9), (70, 1, 70)]
)
def test_a_start_value_outside_the_usual_range_widens_it(
    value: int, lowest: int, highest: int
) -> None:
    made = slider("limit", "units", value, 1, 9)
    assert (made.min, made.value, made.max) == (lowest, value, highest)


def test_labels_have_room_and_large_numbers_their_thousands_separated() -> None:
    made = slider("limit", "units", 3, 1, 9)
    assert made.style.description_width == "13em"
    assert made.readout_format == ",d"
