"""Pages as a terminal of 80 columns and 24 rows shows them."""

import textwrap

COLUMNS, ROWS = 80, 24

NARROW_COLUMNS, NARROW_ROWS = 28, 21
"""The room that Amfora leaves for a link's text and a page's rows in a window of 40 by 24."""


def rows_of(page: str, columns: int = COLUMNS) -> list[str]:
    """Return the rows that a page takes in a browser, which wraps lines and numbers links.

    Lines of preformatted blocks are not wrapped, and what begins and ends a block takes no row.
    """
    rows: list[str] = []
    in_block, links = False, 0
    for line in page.splitlines():
        if line.startswith("```"):
            in_block = not in_block
        elif in_block:
            rows.append(line)
        else:
            text = line
            if line.startswith("=> "):
                links += 1
                _, address, *label = line.split(" ", 2)
                text = f"[{links}] {label[0] if label else address}"
            rows += textwrap.wrap(text, columns) or [""]
    return rows


def first_screen(page: str) -> str:
    """Return what is seen of a page before anything is scrolled."""
    return "\n".join(rows_of(page)[:ROWS])
