"""How the notebooks are stored, and what each of them must have."""

import ast
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.notebooks.notebooks import (
    PATHS,
    code_cells,
    each_notebook,
    markdown,
    pictures,
    printed,
    read,
)
from tests.repository import pyproject
from tests.tools.normal_form import WIDGET_VIEW, machine_paths, normal_form, texts, to_text
from tests.tools.notebook_index import entry

LAB = {Requirement(each).name for each in pyproject()["project"]["optional-dependencies"]["lab"]}


def test_there_are_notebooks_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:2]) for path in PATHS]
    assert numbers[:6] == list(range(6))
    assert numbers == sorted(set(numbers))


@each_notebook
def test_it_is_stored_in_normal_form(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == to_text(normal_form(read(path)))


@each_notebook
def test_it_holds_no_widget_state_and_no_widget_view(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert WIDGET_VIEW not in text
    assert "application/vnd.jupyter.widget-state" not in text
    assert "widgets" not in read(path).metadata


@each_notebook
def test_every_code_cell_was_executed_in_order(path: Path) -> None:
    cells = code_cells(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


@each_notebook
def test_its_kernel_is_the_one_that_every_environment_has(path: Path) -> None:
    assert read(path).metadata.kernelspec.name == "python3"


@each_notebook
def test_no_cell_wrote_to_stderr_or_failed_unless_it_is_meant_to(path: Path) -> None:
    for cell in code_cells(read(path)):
        meant = "raises-exception" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            assert output.get("name") != "stderr", output
            assert meant or output.output_type != "error", output


@each_notebook
def test_it_shows_no_path_and_no_address_of_a_machine(path: Path) -> None:
    for cell in read(path).cells:
        shown = [cell.source, *(t for output in cell.get("outputs", []) for t in texts(output))]
        for text in shown:
            assert not machine_paths(text)
            assert not re.search(r"0x[0-9a-fA-F]{6,}", text)


@each_notebook
def test_what_strict_nbval_trips_over_is_not_used(path: Path) -> None:
    for cell in code_cells(read(path)):
        assert not cell.source.rstrip().endswith(";")
        assert not re.search(r"\binteract\w*\(|\bOutput\(", cell.source)
        # What a call to matplotlib returns: it must be given a name.
        assert not re.search(r"<(Axes|Figure|matplotlib)|\bText\(", printed(cell))


@each_notebook
def test_every_picture_is_followed_by_its_numbers(path: Path) -> None:
    cells = code_cells(read(path))
    for number, cell in enumerate(cells):
        if pictures(cell):
            assert number + 1 < len(cells), "a picture ends the notebook, without numbers"
            assert re.search(r"\d", printed(cells[number + 1])), cell.source


@each_notebook
def test_every_picture_is_opaque_and_large_enough_to_read(path: Path) -> None:
    for cell in code_cells(read(path)):
        kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
        assert not {kind for kind in kinds if kind.startswith("image/")} - {"image/png"}
        for picture in pictures(cell):
            assert picture.format == "PNG"
            assert 600 <= picture.width <= 2000
            assert 300 <= picture.height <= 2000
            assert picture.convert("RGBA").getchannel("A").getextrema() == (255, 255)


@each_notebook
def test_it_has_a_picture(path: Path) -> None:
    assert any(pictures(cell) for cell in code_cells(read(path)))


@each_notebook
def test_its_first_code_cell_says_what_to_install(path: Path) -> None:
    guard = ast.parse(code_cells(read(path))[0].source).body[0]
    assert isinstance(guard, ast.Try)
    assert all(isinstance(line, ast.Import | ast.ImportFrom) for line in guard.body)
    handler = guard.handlers[0]
    assert isinstance(handler.type, ast.Name)
    assert handler.type.id == "ImportError"
    assert "pip install" in ast.unparse(handler)
    assert "make lab" in ast.unparse(handler)


@each_notebook
def test_it_imports_everything_in_its_first_code_cell(path: Path) -> None:
    for cell in code_cells(read(path))[1:]:
        nodes = list(ast.walk(ast.parse(cell.source)))
        assert not [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


@each_notebook
def test_it_needs_only_what_the_lab_installs(path: Path) -> None:
    allowed = sys.stdlib_module_names | LAB | {"ratelimit"}
    for cell in code_cells(read(path)):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                assert {each.name.split(".")[0] for each in node.names} <= allowed
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] in allowed


@each_notebook
def test_its_code_cells_are_short(path: Path) -> None:
    for cell in code_cells(read(path)):
        assert len(cell.source.splitlines()) <= 25, cell.source


@each_notebook
def test_it_opens_with_number_title_and_question(path: Path) -> None:
    assert path.name.startswith(entry(path).number)


@each_notebook
def test_its_links_lead_somewhere(path: Path) -> None:
    for source in markdown(read(path)):
        for target in re.findall(r"""(?:\]\(<?|(?:href|src)=["'])([^)\s>"']+)""", source):
            if not target.startswith(("https://", "#")):
                assert (path.parent / target.split("#")[0]).exists(), target


@each_notebook
def test_its_headings_do_not_jump(path: Path) -> None:
    levels = [
        len(marks)
        for source in markdown(read(path))
        for marks in re.findall(
            r"^(#+) ", re.sub(r"```.*?```", "", source, flags=re.DOTALL), re.MULTILINE
        )
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))


@each_notebook
def test_its_folded_answers_are_well_formed(path: Path) -> None:
    for source in markdown(read(path)):
        folds = re.findall(
            r"<details>\n<summary>[^\n]+</summary>\n\n.+?\n\n</details>", source, re.DOTALL
        )
        assert len(folds) == source.count("<details>") == source.count("</details>")


@pytest.mark.parametrize("path", PATHS[1:], ids=lambda path: path.stem)
def test_it_teaches_the_way_all_of_them_do(path: Path) -> None:
    """A prediction before a reveal, weak points, follow-ups with folded answers, an exercise."""
    text = "\n".join(markdown(read(path)))
    assert re.search(r"\*\*(Predict|Before you)", text)
    assert "\n## Where this design is weak\n" in text
    assert "\n## Follow-up questions\n" in text
    assert "\n## Exercise\n" in text
    assert text.count("<details>") >= 4


@each_notebook
def test_it_is_plain_json_with_a_final_newline(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert json.loads(text)["nbformat"] == 4
