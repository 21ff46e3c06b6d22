"""The one form in which a notebook is stored, so that a re-run changes nothing in git."""

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import nbformat
from nbformat import NotebookNode

NOTEBOOK_METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_ID = re.compile(r"cell-\d\d+")
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:home|Users|root|tmp|var|work|opt|private)/[\w.-]|[A-Z]:\\\\?\w|ipykernel_\d"
)


class MachinePathError(ValueError):
    """An output shows a path that exists on one machine only."""


def normal_form(notebook: NotebookNode) -> NotebookNode:
    """Return an executed notebook in the form in which it is stored.

    Counts run from 1; a cell keeps its id if it has the usual form, else it gets the next
    free one from cell-00 on; kernel and language are named without versions; there is no
    trace of widgets, of time, or of the front end.

    Raises:
        MachinePathError: an output shows a path of this machine.
    """
    cells = []
    executed = 0
    for cell, cell_id in zip(notebook.cells, _ids(notebook.cells), strict=True):
        if cell.cell_type == "code":
            executed += 1
            cells.append(_code_cell(cell, cell_id, executed))
        else:
            cells.append(_plain_cell(cell, cell_id))
    return NotebookNode(cells=cells, metadata=NOTEBOOK_METADATA, nbformat=4, nbformat_minor=5)


def to_text(notebook: NotebookNode) -> str:
    """Return the text of the file of a notebook."""
    return str(nbformat.writes(notebook, version=4)) + "\n"


def machine_paths(text: str) -> list[str]:
    """Return what looks like a path of one machine, with some of its surroundings."""
    return [text[max(0, m.start() - 20) : m.end() + 20] for m in MACHINE_PATH.finditer(text)]


def texts(value: object) -> Iterator[str]:
    """Yield every text in an output, pictures left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if not str(key).startswith("image/"):
                yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def _ids(cells: list[NotebookNode]) -> list[str]:
    """Return an id for each cell, such that a cell put in between renames no other."""
    kept: list[str] = []
    for cell in cells:
        own = cell.get("id", "")
        kept.append(own if CELL_ID.fullmatch(own) and own not in kept else "")
    free = (each for each in map("cell-{:02d}".format, count()) if each not in kept)
    return [each or next(free) for each in kept]


def _plain_cell(cell: NotebookNode, cell_id: str) -> NotebookNode:
    plain = NotebookNode(
        cell_type=cell.cell_type, id=cell_id, metadata=_metadata(cell), source=cell.source
    )
    if cell.get("attachments"):
        plain.attachments = cell.attachments
    return plain


def _metadata(cell: NotebookNode) -> dict[str, Any]:
    """Keep the tags, and that the code is folded: what an author sets and a run does not."""
    kept: dict[str, Any] = {}
    if tags := cell.metadata.get("tags"):
        kept["tags"] = tags
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        kept["jupyter"] = {"source_hidden": True}
    return kept


def _code_cell(cell: NotebookNode, cell_id: str, number: int) -> NotebookNode:
    plain = _plain_cell(cell, cell_id)
    plain.execution_count = number
    plain.outputs = [_output(output, number) for output in _merged(cell.outputs)]
    for output in plain.outputs:
        for text in texts(output):
            if found := machine_paths(text):
                raise MachinePathError(
                    f"code cell {number} shows a path of this machine: {found[0]!r}; print less"
                )
    return plain


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of one stream, which are cut at random."""
    merged: list[NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if output.output_type == "stream" and last and last.get("name") == output.name:
            merged[-1] = NotebookNode({**last, "text": last.text + output.text})
        else:
            merged.append(output)
    return merged


def _output(output: NotebookNode, number: int) -> NotebookNode:
    kept: dict[str, Any] = dict(output)
    if "data" in kept:
        kept["data"] = {key: kept["data"][key] for key in kept["data"] if key != WIDGET_VIEW}
        kept["metadata"] = {}
    if output.output_type == "execute_result":
        kept["execution_count"] = number
    if output.output_type == "error":
        # A traceback is full of colours and of this Python's own line numbers.
        kept["traceback"] = [f"{output.ename}: {output.evalue}"]
    return NotebookNode(kept)
