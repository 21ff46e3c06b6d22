import subprocess
import sys
from pathlib import Path

import pytest

import ratelimit.lab

ROOT = Path(ratelimit.lab.__file__).parents[2]

BLOCK = """
import sys
from importlib.abc import MetaPathFinder

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

sys.meta_path.insert(0, Blocker())
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("missing", ["ipywidgets", "matplotlib"])
def test_without_its_libraries_the_lab_says_what_to_install(missing: str) -> None:
    done = run(BLOCK.format(missing=missing) + "import ratelimit.lab")
    assert done.returncode == 1
    *_, error, note = done.stderr.strip().splitlines()
    assert error == f"ModuleNotFoundError: No module named {missing!r}"
    assert note == "the lab draws and has sliders: pip install 'ratelimit-notebooks[lab]'"


@pytest.mark.parametrize("missing", ["ipywidgets", "matplotlib", "numpy", "PIL"])
def test_the_limiters_need_none_of_them(missing: str) -> None:
    done = run(BLOCK.format(missing=missing) + "import ratelimit; print(ratelimit.TokenBucket)")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_limiters_load_no_part_of_the_lab() -> None:
    done = run("import ratelimit, sys; print(*(name for name in sys.modules if 'lab' in name))")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ratelimit.lab" not in done.stdout.split()


def test_the_lab_draws_without_pyplot() -> None:
    code = """
import sys
from ratelimit.lab import *
for kind in (TokenBucketExplorer, SlidingWindowExplorer, FixedWindowExplorer):
    explorer = kind()
    explorer.controls["burst_size"].value += 1
plot(explorer.trace)
print("matplotlib.figure" in sys.modules, "matplotlib.pyplot" in sys.modules)
"""
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "True False\n"


def test_every_public_name_is_there_once() -> None:
    assert all(hasattr(ratelimit.lab, name) for name in ratelimit.lab.__all__)
    assert len(set(ratelimit.lab.__all__)) == len(ratelimit.lab.__all__)
