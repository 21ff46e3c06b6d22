"""Executing the notebooks again changes no text, with or without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from tests.notebooks.notebooks import NOTEBOOK_FOLDER, PATHS, each_notebook
from tests.tools.execute_notebooks import executed
from tests.tools.normal_form import to_text

PICTURE = re.compile(r'"image/png": "[^"]*"')


def without_pictures(text: str) -> str:
    """Leave out what another font or another compression makes different."""
    return PICTURE.sub("", text)


@each_notebook
def test_executing_it_again_changes_no_text(path: Path) -> None:
    again = to_text(executed(path))
    assert without_pictures(again) == without_pictures(path.read_text(encoding="utf-8"))


def without_network() -> list[str]:
    """Return a command prefix that takes the network away, but for loopback."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("this system has no unshare, so the network can't be taken away")
    prefix = [unshare, "--map-root-user", "--net"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not let a process give up its network")
    return [*prefix, "sh", "-c", 'ip link set lo up 2>/dev/null; exec "$@"', "sh"]


def test_they_all_run_offline(tmp_path: Path) -> None:
    copies = shutil.copytree(NOTEBOOK_FOLDER, tmp_path / "notebooks")
    names = [str(copies / path.name) for path in PATHS]
    execute = [sys.executable, "-m", "tests.tools.execute_notebooks", *names]
    run = subprocess.run(
        [*without_network(), *execute],
        cwd=NOTEBOOK_FOLDER.parent,
        # An empty home, but for the list of fonts: making it anew is slow, and then warned of.
        env={**os.environ, "HOME": str(tmp_path), "MPLCONFIGDIR": matplotlib.get_cachedir()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    for path in PATHS:
        stored, again = (each.read_text(encoding="utf-8") for each in (path, copies / path.name))
        assert without_pictures(again) == without_pictures(stored)
