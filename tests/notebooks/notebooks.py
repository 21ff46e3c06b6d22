"""The project's notebooks, as the tests of them see them."""

import base64
from io import BytesIO

import pytest
from nbformat import NotebookNode
from PIL import Image

from tests.tools.execute_notebooks import NOTEBOOKS, read

NOTEBOOK_FOLDER = NOTEBOOKS
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def printed(cell: NotebookNode) -> str:
    """Return all that a reader of a code cell's output reads."""
    parts = [
        output.text
        if output.output_type == "stream"
        else output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    ]
    return "".join(parts)


def pictures(cell: NotebookNode) -> list[Image.Image]:
    datas = [output.get("data", {}) for output in cell.outputs]
    return [
        Image.open(BytesIO(base64.b64decode(data["image/png"])))
        for data in datas
        if "image/png" in data
    ]


__all__ = [
    "NOTEBOOK_FOLDER",
    "PATHS",
    "code_cells",
    "each_notebook",
    "markdown",
    "pictures",
    "printed",
    "read",
]
