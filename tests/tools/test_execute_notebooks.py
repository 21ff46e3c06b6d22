"""Executing notebooks: what is stored, and what is left alone when something fails."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.tools import execute_notebooks
from tests.tools.execute_notebooks import NotebookError, executed, main, read, store
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


def test_it_runs_where_the_notebook_is(tmp_path: Path) -> None:
    (tmp_path / "beside.txt").write_text("here", encoding="utf-8")
    path = write(tmp_path / "x.ipynb", "print(open('beside.txt').read())")
    assert executed(path).cells[1].outputs[0].text == "here\n"


def test_a_cell_that_is_meant_to_fail_may(tmp_path: Path) -> None:
    path = write(tmp_path / "x.ipynb", "raise ValueError('meant')", "2")
    notebook = read(path)
    notebook.cells[1].metadata.tags = ["raises-exception"]
    nbformat.write(notebook, path)
    store(path)
    stored = path.read_bytes()
    assert read(path).cells[1].outputs[0].traceback == ["ValueError: meant"]
    assert read(path).cells[2].outputs[0].data == {"text/plain": "2"}
    assert store(path) == "x.ipynb: unchanged"
    assert path.read_bytes() == stored


def test_a_failing_cell_is_named_and_the_file_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "good.ipynb", "1")
    bad = write(tmp_path / "bad.ipynb", "1", "mine = 1\nraise KeyError('lost')")
    before = bad.read_bytes()
    assert main([str(bad), str(good)]) == 1
    said = capfd.readouterr()
    assert "bad.ipynb: code cell 2: " in said.err
    assert "mine = 1\nraise KeyError('lost')" in said.err
    assert said.err.count("mine = 1\n") == 1
    assert "KeyError" in said.err.split("\n------------------\n")[-1]
    assert "good.ipynb: changed" in said.out
    assert bad.read_bytes() == before


def test_a_kernel_that_dies_is_said_with_the_cell(tmp_path: Path) -> None:
    path = write(tmp_path / "x.ipynb", "1", "import os\nos._exit(1)", "3")
    before = path.read_bytes()
    with pytest.raises(NotebookError, match=r"code cell 2: Kernel died\nimport os\nos\._exit"):
        store(path)
    assert path.read_bytes() == before


def test_a_cell_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_notebooks, "TIMEOUT_S", 1)
    path = write(tmp_path / "x.ipynb", "while True: pass")
    with pytest.raises(NotebookError, match="code cell 1: A cell timed out"):
        executed(path)


def test_a_kernel_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute_notebooks, "KERNEL", "no-such-kernel")
    with pytest.raises(NotebookError, match=r"x\.ipynb: .*no-such-kernel"):
        executed(write(tmp_path / "x.ipynb", "1"))


def test_no_notebook_at_all_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(execute_notebooks, "NOTEBOOKS", tmp_path)
    assert main([]) == 1
    assert "there are no notebooks in" in capsys.readouterr().err


def test_a_missing_file_is_said_and_the_exit_code_is_1(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "missing.ipynb")]) == 1
    said = capfd.readouterr().err
    assert "missing.ipynb: there is no such file" in said
    assert "Traceback" not in said


def test_a_path_of_the_machine_is_not_stored(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "x.ipynb", "print('/' + 'home/someone')")
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert "x.ipynb: code cell 1 shows a path of this machine" in capfd.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"",
        b"hello",
        b"{}",
        b"[]",
        b"null",
        b'{"nbformat": 99, "nbformat_minor": 0, "metadata": {}, "cells": []}',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [{"cell_type": "x"}]}',
        b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [{"cell_type": "x",'
        b' "metadata": {}, "source": ""}]}',
    ],
)
def test_what_is_no_notebook_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.ipynb").write_bytes(content)
    with pytest.raises(NotebookError, match=r"x\.ipynb: this is not a notebook"):
        read(tmp_path / "x.ipynb")


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.ipynb"):
        with pytest.raises(NotebookError, match="there is no such file"):
            read(path)


@pytest.mark.parametrize("minor", [2, 5])
def test_a_notebook_without_cell_ids_is_read(tmp_path: Path, minor: int) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": "old"}
    made = {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": [cell]}
    (tmp_path / "x.ipynb").write_text(json.dumps(made), encoding="utf-8")
    assert read(tmp_path / "x.ipynb").cells[0].source == "old"


def test_the_index_reads_number_title_and_question(tmp_path: Path) -> None:
    path = write(tmp_path / "00_a_title.ipynb")
    assert entry(path) == ("00_a_title.ipynb", "00", "A title", "Why?")


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [new_markdown_cell("# 00 · A title")],
        [new_markdown_cell("# A title\n\n**Question:** Why?")],
        [new_markdown_cell("# 00 · A title\n\n**Question:** No question.")],
        [new_code_cell("# 00 · A title\n\n**Question:** Why?")],
        [new_markdown_cell("first"), new_markdown_cell("# 00 · A title\n\n**Question:** Why?")],
    ],
    ids=["empty", "no question", "no number", "no question mark", "code", "not first"],
)
def test_a_notebook_without_a_question_is_named(
    tmp_path: Path, cells: list[nbformat.NotebookNode]
) -> None:
    path = tmp_path / "x.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    with pytest.raises(NotebookError, match="the first cell must start with"):
        entry(path)
