"""One server and one browser for all browser tests; a fresh page for each."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright drives the browser")

from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.server import jupyterlab
from tests.tools.execute_notebooks import NOTEBOOKS


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None and os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(chromium.MISSING)
    if path is None:
        pytest.skip(chromium.MISSING)
    with chromium.launched(path) as running:
        yield running


@pytest.fixture(scope="session")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that serves a copy of the notebooks."""
    del browser  # no server is started where there is no browser
    folder = tmp_path_factory.mktemp("lab")
    copies = shutil.copytree(NOTEBOOKS, folder / "notebooks")
    with jupyterlab(folder / "server", copies) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(30_000)
    yield page
    page.close()


@pytest.fixture(scope="session")
def screenshots() -> Path | None:
    """Where to keep screenshots for a person to look at, if that is wanted."""
    named = os.environ.get("SCREENSHOTS")
    return Path(named) if named else None
