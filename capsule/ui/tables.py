"""Tables in plain text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from capsule.ui.columns import is_latin, is_wide, shortened, width
from capsule.ui.render import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence


GAP = "  "
"""The space between two columns."""


def table(
    rows: Sequence[Sequence[object]], left_aligned: Collection[int] = (), columns: int = 64
) -> str:
    """Return rows of values in columns below a head, aligned to the right except those numbered.

    If they take more than `columns` of text, those aligned to the left are shortened.

    >>> print(table([("Rank", "Player", "Rating"), (1, "alice", "1612"), (2, "bob", "987?")], {1}))
    Rank  Player  Rating
       1  alice     1612
       2  bob       987?

    Few fonts have Chinese characters that are exactly two columns wide. Where there are some, words
    stand in the last column, and nothing is aligned with the head.

    >>> print(table([("名次", "玩家", "積分"), (1, "新手電腦", "1612"), (12, "bob", "987?")], {1}))
    名次  積分  玩家
     1  1612  新手電腦
    12  987?  bob
    """
    texts = [[str(shown(value)) for value in row] for row in rows]
    if is_latin("".join(chain.from_iterable(texts))):
        return "\n".join(_aligned(texts, left_aligned, columns, len))
    if not any(is_wide(text) for row in texts for text in row):
        return "\n".join(_aligned(texts, left_aligned, columns, width))
    order = sorted(range(len(texts[0])), key=lambda number: number in left_aligned)
    head, *body = [[row[number] for number in order] for row in texts]
    words = {place for place, number in enumerate(order) if number in left_aligned}
    return "\n".join([GAP.join(head), *_aligned(body, words, columns, width)])


def _aligned(
    texts: Sequence[list[str]],
    left_aligned: Collection[int],
    columns: int,
    measure: Callable[[str], int],
) -> Sequence[str]:
    """Return the lines of a table; `measure` returns how many columns a text takes."""
    widths = [max(map(measure, column)) for column in zip(*texts, strict=True)]
    too_much = sum(widths) + len(GAP) * (len(widths) - 1) - columns
    for number in left_aligned if too_much > 0 else ():
        widths[number] = max(widths[number] - too_much, 1)
        for row in texts:
            row[number] = shortened(row[number], widths[number])
    is_left = [number in left_aligned for number in range(len(widths))]
    return [
        GAP.join(
            [
                text + " " * (room - measure(text))
                if at_left
                else " " * (room - measure(text)) + text
                for text, room, at_left in zip(row, widths, is_left, strict=True)
            ]
        ).rstrip()
        for row in texts
    ]
