"""Executing notebooks: what is stored, and what is left alone when something fails."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.tools.execute_notebooks import NotebookError, main, read, store
from tests.tools.notebook_index import entry


def write(path: Path, *sources: str) -> Path:
    cells = [new_markdown_cell("# 00 · A title\n\n**Question:** Why?")]
    cells += [new_code_cell(source) for source in sources]
    nbformat.write(new_notebook(cells=cells), path)
    return path


def test_it_is_stored_executed_and_the_second_time_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "x.ipynb", "print(1 + 1)", "import os; len(os.listdir('.'))")
    assert store(path) == "x.ipynb: changed"
    stored = path.read_bytes()
    assert [cell.execution_count for cell in read(path).cells[1:]] == [1, 2]
    assert read(path).cells[1].outputs[0].text == "2\n"
    assert store(path) == "x.ipynb: unchanged"
    assert path.read_bytes() == stored


def test_a_failing_cell_is_named_and_the_file_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "good.ipynb", "1")
    bad = write(tmp_path / "bad.ipynb", "1", "raise KeyError('lost')")
    before = bad.read_bytes()
    assert main([str(bad), str(good)]) == 1
    said = capfd.readouterr()
    assert "bad.ipynb" in said.err
    assert "KeyError" in said.err
    assert "lost" in said.err
    assert "good.ipynb: changed" in said.out
    assert bad.read_bytes() == before


def test_a_path_of_the_machine_is_not_stored(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "x.ipynb", "print('/' + 'home/someone')")
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert "shows a path of this machine" in capfd.readouterr().err
    assert path.read_bytes() == before


def test_what_is_no_notebook_is_said(tmp_path: Path) -> None:
    (tmp_path / "binary.ipynb").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "text.ipynb").write_text("hello", encoding="utf-8")
    with pytest.raises(NotebookError, match="there is no such file"):
        read(tmp_path / "missing.ipynb")
    with pytest.raises(NotebookError, match="there is no such file"):
        read(tmp_path)
    for name in ("binary", "text"):
        with pytest.raises(NotebookError, match="this is not a notebook"):
            read(tmp_path / f"{name}.ipynb")


def test_the_index_reads_number_title_and_question(tmp_path: Path) -> None:
    path = write(tmp_path / "00_a_title.ipynb")
    assert entry(path) == ("00_a_title.ipynb", "00", "A title", "Why?")


def test_a_notebook_without_a_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# 00 · A title")]), path)
    with pytest.raises(NotebookError, match="the first cell must start with"):
        entry(path)
