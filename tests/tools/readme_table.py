"""Write the README's table of notebooks from the notebooks: part of `make readme`."""

import sys
from pathlib import Path

from tests.tools.notebook_index import entries

README = Path(__file__).parents[2] / "README.md"
BEGIN = "<!-- notebooks:begin -->\n"
END = "<!-- notebooks:end -->"


def table() -> str:
    """Return the table: a link to each notebook, and the question it answers."""
    rows = [
        f"| [{each.number} · {each.title}](notebooks/{each.file}) | {each.question} |"
        for each in entries()
    ]
    return "\n".join(["| notebook | the question it answers |", "|---|---|", *rows, ""])


def with_table(text: str) -> str:
    """Return the README's text with the table between its two marks made anew."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


def main() -> int:
    """Write the table."""
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
