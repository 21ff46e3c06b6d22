"""A notebook that is opened where its package is missing says what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks.notebooks import code_cells, each_notebook, read

BLOCKED = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {name!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""


def first_cell_without(name: str, path: Path) -> subprocess.CompletedProcess[str]:
    code = BLOCKED.format(name=name) + code_cells(read(path))[0].source
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@each_notebook
def test_without_the_package_it_says_how_to_get_it(path: Path) -> None:
    said = first_cell_without("ratelimit", path).stderr
    assert "This notebook needs its package: run `make lab`" in said
    assert "pip install -e '.[lab]'" in said.splitlines()[-1]


@pytest.mark.parametrize("name", ["ipywidgets", "matplotlib"])
@each_notebook
def test_without_what_the_lab_needs_it_says_the_same(path: Path, name: str) -> None:
    said = first_cell_without(name, path).stderr
    assert "pip install -e '.[lab]'" in said.splitlines()[-1]
