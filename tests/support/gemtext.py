"""Parts of a page's text for tests: its blocks, and the text outside them."""

import re
from dataclasses import dataclass
from textwrap import wrap

SCREEN = 22
"""Lines of a page that Amfora shows in a terminal of 80 columns and 24 lines."""

_COLUMNS, _NUMBER = 54, "[10] "


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
    lines, in_block = [], False
    for line in page.splitlines():
        if line.startswith("```"):
            in_block = not in_block
        elif not in_block:
            lines.append(line)
    return "\n".join(lines)


def lines_shown(page: str) -> int:
    """Return how many lines a page takes in Amfora, in a terminal of 80 columns."""
    shown = re.sub(r"^=> \S+ ", _NUMBER, page, flags=re.MULTILINE)
    drawn = sum(len(block.rows) for block in blocks(page))
    return drawn + sum(len(wrap(line, _COLUMNS)) or 1 for line in prose(shown).splitlines())
