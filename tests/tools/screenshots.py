"""Take screenshots of every explorer at both ends of every slider, in both themes, to look at."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab
from tests.tools.execute_notebooks import NOTEBOOKS

SUBJECTS = ("03_fixed_window.ipynb", "04_token_bucket.ipynb", "05_sliding_window.ipynb")
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
ENDS = {"Home": "lowest", "End": "highest"}
DEADLINE_S = 20

_SET_THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
_NAMES = "print(*explorer.controls)"
_REMEMBER = "start = {name: control.value for name, control in explorer.controls.items()}"
_RESTORE = "for name, value in start.items(): explorer.controls[name].value = value"
# A key press is handled beside the cells, so the explorer may be halfway: a fresh one is not.
_SHOWN = """import hashlib
fresh = type(explorer)(**{name: control.value for name, control in explorer.controls.items()})
print(*[f'{control.value:,}' for control in fresh.controls.values()])
print(fresh.summary)
print(hashlib.sha256(fresh.picture).hexdigest())
fresh.close()"""
# A picture that has come is not yet one that is seen: it is decoded, and painted with a frame.
_PAINTED = """async image => {
  await image.decode();
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
}"""


def settle(notebook: NotebookPage, sliders: int) -> None:
    """Wait until the page shows what a fresh explorer at its settings shows, painted."""
    summary = notebook.page.locator(".jupyter-widgets.widget-vbox .widget-html p").last
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        readouts = " ".join(notebook.readout(slider) for slider in range(sliders))
        shown = [readouts, summary.inner_text(), notebook.picture_digest()]
        if notebook.ask_kernel(_SHOWN).split("\n") == shown:
            notebook.images.first.evaluate(_PAINTED)
            return
        notebook.page.wait_for_timeout(50)
    raise RuntimeError(f"the page does not show its settings after {DEADLINE_S} s: {shown}")


def take(notebook: NotebookPage, folder: Path, prefix: str) -> None:
    """Keep the explorer as it starts, and with each slider in turn at both ends."""
    names = notebook.ask_kernel(_NAMES).split()
    explorer = notebook.page.locator(".jupyter-widgets.widget-vbox").first
    settle(notebook, len(names))
    explorer.screenshot(path=folder / f"{prefix}_start.png")
    for place, name in enumerate(names):
        for key, end in ENDS.items():
            notebook.handles.nth(place).press(key)
            settle(notebook, len(names))
            explorer.screenshot(path=folder / f"{prefix}_{name}_{end}.png")
        notebook.ask_kernel(_RESTORE)
        settle(notebook, len(names))


def take_all(browser: Browser, address: str, folder: Path) -> None:
    """Keep every explorer in every theme."""
    for subject in SUBJECTS:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        notebook = NotebookPage(page, address, subject)
        notebook.run_all()
        notebook.ask_kernel(_REMEMBER)
        for theme, name in THEMES.items():
            page.evaluate(_SET_THEME, name)
            page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
            take(notebook, folder, f"{subject[:2]}_{theme}")
        page.close()


def main(arguments: list[str] | None = None) -> int:
    """Take them; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to put them; made if it is not there")
    folder: Path = parser.parse_args(arguments).folder
    browser_path = chromium.find()
    if browser_path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        copies = shutil.copytree(NOTEBOOKS, Path(own) / "notebooks")
        with (
            jupyterlab(Path(own) / "server", copies) as address,
            chromium.launched(browser_path) as browser,
        ):
            take_all(browser, address, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
