"""pyproject.toml, environment.yml and requirements.txt ask for the same things."""

import re
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.repository import ROOT, pyproject, tracked_files

MatchSpec = pytest.importorskip("rattler", reason="py-rattler reads environment.yml").MatchSpec

CONDA: dict[str, Any] = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
PACKAGES = [MatchSpec(each) for each in CONDA["dependencies"] if isinstance(each, str)]
EXTRAS: dict[str, list[str]] = pyproject()["project"]["optional-dependencies"]
WANTED = {
    requirement.name.lower(): requirement
    for extra in EXTRAS.values()
    for requirement in map(Requirement, extra)
}
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
LOCKED = [Requirement(line) for line in LOCK.splitlines() if line and not line.startswith("#")]

# A letter in brackets keeps a pattern from finding itself in this file.
NOT_OURS = re.compile(
    r"/[r]oot/|/[o]pt/|/[h]ome/\w|/[U]sers/\w|[f]ile:///"
    r"|--(?:extra-)?[i]ndex-url|--[f]ind-links|--[t]rusted-host"
)


def bounds(spec: object) -> SpecifierSet:
    return SpecifierSet(str(spec))


def name_of(spec: Any) -> str:  # noqa: ANN401
    return str(spec.name.normalized)


def test_the_channel_is_conda_forge() -> None:
    assert CONDA["name"] == "ratelimit-notebooks"
    assert CONDA["channels"] == ["conda-forge", "nodefaults"]


@pytest.mark.parametrize("spec", PACKAGES, ids=str)
def test_each_conda_package_has_the_bounds_of_pyproject(spec: Any) -> None:  # noqa: ANN401
    name = name_of(spec)
    if name == "python":
        oldest = pyproject()["project"]["requires-python"]
        assert str(spec.version).split(",")[0] == oldest
    elif name != "pip":
        assert bounds(spec.version) == WANTED[name].specifier


def test_conda_gets_all_of_the_lab_and_what_runs_the_notebooks_tests() -> None:
    names = {name_of(spec) for spec in PACKAGES}
    lab = {Requirement(each).name for each in EXTRAS["lab"]}
    assert lab | {"pip", "python", "pytest", "nbval", "hypothesis"} <= names


def test_conda_installs_this_package_itself() -> None:
    assert {"pip": ["-e ."]} in CONDA["dependencies"]
    assert pyproject()["project"]["dependencies"] == []


@pytest.mark.parametrize("name", sorted(WANTED))
def test_each_direct_dependency_is_locked_within_its_bounds(name: str) -> None:
    locked = [each for each in LOCKED if each.name.lower() == name]
    assert locked
    for each in locked:
        (pin,) = each.specifier
        assert pin.operator == "=="
        assert WANTED[name].specifier.contains(pin.version)


def test_the_lock_pins_everything_and_names_no_address() -> None:
    assert all([spec.operator for spec in each.specifier] == ["=="] for each in LOCKED)
    assert not any(each.url for each in LOCKED)
    assert not re.search(r"https?:|--|@", LOCK)


def test_no_file_names_a_path_or_an_address_of_one_machine() -> None:
    for path in tracked_files():
        if path.suffix == ".png":
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = re.sub(r'"image/png": "[^"]*"', "", text)
        assert not NOT_OURS.search(text), path


@pytest.mark.parametrize(
    "text",
    [
        "/" + "root/.cache",
        "/" + "opt/wheels",
        "in /" + "home/me",
        "/" + "Users/me",
        "file:" + "///x",
        "--index" + "-url x",
        "--extra-index" + "-url x",
        "--find" + "-links x",
        "--trusted" + "-host x",
    ],
    ids=range(9),
)
def test_such_a_path_or_address_would_be_found(text: str) -> None:
    assert NOT_OURS.search(text)


def test_the_supported_pythons_are_said_once_and_alike() -> None:
    classifiers = pyproject()["project"]["classifiers"]
    versions = [each.rsplit(" ", 1)[1] for each in classifiers if "Python :: 3." in each]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    conda = next(str(spec.version) for spec in PACKAGES if name_of(spec) == "python")
    assert conda == ">=3.11,<3.15"
