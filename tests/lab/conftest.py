from collections.abc import Iterator

import pytest
from ipywidgets import Widget


@pytest.fixture(autouse=True)
def _no_widgets_left() -> Iterator[None]:
    """Close the widgets of each test: the library keeps all others, and their figures, for ever."""
    yield
    Widget.close_all()
