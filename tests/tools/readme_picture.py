"""Take the README's picture, a screenshot of an explorer in JupyterLab: part of `make readme`."""

import shutil
import sys
import tempfile
from pathlib import Path

from tests.browser import chromium
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab
from tests.tools.execute_notebooks import NOTEBOOKS

PICTURE = NOTEBOOKS / "pictures" / "token_bucket_explorer.png"
NOTEBOOK = "04_token_bucket.ipynb"


def take(browser_path: str, folder: Path) -> None:
    """Run the notebook in a copy, and store the picture of its live explorer."""
    copies = shutil.copytree(NOTEBOOKS, folder / "notebooks")
    with (
        jupyterlab(folder / "server", copies) as address,
        chromium.launched(browser_path) as browser,
    ):
        page = browser.new_page(viewport={"width": 1120, "height": 1000})
        notebook = NotebookPage(page, address, NOTEBOOK)
        notebook.run_all()
        notebook.handles.first.focus()
        explorer = page.locator(".jupyter-widgets.widget-vbox").first
        explorer.evaluate("explorer => { explorer.style.width = '924px' }")
        PICTURE.parent.mkdir(exist_ok=True)
        explorer.screenshot(path=PICTURE)


def main() -> int:
    """Take the picture; return the exit code."""
    browser_path = chromium.find()
    if browser_path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        take(browser_path, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
