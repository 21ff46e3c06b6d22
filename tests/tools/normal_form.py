"""The one form in which a notebook is stored, so that a re-run changes nothing in git."""

import re
from collections.abc import Iterator
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
KEPT_CELL_METADATA = {"tags", "jupyter"}
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:home|Users|root|tmp|var|work|opt|private)/[\w.-]|[A-Z]:\\\\?\w|ipykernel_\d"
)


class MachinePathError(ValueError):
    """An output shows a path that exists on one machine only."""


def normal_form(notebook: NotebookNode) -> NotebookNode:
    """Return an executed notebook in the form in which it is stored.

    Counts run from 1, cell ids from 00; kernel and language are named without versions;
    there is no trace of widgets, of time, or of the front end.

    Raises:
        MachinePathError: an output shows a path of this machine.
    """
    cells = []
    count = 0
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            count += 1
            cells.append(_code_cell(cell, place, count))
        else:
            cells.append(_plain_cell(cell, place))
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


def _plain_cell(cell: NotebookNode, place: int) -> NotebookNode:
    metadata = {key: cell.metadata[key] for key in KEPT_CELL_METADATA & set(cell.metadata)}
    return NotebookNode(
        cell_type=cell.cell_type, id=f"cell-{place:02d}", metadata=metadata, source=cell.source
    )


def _code_cell(cell: NotebookNode, place: int, count: int) -> NotebookNode:
    plain = _plain_cell(cell, place)
    plain.execution_count = count
    plain.outputs = [_output(output, count) for output in _merged(cell.outputs)]
    for output in plain.outputs:
        for text in texts(output):
            if found := machine_paths(text):
                raise MachinePathError(
                    f"cell {place} shows a path of this machine: {found[0]!r}; print less"
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


def _output(output: NotebookNode, count: int) -> NotebookNode:
    kept: dict[str, Any] = dict(output)
    if "data" in kept:
        kept["data"] = {key: kept["data"][key] for key in kept["data"] if key != WIDGET_VIEW}
        kept["metadata"] = {}
    if output.output_type == "execute_result":
        kept["execution_count"] = count
    if output.output_type == "error":
        # A traceback is full of colours and of this Python's own line numbers.
        kept["traceback"] = [f"{output.ename}: {output.evalue}"]
    return NotebookNode(kept)
