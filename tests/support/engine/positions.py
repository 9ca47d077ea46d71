"""Positions of ultimate, extreme and numeric, made from what stands on their boards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine import Side
from engine.variants.extreme import ExtremePosition
from engine.variants.numeric import NumericPosition
from engine.variants.ultimate import UltimatePosition

PLACES = [
    "top left", "top centre", "top right",
    "middle left", "centre", "middle right",
    "bottom left", "bottom centre", "bottom right",
]  # fmt: skip
LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
]  # fmt: skip

X_WON = "XXX OO. ..."
O_WON = "O.. OX. O.X"
FULL = "XOX XOO OXX"
"""All cells taken, and no line."""
X_NEARLY = ".XX OO. ..."
"""X wins it in the top left cell; O wins it in the middle right one."""
ALMOST_FULL = ".OX XOO OXX"
"""The last cell is the top left one, and makes no line."""


class Marks(NamedTuple):
    """The masks that a position is made of."""

    x: int
    o: int
    x_boards: int
    o_boards: int
    closed: int


def marks(boards: Mapping[int, str]) -> Marks:
    """Return the masks of local boards, given by number; those left out are empty."""
    x = o = x_boards = o_boards = closed = 0
    for board, text in boards.items():
        cells = text.replace(" ", "")
        x |= sum(1 << 9 * board + place for place in range(9) if cells[place] == "X")
        o |= sum(1 << 9 * board + place for place in range(9) if cells[place] == "O")
        winner = line_of(cells)
        x_boards |= (winner == "X") << board
        o_boards |= (winner == "O") << board
        closed |= (winner != "" or "." not in cells) << board
    return Marks(x, o, x_boards, o_boards, closed)


def line_of(cells: Sequence[str]) -> str:
    """Return the mark, X or O, that stands in a whole line of nine cells, or ""."""
    lines = [{cells[place] for place in line} for line in LINES]
    return "X" if {"X"} in lines else "O" if {"O"} in lines else ""


def cells_of(board: int) -> list[str]:
    """Return the names of the cells of a local board, 0 to 8, or 9 to 17 on a second big board."""
    left = board // 9 * 9 + board % 3 * 3
    top = board % 9 // 3 * 3
    return [
        "abcdefghijklmnopqr"[left + place % 3] + str(top + place // 3 + 1) for place in range(9)
    ]


def cells_of_all(boards: Iterable[int], *, but: str = "") -> list[str]:
    """Return the names of the cells of several local boards, one of them left out."""
    return [cell for board in boards for cell in cells_of(board) if cell != but]


def ultimate(
    boards: Mapping[int, str], sent_to: int | None = None, turn: Side = Side.X
) -> UltimatePosition:
    """Return a position of ultimate; a player sent nowhere may play in any open board."""
    made = marks(boards)
    allowed = 0b111_111_111 & ~made.closed if sent_to is None else 1 << sent_to
    return UltimatePosition(*made, allowed, turn, None)


def extreme(
    boards: Mapping[int, str],
    sent_to: Iterable[int] = (),
    turn: Side = Side.X,
    *,
    bonus: bool = False,
) -> ExtremePosition:
    """Return a position of extreme; a player sent nowhere may play in any open board.

    Boards 0 to 8 are those of board 1, in reading order, 9 to 17 those of board 2.
    """
    made = marks(boards)
    allowed = sum(1 << board for board in sent_to) or (1 << 18) - 1 & ~made.closed
    return ExtremePosition(*made, allowed, turn, None, bonus)


def by_hand(
    cells: str, odd: Sequence[int] = (), even: Sequence[int] = (), turn: Side = Side.X
) -> NumericPosition:
    """Return a position of numeric; its cells are in reading order, `~` for an empty one."""
    numbers = [None if cell == "~" else int(cell) for cell in cells.split()]
    return NumericPosition.set_up(numbers, odd, even, turn)


def words(sentences: Iterable[object]) -> list[str]:
    """Return sentences in English."""
    return [str(sentence) for sentence in sentences]
