"""Settings for all tests: the same examples on every run, and no deadline on a busy machine."""

from hypothesis import settings

settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=100, print_blob=True
)
settings.load_profile("same")
