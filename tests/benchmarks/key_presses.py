"""From a key press to changed pixels in JupyterLab, beside the plain way to do it."""

import shutil
import tempfile
from pathlib import Path
from typing import cast

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from tests.benchmarks.timing import spread, verdict
from tests.browser import chromium
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab
from tests.tools.execute_notebooks import NOTEBOOKS
from tests.tools.normal_form import NOTEBOOK_METADATA

PRESSES = 30
MOST_MS = 100.0
LEAST_RATIO = 3.5

INTERACT = """
from ipywidgets import IntSlider, interact
from tests.benchmarks.baseline import draw
_ = interact(draw, capacity=IntSlider(10, 1, 40), refill_per_sec=IntSlider(5, 1, 20),
             traffic_per_sec=IntSlider(8, 1, 40), burst_size=IntSlider(4, 1, 20),
             cost=IntSlider(1, 1, 10))
"""

# Pixels have changed when the new picture is decoded and a frame has been painted with it.
_ARM = """selector => {
  const shown = () => document.querySelector(selector);
  const before = shown().src;
  window.timing = new Promise(resolve => {
    document.addEventListener('keydown', async () => {
      const start = performance.now();
      while (!shown() || shown().src === before) await new Promise(go => setTimeout(go, 1));
      await shown().decode();
      await new Promise(go => requestAnimationFrame(() => setTimeout(go, 0)));
      resolve(performance.now() - start);
    }, {capture: true, once: true});
  });
}"""


def timings(page: Page, selector: str) -> list[float]:
    """Return the milliseconds of each of a row of key presses, to and fro on one slider."""
    page.bring_to_front()
    page.wait_for_selector(selector)
    handle = page.locator(".noUi-handle").first
    handle.focus()
    return [_timing(page, handle, selector, press) for press in range(PRESSES)]


def _timing(page: Page, handle: Locator, selector: str, press: int) -> float:
    page.evaluate(_ARM, selector)
    handle.press("ArrowLeft" if press % 2 else "ArrowRight")
    return cast("float", page.evaluate("() => window.timing"))


def report() -> None:
    """Measure both in the same browser and server, and print a table."""
    browser_path = chromium.find()
    print(f"\nkey press to changed pixels (target: at most {MOST_MS:.0f} ms)")
    if browser_path is None:
        print(f"  not measured: {chromium.MISSING}")
        return
    with tempfile.TemporaryDirectory() as folder:
        _measure(browser_path, Path(folder))


def _measure(browser_path: str, folder: Path) -> None:
    copies = shutil.copytree(NOTEBOOKS, folder / "notebooks")
    root = NOTEBOOKS.parent
    path = f"import sys; sys.path.insert(0, {str(root)!r})"
    cells = [new_code_cell(path), new_code_cell(INTERACT)]
    plain = new_notebook(cells=cells, metadata=NOTEBOOK_METADATA)
    nbformat.write(plain, copies / "interact.ipynb")
    with (
        jupyterlab(folder / "server", copies) as address,
        chromium.launched(browser_path) as browser,
    ):
        explorer = NotebookPage(browser.new_page(), address, "04_token_bucket.ipynb")
        explorer.run_all()
        own = spread(timings(explorer.page, "img.widget-image"))
        pyplot = NotebookPage(browser.new_page(), address, "interact.ipynb")
        pyplot.run_cells()
        baseline = spread(timings(pyplot.page, ".widget-output img"))
    ratio = baseline.median_ms / own.median_ms
    holds = own.median_ms <= MOST_MS and ratio >= LEAST_RATIO
    print(f"  {'interact':<30} {baseline}")
    print(
        f"  {'TokenBucketExplorer':<30} {own}   {ratio:5.1f} times faster   {verdict(holds=holds)}"
    )
