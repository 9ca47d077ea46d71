"""Tables in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


GAP = "  "
"""The space between two columns."""


def table(rows: Sequence[Sequence[object]], left_aligned: Collection[int] = ()) -> str:
    """Return rows of values in columns, aligned to the right except those numbered.

    >>> print(table([("Rank", "Player", "Rating"), (1, "alice", "1612"), (2, "bob", "987?")], {1}))
    Rank  Player  Rating
       1  alice     1612
       2  bob       987?
    """
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return "\n".join(
        GAP.join(
            text.ljust(width) if number in left_aligned else text.rjust(width)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    )
