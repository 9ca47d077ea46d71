"""The 3×3 grid: its cells, its eight lines, its symmetries, and what its places are called.

A set of cells is a bitmask of nine bits: bit 0 is the top left cell, bit 8 the bottom right one,
read row by row.
"""

from functools import cache
from itertools import product

from engine.cells import cell_name
from engine.messages import Message, in_context

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
"""The eight ways to lay a 3×3 grid onto itself: the image of each place."""

PLACES: tuple[Message, ...] = (
    # Translators: one of nine small boards by its place, as in “top left board” and in lists: “Play
    # in any open board: top left, centre”. It describes “board”, one of them.
    in_context("a small board", "top left"),
    in_context("a small board", "top centre"),
    in_context("a small board", "top right"),
    in_context("a small board", "middle left"),
    in_context("a small board", "centre"),
    in_context("a small board", "middle right"),
    in_context("a small board", "bottom left"),
    in_context("a small board", "bottom centre"),
    in_context("a small board", "bottom right"),
)
"""The names of the nine places of a 3×3 grid, as they describe a small board."""

PAIRS: tuple[Message, ...] = (
    # Translators: the two small boards at one place of both big boards: “sends O to the top left
    # boards”.
    in_context("two small boards", "top left boards"),
    in_context("two small boards", "top centre boards"),
    in_context("two small boards", "top right boards"),
    in_context("two small boards", "middle left boards"),
    in_context("two small boards", "centre boards"),
    in_context("two small boards", "middle right boards"),
    in_context("two small boards", "bottom left boards"),
    in_context("two small boards", "bottom centre boards"),
    in_context("two small boards", "bottom right boards"),
)
"""The names of the two small boards at each place of two big boards."""

NINE: tuple[str, ...] = tuple(cell_name(place % 3, place // 3) for place in range(9))
"""The cells of a single 3×3 grid by place: a1 b1 c1, a2 b2 c2, a3 b3 c3."""

PLACE_OF: dict[str, int] = {cell: place for place, cell in enumerate(NINE)}
"""The places of these cells by their names."""


@cache
def places(mask: int) -> tuple[int, ...]:
    """Return the places of the set bits of a 3×3 bitmask, in reading order.

    >>> places(0b100_000_001)
    (0, 8)
    """
    return tuple(place for place in range(9) if mask >> place & 1)


def names_of(mask: int) -> tuple[str, ...]:
    """Return the names of the cells of a single 3×3 grid that are in `mask`.

    >>> names_of(0b100_000_001)
    ('a1', 'c3')
    """
    return tuple(NINE[place] for place in places(mask))


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
"""The direction of each of `LINES`, and its index in that direction."""
