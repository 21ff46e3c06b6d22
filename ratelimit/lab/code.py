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
    source = _source(target) if inspect.isclass(target) or inspect.isroutine(target) else None
    if source is None:
        raise TypeError(f"{thing!r} has no source to show; pass a class, a function or a property")
    lines = source.splitlines()
    hidden = _docstring_lines(source)
    kept = [
        line
        for number, line in enumerate(lines, start=1)
        if number not in hidden and (line or number - 1 not in hidden)
    ]
    return Code("\n".join(kept).strip())


def _source(target: type | Callable[..., object]) -> str | None:
    try:
        return dedent(inspect.getsource(target))
    except (OSError, TypeError):
        return None


def _docstring_lines(source: str) -> set[int]:
    """Return the numbers of the lines that docstrings stand on.

    A docstring that is the whole body is not among them: the code would not be valid.
    """
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if ast.get_docstring(node) and len(node.body) > 1:
            docstring = node.body[0]
            lines.update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return lines
