"""Tables in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.render import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


GAP = "  "
"""The space between two columns."""


ELLIPSIS = "…"
"""The end of a text that was shortened."""


def table(
    rows: Sequence[Sequence[object]], left_aligned: Collection[int] = (), columns: int = 64
) -> str:
    """Return rows of values in columns, aligned to the right except those numbered.

    If they take more than `columns` of text, those aligned to the left are shortened.

    >>> print(table([("Rank", "Player", "Rating"), (1, "alice", "1612"), (2, "bob", "987?")], {1}))
    Rank  Player  Rating
       1  alice     1612
       2  bob       987?
    """
    texts = [[str(shown(value)) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    too_much = sum(widths) + len(GAP) * (len(widths) - 1) - columns
    for number in left_aligned if too_much > 0 else ():
        widths[number] = max(widths[number] - too_much, 1)
        for row in texts:
            row[number] = shortened(row[number], widths[number])
    return "\n".join(
        GAP.join(
            text.ljust(width) if number in left_aligned else text.rjust(width)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    )


def shortened(text: str, width: int) -> str:
    """Return a text that is at most `width` characters long.

    >>> shortened("alice", 5), shortened("a former player", 9)
    ('alice', 'a former…')
    """
    return text if len(text) <= width else text[: width - 1].rstrip() + ELLIPSIS
