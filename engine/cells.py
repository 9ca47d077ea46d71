"""How the cells of a grid are called: by column letter and row number from the top left corner."""

from __future__ import annotations

import re
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""A column and a row."""

_CELL = re.compile(r"([a-z]{1,4})([1-9][0-9]{0,5})")


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


def cells_in(text: str) -> list[tuple[int, int]] | None:
    """Return the (column, row) of each cell named in a typed text, in the order typed.

    Capitals count as small letters; spaces, commas, semicolons, plus signs and the word "and" may
    stand between cells, or nothing. None when anything else is in the text, when no cell is, or
    when a name is longer than any board needs.

    >>> cells_in("D4, c3")
    [(3, 3), (2, 2)]
    >>> cells_in("d4c3")
    [(3, 3), (2, 2)]
    >>> cells_in("e5!") is None
    True
    """
    words = re.sub(r"[\s,;+&]+|\band\b|(?<=[0-9])(?=[a-z])", " ", text.lower()).split()
    matches = [_CELL.fullmatch(word) for word in words]
    cells = [(column_number(match[1]), int(match[2]) - 1) for match in matches if match]
    return cells if cells and len(cells) == len(words) else None
