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


def ids_of(*ids: str) -> list[str]:
    made = NotebookNode(new_notebook(cells=[new_markdown_cell("x") for _ in ids]))
    for cell, own in zip(made.cells, ids, strict=True):
        cell.id = own
    return [cell.id for cell in normal_form(made).cells]


@pytest.mark.parametrize(
    ("ids", "stored"),
    [
        (["a1b2", "c3d4"], ["cell-00", "cell-01"]),
        (["cell-01", "cell-00"], ["cell-01", "cell-00"]),
        (["cell-00", "new", "cell-01"], ["cell-00", "cell-02", "cell-01"]),
        (["cell-00", "cell-00", "cell-01"], ["cell-00", "cell-02", "cell-01"]),
        (["new", "cell-00"], ["cell-01", "cell-00"]),
        (["cell-100", "cell-1", "cell-x"], ["cell-100", "cell-00", "cell-01"]),
    ],
)
def test_a_usual_id_is_kept_and_any_other_gets_the_next_free_one(
    ids: list[str], stored: list[str]
) -> None:
    assert ids_of(*ids) == stored
    assert ids_of(*stored) == stored


def test_folding_and_tags_are_kept() -> None:
    metadata = {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}, "trusted": True}
    kept = normal_form(notebook(**metadata)).cells[1].metadata
    assert kept == {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}}


def test_what_only_the_front_end_sets_is_dropped() -> None:
    metadata = {
        "tags": [],
        "jupyter": {"outputs_hidden": True},
        "collapsed": True,
        "scrolled": True,
    }
    assert normal_form(notebook(**metadata)).cells[1].metadata == {}


def test_a_picture_pasted_into_text_stays() -> None:
    pasted = {"a.png": {"image/png": "aGk="}}
    cell = new_markdown_cell("![a](attachment:a.png)", attachments=pasted)
    assert normal_form(NotebookNode(new_notebook(cells=[cell]))).cells[0].attachments == pasted


def test_the_text_ends_with_a_line_end_and_is_indented_by_one() -> None:
    text = to_text(normal_form(notebook(stream("a\nb\n"))))
    assert text.endswith("\n}\n")
    assert '\n "nbformat": 4,\n "nbformat_minor": 5\n' in text
    assert '\n     "text": [\n      "a\\n",\n      "b\\n"\n     ]\n' in text


def test_a_widget_leaves_its_picture_and_its_text() -> None:
    bundle = {"text/plain": "Explorer()", "image/png": "aGk=", WIDGET_VIEW: {"model_id": "x"}}
    data = normal_form(notebook(result(**bundle))).cells[1].outputs[0].data
    assert data == {"text/plain": "Explorer()", "image/png": "aGk="}


def test_what_the_machine_says_about_an_output_is_dropped() -> None:
    shown = new_output("display_data", {"text/plain": "x"}, metadata={"image/png": {"width": 9}})
    assert normal_form(notebook(NotebookNode(shown))).cells[1].outputs[0].metadata == {}


def test_letters_of_a_picture_are_not_taken_for_a_path() -> None:
    bundle = {"text/plain": "x", "image/png": "/tmp/aaaa"}
    assert normal_form(notebook(result(**bundle))).cells[1].outputs[0].data == bundle


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
    with pytest.raises(MachinePathError, match="code cell 1 shows a path of this machine"):
        normal_form(notebook(stream(text)))
    with pytest.raises(MachinePathError):
        normal_form(notebook(result(**{"text/markdown": text})))


@pytest.mark.parametrize("text", ["a/tmp/b", "10/home", "and/or", "ratelimit/algorithms", "1/6"])
def test_what_only_looks_a_little_like_a_path_is_fine(text: str) -> None:
    assert not machine_paths(text)
