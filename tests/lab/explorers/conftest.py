import pytest

from tests.lab.explorers.explorers import KINDS, AnyExplorer


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def explorer(request: pytest.FixtureRequest) -> AnyExplorer:
    made: AnyExplorer = request.param()
    return made
