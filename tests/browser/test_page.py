"""The page around an explorer: the Tab key, the console, and loading it again."""

import pytest
from playwright.sync_api import ConsoleMessage, Page

from tests.browser.notebook_page import NotebookPage
from tests.notebooks.notebooks import code_cells, pictures, read
from tests.tools.execute_notebooks import NOTEBOOKS

pytestmark = pytest.mark.browser

NOTEBOOK = "04_token_bucket.ipynb"
FOCUSED = """() => [...document.querySelectorAll('.jupyter-widgets .noUi-handle')]
  .indexOf(document.activeElement)"""


def test_the_tab_key_leads_from_slider_to_slider(page: Page, address: str) -> None:
    notebook = NotebookPage(page, address, NOTEBOOK)
    notebook.run_all()
    sliders = notebook.handles.count()
    notebook.handles.first.focus()
    visited = [0]
    # Between two handles the readout takes the focus, since a number can be typed there.
    for _ in range(2 * (sliders - 1)):
        page.keyboard.press("Tab")
        visited.append(page.evaluate(FOCUSED))
    assert [place for place in visited if place >= 0] == list(range(sliders))


def test_the_console_has_no_error_and_a_reload_shows_the_stored_pictures(
    page: Page, address: str
) -> None:
    said: list[ConsoleMessage] = []
    page.on("console", lambda message: said.append(message))
    stored = sum(len(pictures(cell)) for cell in code_cells(read(NOTEBOOKS / NOTEBOOK)))
    notebook = NotebookPage(page, address, NOTEBOOK)
    notebook.run_all()
    # Not saved, so what is loaded again is the stored notebook.
    again = NotebookPage(page, address, NOTEBOOK)
    again.stored_pictures.nth(stored - 1).wait_for()
    assert again.stored_pictures.count() == stored
    assert again.images.count() == 0
    assert again.complaints() == []
    assert [each.text for each in said if each.type == "error"] == []
