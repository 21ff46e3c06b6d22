"""Execute notebooks from a clean kernel and store them in normal form: `make notebooks`."""

import argparse
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.warnings import MissingIDFieldWarning

from tests.tools.normal_form import MachinePathError, normal_form, to_text

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
KERNEL = "python3"
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
        with warnings.catch_warnings():
            # A notebook from elsewhere may have no cell ids; the normal form gives it some.
            warnings.simplefilter("ignore", MissingIDFieldWarning)
            notebook = nbformat.read(path, as_version=4)
        # `read` only logs what is invalid, and trips over JSON that is no object.
        nbformat.validate(notebook)
    except (ValueError, AttributeError, nbformat.ValidationError) as error:
        raise NotebookError(f"{path}: this is not a notebook ({error})") from error
    return NotebookNode(notebook)


def executed(path: Path) -> NotebookNode:
    """Return the notebook in a file, executed from top to bottom, in normal form.

    Raises:
        NotebookError: it can't be read, a cell fails, or an output shows a machine's path.
    """
    notebook = read(path)
    started: list[int] = []
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT_S,
        kernel_name=KERNEL,
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        on_cell_start=lambda cell, cell_index: started.append(cell_index),  # noqa: ARG005
    )
    try:
        client.execute()
    except NoSuchKernel as error:
        raise NotebookError(f"{path}: {error}") from error
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise NotebookError(_failure(path, notebook, started[-1], error)) from error
    try:
        return normal_form(notebook)
    except MachinePathError as error:
        raise NotebookError(f"{path}: {error}") from error


def _failure(path: Path, notebook: NotebookNode, place: int, error: Exception) -> str:
    """Say which cell failed, what it holds and what went wrong."""
    number = sum(cell.cell_type == "code" for cell in notebook.cells[: place + 1])
    source, said = notebook.cells[place].source, str(error)
    if source not in said:  # such as that the kernel died
        said = f"{said}\n{source}"
    return f"{path}: code cell {number}: {said}"


def store(path: Path) -> str:
    """Execute one notebook and write it back; the file stays as it was if a cell fails."""
    text = to_text(executed(path))
    changed = text != path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8", newline="\n")
    return f"{path.name}: {'changed' if changed else 'unchanged'}"


def main(arguments: list[str] | None = None) -> int:
    """Execute the notebooks named on the command line, or all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="default: every notebook")
    paths = parser.parse_args(arguments).paths or sorted(NOTEBOOKS.glob("*.ipynb"))
    if not paths:
        print(f"there are no notebooks in {NOTEBOOKS}", file=sys.stderr)
        return 1
    failed = False
    workers = min(2, len(paths))
    # A forked copy of a process with threads can hang, and Python 3.12 warns of it.
    with ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")) as pool:
        for result in [pool.submit(store, path) for path in paths]:
            try:
                print(result.result(), flush=True)
            except NotebookError as error:
                failed = True
                print(error, file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
