"""A notebook in JupyterLab, as a person uses it."""

from typing import cast

from playwright.sync_api import Locator, Page

_READY = """async () => {
  await window.jupyterapp.restored;
  let panel = null;
  while (!(panel = window.jupyterapp.shell.currentWidget)) {
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await panel.context.ready;
  await panel.revealed;
  await panel.context.sessionContext.ready;
  await panel.context.sessionContext.session.kernel.info;
}"""

_RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"

_ASK_KERNEL = """async code => {
  const panel = window.jupyterapp.shell.currentWidget;
  const kernel = panel.context.sessionContext.session.kernel;
  const future = kernel.requestExecute({code, store_history: false});
  let said = '';
  future.onIOPub = message => {
    if (message.header.msg_type === 'stream') said += message.content.text;
    if (message.header.msg_type === 'error') said += 'ERROR ' + message.content.evalue;
  };
  await future.done;
  return said;
}"""

_WATCH = """image => {
  window.changes = [];
  window.keys = [];
  new MutationObserver(() => window.changes.push(performance.now()))
    .observe(image, {attributes: true, attributeFilter: ['src']});
  document.addEventListener('keydown', () => window.keys.push(performance.now()), true);
}"""

_DIGEST = """async image => {
  const bytes = await (await fetch(image.src)).arrayBuffer();
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
}"""

_SETTLED = """quiet => {
  const last = Math.max(...window.keys, ...window.changes);
  return performance.now() - last > quiet;
}"""


class NotebookPage:
    """One notebook, opened in a workspace of its own."""

    def __init__(self, page: Page, address: str, notebook: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{address}/doc/tree/{notebook}?reset")
        page.wait_for_function("window.jupyterapp")
        page.evaluate(_READY)

    def run_cells(self) -> None:
        """Run all cells."""
        self.page.evaluate(_RUN_ALL)

    def run_all(self) -> None:
        """Run all cells, and wait until the widgets are drawn."""
        self.run_cells()
        self.images.first.wait_for()
        self.page.wait_for_function("() => document.querySelector('.widget-image').naturalWidth")

    def ask_kernel(self, code: str) -> str:
        """Run code in the notebook's kernel, and return what it prints."""
        return cast("str", self.page.evaluate(_ASK_KERNEL, code)).strip()

    @property
    def images(self) -> Locator:
        """The pictures of live explorers."""
        return self.page.locator("img.widget-image")

    @property
    def stored_pictures(self) -> Locator:
        """The pictures that are part of the stored notebook."""
        return self.page.locator(".jp-OutputArea-output img:not(.widget-image)")

    @property
    def handles(self) -> Locator:
        """What a slider is moved with."""
        return self.page.locator(".jupyter-widgets .noUi-handle")

    def readout(self, slider: int) -> str:
        """Return the number that a slider shows."""
        return self.page.locator(".jupyter-widgets .widget-readout").nth(slider).inner_text()

    def cut_labels(self) -> list[str]:
        """Return the labels of sliders that are wider than the room they have."""
        return cast(
            "list[str]",
            self.page.locator(".jupyter-widgets .widget-label").evaluate_all(
                "labels => labels.filter(l => l.scrollWidth > l.clientWidth).map(l => l.innerText)"
            ),
        )

    def picture(self) -> str:
        """Return the address of the picture that is shown, another one for each picture."""
        return cast("str", self.images.first.evaluate("image => image.src"))

    def picture_digest(self) -> str:
        """Return the SHA-256 of the picture that is shown."""
        return cast("str", self.images.first.evaluate(_DIGEST))

    def watch(self) -> None:
        """From now on, note when keys are pressed and when the picture changes."""
        self.images.first.evaluate(_WATCH)

    def settle(self, quiet_ms: int = 700) -> None:
        """Wait until neither a key nor a change of the picture has come for a while."""
        self.page.wait_for_function(_SETTLED, arg=quiet_ms)

    def lag_ms(self) -> float:
        """Return how long after the last key the picture changed for the last time."""
        return cast("float", self.page.evaluate("() => Math.max(...changes) - Math.max(...keys)"))

    def complaints(self) -> list[str]:
        """Return all that looks like an error on the page."""
        text = self.page.inner_text("body")
        signs = ("model not found", "Error displaying widget", "Traceback", "Javascript Error")
        outputs = self.page.locator("[data-mime-type$='.stderr'], [data-mime-type$='.error']")
        return [sign for sign in signs if sign in text] + outputs.all_inner_texts() + self.errors
