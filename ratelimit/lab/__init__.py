"""What the notebooks add to the limiters: traffic, simulated time, plots and explorers."""

try:
    import ipywidgets as _ipywidgets  # noqa: F401
    import matplotlib as _matplotlib  # noqa: F401
except ModuleNotFoundError as missing:
    missing.add_note("the lab draws and has sliders: pip install 'ratelimit-notebooks[lab]'")
    raise

from ratelimit.lab import traffic
from ratelimit.lab.code import Code, show_code
from ratelimit.lab.exact import exact_counts, refused_with_room
from ratelimit.lab.explorers.fixed_window import FixedWindowExplorer
from ratelimit.lab.explorers.sliding_window import SlidingWindowExplorer
from ratelimit.lab.explorers.token_bucket import TokenBucketExplorer
from ratelimit.lab.levels import Level
from ratelimit.lab.plots.picture import Picture, plot
from ratelimit.lab.request import Request
from ratelimit.lab.simulation import simulate
from ratelimit.lab.trace import Span, Trace

__all__ = [
    "Code",
    "FixedWindowExplorer",
    "Level",
    "Picture",
    "Request",
    "SlidingWindowExplorer",
    "Span",
    "TokenBucketExplorer",
    "Trace",
    "exact_counts",
    "plot",
    "refused_with_room",
    "show_code",
    "simulate",
    "traffic",
]
