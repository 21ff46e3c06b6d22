"""Each rule of the normal form, on notebooks made up for it."""

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.tools.normal_form import (
    NOTEBOOK_METADATA,
    WIDGET_VIEW,
    MachinePathError,
    machine_paths,
    normal_form,
    to_text,
)

# Apart from the rest, so that the search for such paths in all files does not find these.
ROOT = "/"


def stream(text: str, name: str = "stdout") -> NotebookNode:
    return NotebookNode(new_output("stream", name=name, text=text))


def result(**data: object) -> NotebookNode:
    return NotebookNode(new_output("execute_result", data=data, execution_count=41))


def notebook(*outputs: NotebookNode, **metadata: object) -> NotebookNode:
    cell = new_code_cell("1", outputs=list(outputs), execution_count=41, metadata=metadata)
    cells = [new_markdown_cell("# x"), cell]
    return NotebookNode(new_notebook(cells=cells, metadata={"widgets": {"a": 1}}))


def test_counts_ids_and_metadata_do_not_depend_on_the_run() -> None:
    stored = normal_form(notebook(result(**{"text/plain": "2"}), execution={"started": "now"}))
    assert stored.metadata == NOTEBOOK_METADATA
    assert [cell.id for cell in stored.cells] == ["cell-00", "cell-01"]
    assert stored.cells[1].metadata == {}
    assert stored.cells[1].execution_count == 1
    assert stored.cells[1].outputs[0].execution_count == 1


def test_folding_and_tags_are_kept() -> None:
    metadata = {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}, "trusted": True}
    kept = normal_form(notebook(**metadata)).cells[1].metadata
    assert kept == {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}}


def test_a_widget_leaves_its_picture_and_its_text() -> None:
    bundle = {"text/plain": "Explorer()", "image/png": "aGk=", WIDGET_VIEW: {"model_id": "x"}}
    data = normal_form(notebook(result(**bundle))).cells[1].outputs[0].data
    assert data == {"text/plain": "Explorer()", "image/png": "aGk="}


def test_pieces_of_one_stream_are_joined_and_others_are_not() -> None:
    pieces = [stream("a\n"), stream("b\n"), stream("c\n", "stderr"), stream("d\n")]
    outputs = normal_form(notebook(*pieces)).cells[1].outputs
    assert [(each.name, each.text) for each in outputs] == [
        ("stdout", "a\nb\n"),
        ("stderr", "c\n"),
        ("stdout", "d\n"),
    ]


def test_a_traceback_is_cut_to_what_it_says() -> None:
    error = new_output("error", ename="ValueError", evalue="no", traceback=["\x1b[31m/x/y.py"])
    assert normal_form(notebook(error)).cells[1].outputs[0].traceback == ["ValueError: no"]


def test_twice_is_the_same_as_once() -> None:
    once = normal_form(notebook(stream("a\n"), result(**{"text/plain": "2"})))
    assert to_text(normal_form(once)) == to_text(once)


@pytest.mark.parametrize(
    "text",
    [
        f"{ROOT}home/a/x.py",
        "at /tmp/x",
        f"{ROOT}Users/a",
        "C:\\work",
        "<ipykernel_12/3>",
        f"'{ROOT}root/.x'",
    ],
)
def test_a_path_of_a_machine_is_refused_and_shown(text: str) -> None:
    assert machine_paths(text)
    with pytest.raises(MachinePathError, match="cell 1 shows a path of this machine"):
        normal_form(notebook(stream(text)))
    with pytest.raises(MachinePathError):
        normal_form(notebook(result(**{"text/markdown": text})))


@pytest.mark.parametrize("text", ["a/tmp/b", "10/home", "and/or", "ratelimit/algorithms", "1/6"])
def test_what_only_looks_a_little_like_a_path_is_fine(text: str) -> None:
    assert not machine_paths(text)
