"""Each rule for notebooks accepts a good notebook and refuses one with a single fault."""

import base64
import inspect
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from tests.notebooks import test_normal_form as notebook_rules
from tests.tools.execute_notebooks import NotebookError
from tests.tools.normal_form import WIDGET_VIEW, normal_form, to_text

RULES: dict[str, Callable[[Path], None]] = {
    name.removeprefix("test_"): rule
    for name, rule in vars(notebook_rules).items()
    if name.startswith("test_") and "path" in inspect.signature(rule).parameters
}


def encoded(mode: str = "RGB", size: tuple[int, int] = (640, 400), kind: str = "PNG") -> str:
    file = BytesIO()
    Image.new(mode, size).save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


IMPORTS = """try:
    import math
except ImportError as missing:
    raise ImportError("run `make lab` or `pip install`") from missing"""
FOLDED = "<details>\n<summary>Why?</summary>\n\nSince.\n\n</details>"
ENDING = """## Where this design is weak

Here.

## Follow-up questions

{}

## Exercise

Do."""
PICTURE = new_output("display_data", {"image/png": encoded(), "text/plain": "Plot()"})
NUMBER = new_output("stream", text="3\n")
GOOD = to_text(
    normal_form(
        new_notebook(
            cells=[
                new_markdown_cell("# 03 · A title\n\n**Question:** Why?\n\n[x](03_x.ipynb#why)"),
                new_code_cell(IMPORTS),
                new_markdown_cell("## One thing\n\n**Predict** it."),
                new_code_cell("plot(1)", outputs=[PICTURE]),
                new_code_cell("print(3)", outputs=[NUMBER]),
                new_markdown_cell(ENDING.format("\n\n".join([FOLDED] * 4))),
            ]
        )
    )
)
FAULTS = [
    ("it_is_stored_in_normal_form", '"id": "cell-00"', '"id": "a1b2c3"'),
    ("it_is_stored_in_normal_form", '"metadata": {}', '"metadata": {"trusted": true}'),
    ("it_is_stored_in_normal_form", '"name": "python"', '"name": "python", "version": "3.11.7"'),
    ("it_is_stored_in_normal_form", "\n  {", "\n   {"),
    ("it_holds_no_widget_state_and_no_widget_view", '"data": {', f'"data": {{"{WIDGET_VIEW}": 1,'),
    ("it_holds_no_widget_state_and_no_widget_view", '"kernelspec"', '"widgets": {}, "kernelspec"'),
    ("every_code_cell_was_executed_in_order", '"execution_count": 1', '"execution_count": null'),
    ("every_code_cell_was_executed_in_order", '"execution_count": 2', '"execution_count": 3'),
    ("its_kernel_is_the_one_that_every_environment_has", '"python3"', '"conda-env-x-py"'),
    ("no_cell_wrote_to_stderr_or_failed_unless_it_is_meant_to", '"stdout"', '"stderr"'),
    (
        "no_cell_wrote_to_stderr_or_failed_unless_it_is_meant_to",
        '"outputs": []',
        '"outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]',
    ),
    ("it_shows_no_path_and_no_address_of_a_machine", '"3\\n"', '"3 /tmp/x"'),
    ("it_shows_no_path_and_no_address_of_a_machine", '"print(3)"', "\"print(3, 'C:\\\\x')\""),
    ("it_shows_no_path_and_no_address_of_a_machine", '"3\\n"', '"3 at 0x7F00aa112233"'),
    ("what_strict_nbval_trips_over_is_not_used", '"plot(1)"', '"plot(1);"'),
    ("what_strict_nbval_trips_over_is_not_used", '"plot(1)"', '"interact(plot)"'),
    ("what_strict_nbval_trips_over_is_not_used", '"plot(1)"', '"interactive_output(plot)"'),
    ("what_strict_nbval_trips_over_is_not_used", '"plot(1)"', '"widgets.Output()"'),
    ("what_strict_nbval_trips_over_is_not_used", '"Plot()"', '"<Axes: >"'),
    ("what_strict_nbval_trips_over_is_not_used", '"Plot()"', '"[<matplotlib.lines.Line2D at 1>]"'),
    ("what_strict_nbval_trips_over_is_not_used", '"Plot()"', '"<Figure size 640x480>"'),
    ("what_strict_nbval_trips_over_is_not_used", '"Plot()"', "\"Text(0.5, 1.0, 'x')\""),
    ("every_picture_is_followed_by_its_numbers", '"3\\n"', '"three"'),
    ("every_picture_is_opaque_and_large_enough_to_read", encoded(), encoded("RGBA")),
    ("every_picture_is_opaque_and_large_enough_to_read", encoded(), encoded(size=(500, 400))),
    ("every_picture_is_opaque_and_large_enough_to_read", encoded(), encoded(size=(640, 200))),
    ("every_picture_is_opaque_and_large_enough_to_read", encoded(), encoded(size=(4000, 400))),
    ("every_picture_is_opaque_and_large_enough_to_read", encoded(), encoded(kind="JPEG")),
    ("every_picture_is_opaque_and_large_enough_to_read", '"image/png"', '"image/jpeg"'),
    ("it_has_a_picture", '"image/png"', '"text/html"'),
    ("its_first_code_cell_says_what_to_install", "pip install", "ask somebody"),
    ("its_first_code_cell_says_what_to_install", "make lab", "ask somebody"),
    ("its_first_code_cell_says_what_to_install", "except ImportError", "except KeyError"),
    ("its_first_code_cell_says_what_to_install", "import math", "math = 1"),
    ("it_imports_everything_in_its_first_code_cell", '"print(3)"', '"import re"'),
    ("it_needs_only_what_the_lab_installs", "import math", "import numpy.linalg"),
    ("it_needs_only_what_the_lab_installs", "import math", "from ipympl import backend_nbagg"),
    ("its_code_cells_are_short", '"print(3)"', '"' + "x = 1\\n" * 26 + '"'),
    ("it_opens_with_number_title_and_question", "# 03 ·", "# 04 ·"),
    ("it_opens_with_number_title_and_question", "# 03 ·", "# 03"),
    ("it_opens_with_number_title_and_question", "Why?", "Because."),
    ("its_links_lead_somewhere", "03_x.ipynb#why", "missing.ipynb#why"),
    ("its_links_lead_somewhere", "03_x.ipynb#why", "missing.ipynb"),
    ("its_links_lead_somewhere", "03_x.ipynb#why", "http://example.org"),
    ("its_links_lead_somewhere", "[x](03_x.ipynb#why)", "<img src='missing.png'>"),
    ("its_headings_do_not_jump", "## One thing", "### One thing"),
    ("its_headings_do_not_jump", "## One thing", "# One thing"),
    ("its_headings_do_not_jump", "# 03 ·", "## 03 ·"),
    ("its_folded_answers_are_well_formed", "</details>", ""),
    ("its_folded_answers_are_well_formed", "<details>", "<details open>"),
    ("its_folded_answers_are_well_formed", "<summary>Why?</summary>", "Why?"),
    ("its_folded_answers_are_well_formed", '</summary>\\n",\n    "\\n"', '</summary>\\n",\n    ""'),
    ("it_teaches_the_way_all_of_them_do", "**Predict**", "Guess"),
    ("it_teaches_the_way_all_of_them_do", "## Where this design is weak", "## More"),
    ("it_teaches_the_way_all_of_them_do", "## Follow-up questions", "## More"),
    ("it_teaches_the_way_all_of_them_do", "## Exercise", "## More"),
    ("it_teaches_the_way_all_of_them_do", "<details>", ""),
    ("it_is_plain_json_with_a_final_newline", "\n}\n", "\n}"),
]


@pytest.mark.parametrize("rule", RULES)
def test_a_good_notebook_passes(tmp_path: Path, rule: str) -> None:
    (tmp_path / "03_x.ipynb").write_text(GOOD, encoding="utf-8")
    RULES[rule](tmp_path / "03_x.ipynb")


@pytest.mark.parametrize(
    ("rule", "good", "bad"), FAULTS, ids=[f"{n}-{rule}" for n, (rule, _, _) in enumerate(FAULTS)]
)
def test_a_fault_is_refused(tmp_path: Path, rule: str, good: str, bad: str) -> None:
    assert good in GOOD
    (tmp_path / "03_x.ipynb").write_text(GOOD.replace(good, bad, 1), encoding="utf-8")
    with pytest.raises((AssertionError, NotebookError)):
        RULES[rule](tmp_path / "03_x.ipynb")


def test_every_rule_has_a_fault_that_it_refuses() -> None:
    assert {rule for rule, _, _ in FAULTS} == set(RULES)
