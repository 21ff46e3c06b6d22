"""What all explorers share: sliders, a picture, a line of numbers, a place for errors."""

from abc import abstractmethod
from base64 import b64encode
from html import escape
from typing import Any

from ipywidgets import HTML, GridBox, Image, IntSlider, Layout, VBox
from matplotlib.figure import Figure

from ratelimit.lab.plots import style
from ratelimit.lab.trace import Trace


class Explorer(VBox):
    """Sliders above the picture of a simulation that follows them.

    Attributes:
        controls: the sliders by the name of the parameter they set; assigning to
            `controls[name].value` is the same as dragging.
        trace: the simulation that is shown.
        picture: the PNG that is shown.

    In JupyterLab the live widget appears. Where there is no kernel, as on a page that
    shows stored notebooks, the picture does.
    """

    trace: Trace
    picture: bytes

    def __init__(self, controls: dict[str, IntSlider]) -> None:
        self.controls = controls
        self._updating = False
        columns = Layout(
            grid_template_columns="repeat(auto-fit, minmax(26em, 1fr))",
            width="100%",
            max_width=f"{style.WIDTH_PX}px",
        )
        fitted = Layout(width="100%", max_width=f"{style.WIDTH_PX}px", height="auto")
        self._image = Image(format="png", layout=fitted)
        self._numbers = HTML()
        self._error = HTML()
        sliders = GridBox(list(controls.values()), layout=columns)
        super().__init__([sliders, self._error, self._image, self._numbers])
        for control in controls.values():
            control.observe(self._on_change, names="value")
        self._update()

    @property
    @abstractmethod
    def figure(self) -> Figure:
        """The matplotlib figure that is drawn again at each change."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """The key numbers of the simulation in one line."""

    @abstractmethod
    def _explore(self, values: dict[str, int]) -> tuple[Trace, bytes]:
        """Return the simulation at these settings, and its picture."""

    def _constrain(self) -> None:
        """Set the ends of each slider that depend on another slider."""

    def _on_change(self, _change: object) -> None:
        # A slider whose end is moved may change its value, which must not draw twice.
        if not self._updating:
            self._update()

    def _update(self) -> None:
        self._updating = True
        try:
            self._constrain()
            self.trace, self.picture = self._explore(self._values())
            self._image.value = self.picture
            self._numbers.value = f"<p>{escape(self.summary)}</p>"
        except Exception as error:
            # A front end drops the error of a callback, so it is shown here as well.
            self._error.value = _alert(error)
            raise
        finally:
            self._updating = False
        self._error.value = ""

    def _values(self) -> dict[str, int]:
        return {name: control.value for name, control in self.controls.items()}

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self._values().items())
        return f"{type(self).__name__}({settings})"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        bundle["text/plain"] = repr(self)
        bundle["image/png"] = b64encode(self.picture).decode("ascii")
        return bundle


def _alert(error: Exception) -> str:
    message = escape(" ".join([f"{type(error).__name__}: {error}", *_notes(error)]))
    return f'<p role="alert" style="color: #B00020; font-weight: bold">{message}</p>'


def _notes(error: Exception) -> list[str]:
    return getattr(error, "__notes__", [])
