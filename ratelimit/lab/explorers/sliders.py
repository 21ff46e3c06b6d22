"""The sliders of the explorers."""

from ipywidgets import IntSlider, Layout


def slider(
    label: str, unit: str, value: int, lowest: int, highest: int, step: int = 1
) -> IntSlider:
    """Return a slider for whole numbers, its label naming the unit.

    A start value outside the usual range widens the range, so that every valid value
    can be explored.
    """
    return IntSlider(
        value=value,
        min=min(lowest, value),
        max=max(highest, value),
        step=step,
        description=f"{label} ({unit})" if unit else label,
        continuous_update=True,
        readout_format=",d",
        style={"description_width": "13em"},
        layout=Layout(width="auto"),
    )
