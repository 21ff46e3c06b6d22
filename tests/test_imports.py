"""What imports what: the package is light, and its arrows point one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ratelimit
from tests.repository import ROOT, pyproject

PACKAGE = ROOT / "ratelimit"
CORE = sorted([*PACKAGE.glob("*.py"), *PACKAGE.glob("algorithms/*.py")])
ALGORITHMS = sorted(path for path in PACKAGE.glob("algorithms/*.py") if path.stem != "__init__")
# Sleeping is the one thing that is told in seconds, after the decision has been made.
DECIDING = [path for path in CORE if path.stem not in {"async_waiting", "waiting"}]
each_deciding_file = pytest.mark.parametrize("path", DECIDING, ids=lambda path: path.stem)

LOADED = "import sys; before = set(sys.modules); import {}; print(*set(sys.modules) - before)"


def modules_loaded_by(name: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", LOADED.format(name)], capture_output=True, text=True, check=True
    )
    return {module.split(".")[0] for module in run.stdout.split()}


def test_importing_the_package_loads_the_standard_library_only() -> None:
    assert modules_loaded_by("ratelimit") - sys.stdlib_module_names == {"ratelimit"}


def test_importing_the_package_does_not_load_the_lab() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADED.format("ratelimit")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not [module for module in run.stdout.split() if module.startswith("ratelimit.lab")]


def test_importing_the_lab_does_not_load_pyplot() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADED.format("ratelimit.lab")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "matplotlib.figure" in run.stdout.split()
    assert "matplotlib.pyplot" not in run.stdout.split()


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert sorted(ratelimit.__all__) == ratelimit.__all__
    for name in ratelimit.__all__:
        thing = getattr(ratelimit, name)
        assert thing.__doc__, name


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    if not linter.exists():
        pytest.skip("import-linter is not installed")
    run = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    assert "Contracts: 3 kept, 0 broken." in run.stdout


def test_every_algorithm_is_under_the_contract_of_independence() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    independent = next(each for each in contracts if each["type"] == "independence")["modules"]
    assert independent == [f"ratelimit.algorithms.{path.stem}" for path in ALGORITHMS]


@pytest.mark.parametrize("path", ALGORITHMS, ids=lambda path: path.stem)
def test_an_algorithm_knows_time_decisions_and_the_rules_for_arguments(path: Path) -> None:
    known = {"decision", "limiter", "ticker", "validation"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ratelimit"):
            assert (node.module or "").removeprefix("ratelimit.") in known


@each_deciding_file
def test_no_floating_point_takes_part_in_a_decision(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Div), ast.unparse(node)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Call) and ast.unparse(node.func) in {"float", "round"})
