"""The README says what is there."""

import re
from pathlib import Path

import pytest

from tests.repository import ROOT
from tests.test_makefile import MAKEFILE
from tests.tools.notebook_index import entries
from tests.tools.readme_table import README, with_table

TEXT = README.read_text(encoding="utf-8")
LINKS = re.findall(r"\]\(([^)]+)\)", TEXT)


def test_its_table_is_made_from_the_notebooks() -> None:
    assert with_table(TEXT) == TEXT
    assert len(entries()) >= 6
    for each in entries():
        assert each.question in TEXT


@pytest.mark.parametrize("command", sorted(set(re.findall(r"make (\w+)", TEXT))))
def test_its_commands_exist(command: str) -> None:
    assert re.search(rf"^{command}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("target", [link for link in LINKS if not link.startswith("http")])
def test_its_links_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


# A folder and a file, or a file with a known ending: in a code block, in backticks or in a link.
FILES = r"(?<![\w./-])(?:(?:ratelimit|notebooks|tests)/[\w./]*\w|\w+\.(?:toml|yml|txt|ipynb|md))\b"


@pytest.mark.parametrize("name", sorted(set(re.findall(FILES, TEXT))))
def test_the_files_it_names_exist(name: str) -> None:
    assert (ROOT / name).exists()


def test_every_kind_of_mention_is_seen() -> None:
    assert {"environment.yml", "ratelimit/config.py", "ratelimit/algorithms"} <= set(
        re.findall(FILES, TEXT)
    )


def test_its_pictures_say_in_words_what_they_show() -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", TEXT)
    assert pictures
    for alternative, file in pictures:
        assert len(alternative) > 60
        assert Path(ROOT, file).stat().st_size > 20_000


def test_it_tells_whose_the_other_package_is() -> None:
    assert "`ratelimit` on the Python package index is somebody else's" in TEXT


def test_its_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out == "go, 9 left\n"
