"""Execute notebooks from a clean kernel and store them in normal form: `make notebooks`."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from tests.tools.normal_form import MachinePathError, normal_form, to_text

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TIMEOUT_S = 120


class NotebookError(Exception):
    """A notebook can't be read, or one of its cells fails."""


def read(path: Path) -> NotebookNode:
    """Return the notebook in a file.

    Raises:
        NotebookError: there is no such file, or it holds no notebook.
    """
    if not path.is_file():
        raise NotebookError(f"{path}: there is no such file")
    try:
        return NotebookNode(nbformat.read(path, as_version=4))
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError) as error:
        raise NotebookError(f"{path}: this is not a notebook ({error})") from error


def executed(path: Path) -> NotebookNode:
    """Return the notebook in a file, executed from top to bottom, in normal form.

    Raises:
        NotebookError: it can't be read, a cell fails, or an output shows a machine's path.
    """
    notebook = read(path)
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
    )
    try:
        client.execute()
        return normal_form(notebook)
    except (CellExecutionError, MachinePathError) as error:
        raise NotebookError(f"{path}: {error}") from error


def store(path: Path) -> str:
    """Execute one notebook and write it back; the file stays as it was if a cell fails."""
    text = to_text(executed(path))
    changed = text != path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    return f"{path.name}: {'changed' if changed else 'unchanged'}"


def main(arguments: list[str] | None = None) -> int:
    """Execute the notebooks named on the command line, or all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="default: every notebook")
    paths = parser.parse_args(arguments).paths or sorted(NOTEBOOKS.glob("*.ipynb"))
    failed = False
    with ProcessPoolExecutor(max_workers=2) as pool:
        for result in [pool.submit(store, path) for path in paths]:
            try:
                print(result.result(), flush=True)
            except NotebookError as error:
                failed = True
                print(error, file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
