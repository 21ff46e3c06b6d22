from collections.abc import Iterator
from unittest.mock import MagicMock, patch

import pytest

from ratelimit.lab.plots.layers import LayeredFigure
from tests.lab.explorers.explorers import KINDS, AnyExplorer


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def explorer(request: pytest.FixtureRequest) -> AnyExplorer:
    made: AnyExplorer = request.param()
    return made


@pytest.fixture
def draw() -> Iterator[MagicMock]:
    """Take all data into the figures, but draw none of them: count the drawings."""
    with patch.object(LayeredFigure, "png", return_value=b"drawn") as drawing:
        yield drawing
