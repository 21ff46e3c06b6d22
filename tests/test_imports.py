"""What imports what: the package is light, and its arrows point one way."""

import ast
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import FunctionType

import pytest

import ratelimit
from tests.repository import ROOT, pyproject

PACKAGE = ROOT / "ratelimit"
CORE = sorted(set(PACKAGE.rglob("*.py")) - set(PACKAGE.glob("lab/**/*.py")))
ALGORITHMS = sorted(path for path in PACKAGE.glob("algorithms/*.py") if path.stem != "__init__")
# Sleeping is the one thing that is told in seconds, after the decision has been made.
DECIDING = [path for path in CORE if path.stem not in {"async_waiting", "waiting"}]
each_deciding_file = pytest.mark.parametrize(
    "path", DECIDING, ids=lambda path: path.relative_to(PACKAGE).with_suffix("").as_posix()
)

# Isolated, so that no variable and no folder of the caller counts: this checkout does.
HERE = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
LOADED = HERE + "before = set(sys.modules); import {}; print(*set(sys.modules) - before)"


def loaded_by(name: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-I", "-c", LOADED.format(name)],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


def test_importing_the_package_loads_the_standard_library_only() -> None:
    loaded = {module.split(".")[0] for module in loaded_by("ratelimit")}
    assert loaded - sys.stdlib_module_names == {"ratelimit"}


def test_the_package_is_imported_where_nothing_is_installed() -> None:
    """Without site there are no installed packages, not even those that start with Python."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", HERE + "import ratelimit"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_importing_the_package_does_not_load_the_lab() -> None:
    loaded = loaded_by("ratelimit")
    assert "ratelimit.decision" in loaded
    assert not [module for module in loaded if module.startswith("ratelimit.lab")]


def test_importing_the_lab_does_not_load_pyplot() -> None:
    loaded = loaded_by("ratelimit.lab")
    assert "matplotlib.figure" in loaded
    assert "matplotlib.pyplot" not in loaded


def documented_alias(name: str) -> bool:
    for path in CORE:
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for alias, below in pairwise(body):
            if isinstance(alias, ast.AnnAssign) and ast.unparse(alias.target) == name:
                return isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    return False


@pytest.mark.parametrize("name", ratelimit.__all__)
def test_every_public_name_says_what_it_is(name: str) -> None:
    thing = getattr(ratelimit, name)
    if isinstance(thing, type):
        # A record without a docstring of its own is given its signature as one.
        assert vars(thing)["__doc__"]
        assert not vars(thing)["__doc__"].startswith(f"{name}(")
    elif isinstance(thing, FunctionType):
        assert thing.__doc__
    else:
        assert documented_alias(name), "a text must stand below the alias"


def test_the_public_names_are_sorted_and_all_that_is_imported_for_users() -> None:
    assert sorted(set(ratelimit.__all__)) == ratelimit.__all__
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert {each.name for node in imports for each in node.names} == set(ratelimit.__all__)


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    if not linter.exists():
        pytest.skip("import-linter is not installed")
    run = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    assert f"Contracts: {len(contracts)} kept, 0 broken." in run.stdout


def test_every_algorithm_is_under_the_contract_of_independence() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    independent = next(each for each in contracts if each["type"] == "independence")["modules"]
    assert independent == [f"ratelimit.algorithms.{path.stem}" for path in ALGORITHMS]


@pytest.mark.parametrize("path", ALGORITHMS, ids=lambda path: path.stem)
def test_an_algorithm_knows_time_decisions_and_the_rules_for_arguments(path: Path) -> None:
    known = {f"ratelimit.{each}" for each in ("decision", "limiter", "ticker", "validation")}
    for module in imported_by(path.read_text(encoding="utf-8")):
        assert module in known or module.split(".")[0] in sys.stdlib_module_names


def imported_by(source: str) -> set[str]:
    """Return the modules that a file imports, a relative one with its dots."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add("." * node.level + (node.module or ""))
    return modules


def test_every_way_to_import_is_seen() -> None:
    source = "import a.b, c\nfrom d.e import f\nfrom . import g\nfrom ..h import i"
    assert imported_by(source) == {"a.b", "c", "d.e", ".", "..h"}


def floating_point(source: str) -> list[str]:
    """Return what in a source divides truly, is a float, or makes one."""
    calls = {"float", "round", "complex", "time.time", "time.monotonic", "time.perf_counter"}
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in calls)
    ]


@each_deciding_file
def test_no_floating_point_takes_part_in_a_decision(path: Path) -> None:
    assert not floating_point(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("source", ["a / b", "a /= b", "1.0", "1e3", "float(a)", "round(a)", "1j"])
def test_floating_point_would_be_found(source: str) -> None:
    assert floating_point(source)
    assert not floating_point("a // b % 3 + int(c)")
