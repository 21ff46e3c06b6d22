"""Write the README's table of notebooks from the notebooks: part of `make readme`."""

import argparse
import sys
from pathlib import Path

from tests.tools.execute_notebooks import NotebookError
from tests.tools.notebook_index import entries

README = Path(__file__).parents[2] / "README.md"
BEGIN = "<!-- notebooks:begin -->\n"
END = "<!-- notebooks:end -->"


class ReadmeError(Exception):
    """The README has no place for the table, or an old table."""


def table() -> str:
    """Return the table: a link to each notebook, and the question it answers."""
    rows = [
        f"| [{each.number} · {_cell(each.title)}](notebooks/{each.file}) | {_cell(each.question)} |"
        for each in entries()
    ]
    return "\n".join(["| notebook | the question it answers |", "|---|---|", *rows, ""])


def _cell(text: str) -> str:
    """Keep a bar in a text from ending its cell of the table."""
    return text.replace("|", "\\|")


def with_table(text: str) -> str:
    """Return the README's text with the table between its two marks made anew.

    Raises:
        ReadmeError: the two marks are not there, once each and in order.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or text.count(BEGIN) + text.count(END) != 2:
        raise ReadmeError(
            f"the README needs one line {BEGIN.strip()} and below it one {END.strip()}"
        )
    return f"{before}{BEGIN}{table()}{END}{after}"


def update(only_check: bool) -> None:
    """Write the table, or only look whether it is up to date.

    Raises:
        ReadmeError: there is no place for the table, or a check finds an old one.
    """
    text = README.read_text(encoding="utf-8")
    made = with_table(text)
    if only_check and made != text:
        raise ReadmeError("the README's table is out of date: run `make readme`")
    if made != text:
        README.write_text(made, encoding="utf-8", newline="\n")


def main(arguments: list[str] | None = None) -> int:
    """Write the table, or check it; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if it is old")
    try:
        update(only_check=parser.parse_args(arguments).check)
    except (ReadmeError, NotebookError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
