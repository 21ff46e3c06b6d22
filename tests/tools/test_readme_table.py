"""The README's table: what is written, what is only checked, and what is refused."""

from pathlib import Path

import pytest

from tests.tools import readme_table
from tests.tools.execute_notebooks import NotebookError
from tests.tools.notebook_index import Entry
from tests.tools.readme_table import BEGIN, END, main

OLD = f"before\n{BEGIN}old\n{END}after\n"
NEW = f"""before
{BEGIN}| notebook | the question it answers |
|---|---|
| [00 · Start](notebooks/00_start.ipynb) | What is it? |
| [01 · Or](notebooks/01_or.ipynb) | Is it `a \\| b`? |
{END}after
"""


@pytest.fixture
def readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a README with an old table, for two notebooks."""
    path = tmp_path / "README.md"
    path.write_text(OLD, encoding="utf-8")
    monkeypatch.setattr(readme_table, "README", path)
    two = [
        Entry("00_start.ipynb", "00", "Start", "What is it?"),
        Entry("01_or.ipynb", "01", "Or", "Is it `a | b`?"),
    ]
    monkeypatch.setattr(readme_table, "entries", lambda: two)
    return path


def test_the_table_is_written_and_the_second_time_changes_nothing(readme: Path) -> None:
    for _ in range(2):
        assert main([]) == 0
        assert readme.read_text(encoding="utf-8") == NEW


def test_a_check_fails_on_an_old_table_and_changes_nothing(
    readme: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"]) == 1
    assert "run `make readme`" in capsys.readouterr().err
    assert readme.read_text(encoding="utf-8") == OLD


def test_a_check_passes_on_a_new_table(readme: Path) -> None:
    readme.write_text(NEW, encoding="utf-8")
    assert main(["--check"]) == 0


@pytest.mark.parametrize(
    "text",
    ["none\n", BEGIN, END, f"{END}{BEGIN}", f"{OLD}{OLD}", f"{OLD}{END}", f"{BEGIN}{OLD}"],
    ids=["none", "begin", "end", "end first", "two tables", "two ends", "two begins"],
)
def test_a_readme_without_one_place_for_the_table_is_left_alone(
    readme: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    readme.write_text(text, encoding="utf-8")
    assert main([]) == 1
    assert "the README needs one line" in capsys.readouterr().err
    assert readme.read_text(encoding="utf-8") == text


def test_a_notebook_without_a_question_is_said_without_a_traceback(
    readme: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_entries() -> list[Entry]:
        raise NotebookError("x.ipynb: the first cell must start with ...")

    monkeypatch.setattr(readme_table, "entries", no_entries)
    assert main([]) == 1
    assert capsys.readouterr().err == "x.ipynb: the first cell must start with ...\n"
    assert readme.read_text(encoding="utf-8") == OLD
