"""The commands of the README, as far as they can be tried without installing anything."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repository import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="this system has no make")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def make(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run make, with the programs in `path` before all others, and without our own settings."""
    search = os.environ["PATH"] if path is None else f"{path}{os.pathsep}{os.environ['PATH']}"
    env = {k: v for k, v in os.environ.items() if k not in {"BROWSER", "PORT", "HOST", "MAKEFLAGS"}}
    return subprocess.run(
        ["make", *arguments],
        cwd=ROOT,
        env={**env, "PATH": search},
        capture_output=True,
        text=True,
        check=False,
    )


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def test_lab_opens_the_first_notebook() -> None:
    said = make("--dry-run", "lab").stdout
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in said
    assert "--ip=127.0.0.1 --port=8888" in said
    assert "--no-browser" not in said


def test_lab_takes_a_port_a_host_and_no_browser() -> None:
    said = make("--dry-run", "lab", "PORT=1234", "BROWSER=none", "HOST=0.0.0.0").stdout
    assert "--no-browser" in said
    assert "--ip=0.0.0.0 --port=1234" in said


def test_a_browser_that_the_system_names_is_not_taken_for_none() -> None:
    assert "--no-browser" not in make("--dry-run", "lab", "BROWSER=firefox").stdout


@pytest.mark.parametrize(("uid", "allowed"), [("0", True), ("1000", False)])
def test_root_is_allowed_when_it_is_root(tmp_path: Path, uid: str, allowed: bool) -> None:
    program(tmp_path, "id", f"echo {uid}")
    said = make("--dry-run", "lab", path=tmp_path).stdout
    assert ("--allow-root" in said) is allowed


def test_a_python_that_is_too_old_is_named_with_the_remedy(tmp_path: Path) -> None:
    program(tmp_path, "oldpython", "exit 1")
    old = tmp_path / "oldpython"
    done = make("install", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_help_names_every_command() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    said = make("help").stdout
    for target in set(phony[1].split()) - {"help"}:
        assert re.search(rf"^make {target}  +\w", said, re.MULTILINE), target


def test_every_command_is_phony() -> None:
    """Else a file of that name would stop it from running."""
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == set(re.findall(r"^([a-z]+):(?!=)", MAKEFILE, re.MULTILINE))


def test_test_runs_every_check() -> None:
    said = make("--dry-run", "test").stdout
    for check in (
        "ruff format --check",
        "ruff check",
        "mypy",
        "lint-imports",
        "--nbval notebooks",
        "-m browser",
    ):
        assert check in said
    assert "--cov-fail-under=100" in said
