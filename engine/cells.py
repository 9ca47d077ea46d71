"""The names of cells: a column letter and a row number, counted from the top left corner."""

import re
from functools import lru_cache
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""A column and a row."""

DASHES = "-‐‑‒–—−"
"""The characters that count as a dash."""

_COLUMN = re.compile("[a-z]{1,4}")
_ROW = re.compile("[1-9][0-9]{0,5}")
_PART = re.compile("[a-z]+|[0-9]+")
_AND = re.compile(r"\band\b|[和與与及跟]")
_AND_IN_PORTUGUESE = re.compile(r"(?<=\d)\s+e\s+(?=[a-z]+\d)")
_TYPED = re.compile(rf"[{DASHES}a-z0-9\s,;+&/.、。]*")


def column_name(column: int) -> str:
    """Return the letters of a column, counted from 0: a to z, then aa, ab and so on.

    >>> [column_name(column) for column in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    letters = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the column, counted from 0, that `column_name` calls by these lower-case letters.

    >>> [column_number(letters) for letters in ("a", "z", "aa", "zz", "aaa")]
    [0, 25, 26, 701, 702]
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell; column and row count from 0.

    >>> cell_name(2, 0)
    'c1'
    """
    return f"{column_name(column)}{row + 1}"


# Bounded, since people may type whatever they like and a grid may have no end.
@lru_cache(maxsize=1 << 12)
def cell_called(name: str) -> Cell | None:
    """Return the cell that is called exactly `name`, or None; column and row count from 0.

    >>> cell_called("c1"), cell_called("C1"), cell_called("c1 d1")
    ((2, 0), None, None)
    """
    cells = cells_in(name)
    return cells[0] if cells and cell_name(*cells[0]) == name else None


def cells_in(text: str) -> list[tuple[int, int]] | None:
    """Return the (column, row) of each cell named in a typed text, in the order typed.

    Capitals count as small letters, and the number may come before the letter. Spaces, commas,
    semicolons, plus signs, dashes, slashes, full stops and the word "and" may be anywhere, or
    nothing at all. So may these signs and this word in Chinese, and the Portuguese "e" before a
    cell, where it cannot be a column. Returns None if the text has anything else in it, or no cell,
    or a name longer than any board needs.

    >>> cells_in("D4, c3")
    [(3, 3), (2, 2)]
    >>> cells_in("d4c3")
    [(3, 3), (2, 2)]
    >>> cells_in("4d / c 3.")
    [(3, 3), (2, 2)]
    >>> cells_in("d4 e c3"), cells_in("d4, e 5")
    ([(3, 3), (2, 2)], [(3, 3), (4, 4)])
    >>> cells_in("d4、c3。"), cells_in("d4和c3")
    ([(3, 3), (2, 2)], [(3, 3), (2, 2)])
    >>> cells_in("e5!") is None
    True
    """
    known = _AND.sub(" ", text.lower())
    return _cells_in(known) or _cells_in(_AND_IN_PORTUGUESE.sub(" ", known))


def _cells_in(known: str) -> list[Cell] | None:
    if not _TYPED.fullmatch(known):
        return None
    parts = _PART.findall(known)
    cells = [_cell_of(*pair) for pair in zip(parts[::2], parts[1::2], strict=False)]
    if len(parts) % 2 or not cells:
        return None
    return [cell for cell in cells if cell is not None] if None not in cells else None


def _cell_of(first: str, second: str) -> Cell | None:
    """Return the cell that a column and a row name, in either order, None if they do not."""
    letters, digits = (second, first) if first[0].isdigit() else (first, second)
    if not (_COLUMN.fullmatch(letters) and _ROW.fullmatch(digits)):
        return None
    return column_number(letters), int(digits) - 1
