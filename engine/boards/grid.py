"""What grids of cells share: names, and the eight lines of a 3×3 grid.

A 3×3 grid is a bitmask of nine bits: bit 0 is the top left cell, bit 8 the bottom right one, read
row by row. Cells are named by column letter and row number from the top left corner.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from engine.game import Message, message

FULL = 0b111_111_111
"""All nine cells of a 3×3 grid."""

LINES: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""The places of each line of a 3×3 grid: rows, columns, diagonals."""

LINE_MASKS: tuple[int, ...] = tuple(sum(1 << place for place in line) for line in LINES)
"""The same lines as bitmasks."""

HAS_LINE: tuple[bool, ...] = tuple(
    any(mask & line == line for line in LINE_MASKS) for mask in range(FULL + 1)
)
"""For each bitmask, whether it holds a complete line."""

SYMMETRIES: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        3 * (2 - row if flipped else row) + (2 - column if mirrored else column)
        for row, column in (
            divmod(place, 3)[::-1] if transposed else divmod(place, 3) for place in range(9)
        )
    )
    for transposed, flipped, mirrored in product((False, True), repeat=3)
)
"""The eight ways to lay a 3×3 grid onto itself: for each place, where it comes to lie."""

PLACES: tuple[Message, ...] = (
    message("top left"),
    message("top centre"),
    message("top right"),
    message("middle left"),
    message("centre"),
    message("middle right"),
    message("bottom left"),
    message("bottom centre"),
    message("bottom right"),
)
"""What the nine places of a 3×3 grid are called."""

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


NINE: tuple[str, ...] = tuple(cell_name(place % 3, place // 3) for place in range(9))
"""The cells of a single 3×3 grid by place: a1 b1 c1, a2 b2 c2, a3 b3 c3."""


@cache
def places(mask: int) -> tuple[int, ...]:
    """Return the places of the set bits of a 3×3 bitmask, in reading order.

    >>> places(0b100_000_001)
    (0, 8)
    """
    return tuple(place for place in range(9) if mask >> place & 1)


def completed_lines(mask: int) -> tuple[tuple[int, int, int], ...]:
    """Return the lines of a 3×3 grid that lie wholly in `mask`.

    >>> completed_lines(0b000_000_111)
    ((0, 1, 2),)
    """
    return tuple(line for line, bits in zip(LINES, LINE_MASKS, strict=True) if mask & bits == bits)


LINE_RUNS: tuple[tuple[str, int], ...] = (
    *(("row", row) for row in range(3)),
    *(("column", column) for column in range(3)),
    ("falling", 0),
    ("rising", 0),
)
"""How each of `LINES` runs, and which of its kind it is."""
