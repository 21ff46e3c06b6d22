"""What each notebook is called and which question it answers, read from its first cell."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.tools.execute_notebooks import NOTEBOOKS, NotebookError, read

_HEAD = re.compile(r"# (?P<number>\d\d) · (?P<title>.+)\n+\*\*Question:\*\* (?P<question>.+\?)")


class Entry(NamedTuple):
    """A notebook as a table of contents lists it."""

    file: str
    number: str
    title: str
    question: str


def entry(path: Path) -> Entry:
    """Return the entry of the notebook in a file.

    Raises:
        NotebookError: its first cell lacks number, title or question.
    """
    cells = read(path).cells
    head = _HEAD.match(cells[0].source) if cells and cells[0].cell_type == "markdown" else None
    if head is None:
        raise NotebookError(
            f"{path}: the first cell must start with '# 03 · Title' and '**Question:** ...?'"
        )
    return Entry(path.name, head["number"], head["title"], head["question"])


def entries() -> list[Entry]:
    """Return the entries of all notebooks, in order."""
    return [entry(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
