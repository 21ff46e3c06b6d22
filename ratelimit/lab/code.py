"""The package's own code, shown in a notebook as it stands: read from the file, never retyped."""

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent


class Code:
    """Source code that a notebook shows in colour.

    Attributes:
        text: the code.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


def show_code(thing: type | Callable[..., object] | property) -> Code:
    """Return the source of a class, function or property, without its docstrings.

    Raises:
        TypeError: `thing` is none of these, or has no Python source.
    """
    target = thing.fget if isinstance(thing, property) else thing
    if target is None or not (inspect.isclass(target) or inspect.isroutine(target)):
        raise TypeError(f"{thing!r} has no source to show; pass a class, a function or a property")
    source = dedent(inspect.getsource(target))
    lines = source.splitlines()
    hidden = _docstring_lines(source)
    kept = [
        line
        for number, line in enumerate(lines, start=1)
        if number not in hidden and (line or number - 1 not in hidden)
    ]
    return Code("\n".join(kept).strip())


def _docstring_lines(source: str) -> set[int]:
    """Return the numbers of the lines that docstrings stand on."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            docstring = node.body[0]
            lines.update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return lines
