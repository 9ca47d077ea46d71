"""Parts of a page's text for tests: its blocks, and the text outside them."""

from dataclasses import dataclass

from tests.support.gemtext_rules import lines_of
from tests.support.screens import rows_of

SCREEN = 22
"""Lines of a page that Amfora shows in a terminal of 80 columns and 24 lines."""

_COLUMNS = 54


@dataclass(frozen=True)
class Block:
    """A preformatted block: its title (the alt text) and its rows."""

    title: str
    rows: tuple[str, ...]


def blocks(page: str) -> list[Block]:
    """Return the preformatted blocks of a page; each must have an end."""
    found: list[Block] = []
    title: str | None = None
    rows: list[str] = []
    for line in page.splitlines():
        if line.startswith("```"):
            if title is None:
                title, rows = line.removeprefix("```"), []
            else:
                assert line == "```", f"the end of a block is three backticks alone: {line}"
                found.append(Block(title, tuple(rows)))
                title = None
        elif title is not None:
            rows.append(line)
    assert title is None, f"a block has no end: {title}"
    return found


def prose(page: str) -> str:
    """Return a page without its preformatted blocks."""
    whole = page if page.endswith("\n") else f"{page}\n"
    return "\n".join(line.text for line in lines_of(whole) if line.kind not in ("fence", "row"))


def lines_shown(page: str) -> int:
    """Return how many lines a page takes in Amfora, in a terminal of 80 columns."""
    return len(rows_of(page, _COLUMNS))
