"""The server leaves nothing behind, whatever happens while it runs."""

import os
import time
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_notebook
from playwright.sync_api import Page

from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab
from tests.tools.normal_form import NOTEBOOK_METADATA

pytestmark = pytest.mark.browser


def ends(pid: int, within_s: float = 20) -> bool:
    """Return whether a process is gone, or goes soon."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def serve_and_fail(page: Page, folder: Path, pids: list[int]) -> None:
    """Start a server and a kernel, note their process ids, and fail while they run."""
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    # Without a kernel's name JupyterLab would ask for one.
    nbformat.write(new_notebook(metadata=NOTEBOOK_METADATA), notebooks / "empty.ipynb")
    with jupyterlab(folder / "server", notebooks) as address:
        notebook = NotebookPage(page, address, "empty.ipynb")
        pids += map(int, notebook.ask_kernel("import os; print(os.getpid(), os.getppid())").split())
        raise ZeroDivisionError


def test_server_and_kernel_are_gone_after_a_failure(page: Page, tmp_path: Path) -> None:
    pids: list[int] = []
    with pytest.raises(ZeroDivisionError):
        serve_and_fail(page, tmp_path, pids)
    kernel, server = pids
    assert ends(server)
    assert ends(kernel)
