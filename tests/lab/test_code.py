import math
from collections.abc import Callable
from typing import Any

import pytest

from ratelimit import TokenBucket
from ratelimit.lab import Code, show_code


def documented(value: int) -> int:
    """Return the odd number after twice the value."""
    doubled = 2 * value

    return doubled + 1


class Documented:
    """Words.

    More words.
    """

    half = 1

    def method(self) -> str:
        """Return words."""
        return """not a docstring"""

    async def later(self) -> int:
        """Return a number, later."""
        return self.half

    @property
    def whole(self) -> int:
        """Twice a half."""
        return 2 * self.half


class OnlyWords(Exception):  # noqa: N818
    """All there is."""


def test_a_function_is_shown_without_its_docstring() -> None:
    assert show_code(documented).text == "\n".join(
        [
            "def documented(value: int) -> int:",
            "    doubled = 2 * value",
            "",
            "    return doubled + 1",
        ]
    )


def test_a_class_is_shown_without_any_of_its_docstrings() -> None:
    assert show_code(Documented).text == "\n".join(
        [
            "class Documented:",
            "    half = 1",
            "",
            "    def method(self) -> str:",
            '        return """not a docstring"""',
            "",
            "    async def later(self) -> int:",
            "        return self.half",
            "",
            "    @property",
            "    def whole(self) -> int:",
            "        return 2 * self.half",
        ]
    )


def test_a_method_and_a_property_stand_at_the_left() -> None:
    assert show_code(Documented.method).text.startswith("def method(self)")
    whole: Any = Documented.whole
    assert show_code(whole).text == "@property\ndef whole(self) -> int:\n    return 2 * self.half"


def test_a_docstring_that_is_all_there_is_stays() -> None:
    assert show_code(OnlyWords).text.endswith('"""All there is."""')


def test_the_code_of_the_package_is_valid_code() -> None:
    text = show_code(TokenBucket).text
    compile(text, "shown", "exec")
    assert '"""' not in text
    assert "def acquire(self, cost: int = 1) -> Decision:" in text


def test_code_is_shown_as_text_and_in_colour() -> None:
    code = Code("x = 1")
    assert repr(code) == "x = 1"
    assert code._repr_markdown_() == "```python\nx = 1\n```"


@pytest.mark.parametrize(
    "thing",
    [3, None, "text", property(), int, len, math],
    ids=["number", "nothing", "text", "property", "built-in class", "built-in", "module"],
)
def test_what_has_no_source_is_refused(thing: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="has no source to show; pass a class, a function"):
        show_code(thing)


def test_code_that_no_file_holds_is_refused() -> None:
    names: dict[str, Callable[..., object]] = {}
    exec("def unwritten(): pass", names)
    with pytest.raises(TypeError, match="has no source to show"):
        show_code(names["unwritten"])
