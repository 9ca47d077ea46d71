"""Answers to typed texts that cannot be read as moves."""

import re

from engine.game import InvalidMove
from engine.messages import Message, message

_CENTRE = re.compile(
    "(the )?(centre|center|middle)( (cell|square))?|(o )?centro|正?中[央間间心]格?"
)
_ROW = re.compile("[0-9]{1,3}")
_COLUMN = re.compile("[a-z]{1,2}")


def unreadable(advice: Message, meant: Message | None = None) -> InvalidMove:
    """Return the refusal of a text that cannot be read.

    Args:
        advice: how a move is typed.
        meant: the probable meaning of the text, which comes first.
    """
    if meant is None:
        return InvalidMove(advice)
    # Translators: two sentences that answer a text which is no move: “5 is a row without a column.
    # Name one cell by its column and row, like a5”. Neither has a full stop of its own.
    return InvalidMove("{meant}. {advice}", meant=meant, advice=advice)


def centre_words(cell: str) -> Message:
    """Return the words for the cell in the centre of the board."""
    return message("The cell in the centre is {cell}", cell=cell)


def part_of_cell(text: str, centre: Message | None) -> Message | None:
    """Return the likely meaning of a text that names no cell, None if there is none.

    `centre` says which cell is in the middle, if that one can be played.

    >>> str(part_of_cell("Center", centre_words("e5"))), str(part_of_cell("5", None))
    ('The cell in the centre is e5', '5 is a row without a column')
    """
    typed = " ".join(text.lower().split()).rstrip(".。")
    if centre is not None and _CENTRE.fullmatch(typed):
        return centre
    if _ROW.fullmatch(typed):
        return message("{row} is a row without a column", row=typed)
    if _COLUMN.fullmatch(typed):
        return message("{column} is a column without a row", column=typed)
    return None
