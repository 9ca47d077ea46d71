"""The tables of the bot for ultimate and extreme: facts of local boards, and weights.

The weights of a variant were learned by `tests/bench/learning/tree_training.py` and are in
`data/<variant>.weights`: the magic line, then zlib-compressed little-endian 16-bit integers,
thousandths of a logit from X's point of view, in this order:

- what a local board in a corner, on an edge and in the centre is worth, by its code;
- what it is worth more to X to be the one who must play there, likewise;
- the same again by what is at stake there and by its class;
- what it is worth more to X to play anywhere: for each open board by stakes and class;
- what that is worth at all, and what a bonus move is;
- what the three boards of a side, of a line across the middle and of a diagonal are worth by their
  classes;
- by how many thousandths the sum of all this counts, by the lines of big boards that the side that
  it favours can still complete, 0 to 16, and the other one; none if the former has none.

O's worth follows by exchanging the colours, and that of other places by symmetry.
"""

import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS, LINES, places
from engine.bots.local_boards.kernel import evaluation, layout
from engine.bots.local_boards.kernel.layout import CLASSES, CODES, LINE_SIZE, LIVES, STAKES

MAGIC = b"oxonaut boards 3\n"
SHAPE = (3 * CODES, 3 * CODES, STAKES * CLASSES, STAKES * CLASSES, 2, 3 * LINE_SIZE, LIVES**2)
"""The number of weights of each sort, in the order of the file."""

POWERS = tuple(3**place for place in range(9))
X_WON, O_WON, DEAD = 1, 2, 3
"""The statuses of local boards other than 0, open: won, or closed though nobody won it."""

KIND_OF_BOARD = (0, 1, 0, 1, 2, 1, 0, 1, 0)
KIND_OF_LINE = (0, 1, 0, 0, 1, 0, 2, 2)
# For each board the symmetry that brings it to the first of its kind: 0, 1 or 4. It gives the image
# of each place.
_TURNS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
)
OPPOSITE_CLASS = (1, 0, 2, 6, 7, 8, 3, 4, 5, 9, 12, 15, 10, 13, 16, 11, 14, 17, 19, 18, 20)
"""The class of each class of local board once the sides are exchanged."""
_X_CANNOT, _O_CANNOT = 1, 1 << layout.O_BARRED
_BARS = (
    *(_O_CANNOT, _X_CANNOT, _X_CANNOT | _O_CANNOT),
    *[_O_CANNOT] * 3,
    *[_X_CANNOT] * 3,
    *[0] * (CLASSES - 9),
)
"""The sides that can no longer win a local board, by its class."""


def rewritten(where: Sequence[int], digits: Sequence[int] = (0, 1, 2)) -> "array[int]":
    """Return for each code the code with its places moved and its digits exchanged.

    >>> rewritten((1, 0, 2, 3, 4, 5, 6, 7, 8), (0, 2, 1))[1]
    6
    """
    codes = [0]
    for place in range(9):
        power = POWERS[where[place]]
        codes = [code + digit * power for digit in digits for code in codes]
    # Those of all boards are kept, which as lists would take megabytes.
    return array("H", codes)


@cache
def exchanged() -> Sequence[int]:
    """Return for each code that of the same local board with the colours exchanged."""
    return rewritten(range(9), (0, 2, 1))


@cache
def turned(board: int) -> Sequence[int]:
    """Return for each code of local board `board` that of its image on the first of its kind."""
    return rewritten(_TURNS[board])


@cache
def codes_of_masks() -> Sequence[int]:
    """Return for each bitmask of marks the code of a local board that holds them as X's."""
    codes = [0]
    for place in range(9):
        codes += [code + POWERS[place] for code in codes]
    return codes


def _masks() -> tuple[list[int], list[int]]:
    """Return X's and O's bitmask of every code."""
    x, o = [0], [0]
    for place in range(9):
        bit = 1 << place
        x, o = x + [mask | bit for mask in x] + x, o + o + [mask | bit for mask in o]
    return x, o


def _winning(mask: int) -> int:
    """Return the places that would complete a line of `mask`, taken or not."""
    missing = (line & ~mask for line in LINE_MASKS)
    return sum({bits for bits in missing if bits and not bits & bits - 1})


def _alive(barred: int) -> int:
    """Return the places on a line of which `barred` has none."""
    return sum({1 << place for line in LINE_MASKS if not line & barred for place in places(line)})


def _facts() -> tuple[list[int], list[int], list[int], list[int]]:
    """Return of every code its status, its class, the sides that threaten, and its free cells."""
    winning = [_winning(mask) for mask in range(512)]
    barred = [all(mask & line for line in LINE_MASKS) for mask in range(512)]
    size = [mask.bit_count() for mask in range(512)]
    statuses, classes, completes, free = [], [], [], []
    for x, o in zip(*_masks(), strict=True):
        taken = x | o
        if HAS_LINE[x]:
            facts = X_WON, 0, 0, 0
        elif HAS_LINE[o]:
            facts = O_WON, 1, 0, 0
        elif taken == FULL:
            facts = DEAD, 2, 0, 0
        else:
            x_now, o_now = size[winning[x] & ~o], size[winning[o] & ~x]
            facts = (
                0,
                _class(x_now, o_now, barred[o], barred[x], size[x] - size[o], taken),
                (x_now > 0) + 2 * (o_now > 0),
                9 - size[taken],
            )
        statuses.append(facts[0])
        classes.append(facts[1])
        completes.append(facts[2])
        free.append(facts[3])
    return statuses, classes, completes, free


def _class(x_now: int, o_now: int, x_barred: bool, o_barred: bool, lead: int, taken: int) -> int:  # noqa: FBT001, PLR0913, PLR0917 - the facts that make a class
    """Return the class of an open local board.

    A class is the number of places that would win it for either side at once (none, one or more),
    and the sides that can still win it at all; without a threat, the side that has more marks.
    """
    if x_barred and o_barred:
        return 2
    if o_barred:
        return 3 + min(x_now, 2)
    if x_barred:
        return 6 + min(o_now, 2)
    if x_now or o_now:
        return 9 + 3 * min(x_now, 2) + min(o_now, 2)
    if not taken:
        return 20
    return 9 if not lead else 18 if lead > 0 else 19


def _lines_of(board: int) -> list[int]:
    """Return how many lines go through a board, and how to look each up in the table."""
    entries: list[int] = []
    strides = (CLASSES**2, CLASSES, 1)
    for line, kind in zip(LINES, KIND_OF_LINE, strict=True):
        if board in line:
            own = line.index(board)
            entries += [layout.LINE + kind * LINE_SIZE, strides[own]]
            for index in range(3):
                if index != own:
                    entries += [line[index], strides[index]]
    return [len(entries) // 6, *entries, *[0] * (layout.LINES_STEP - 1 - len(entries))]


def weights_path(variant: str) -> Path:
    """Return the path of the weights of a variant."""
    return Path(__file__).parent / "data" / f"{variant}.weights"


def packed(weights: "array[int]") -> bytes:
    """Return weights as the bytes of their file."""
    if len(weights) != sum(SHAPE):
        raise ValueError(f"{len(weights)} weights where {sum(SHAPE)} belong")
    ordered = array("h", weights)
    if sys.byteorder == "big":
        ordered.byteswap()
    return MAGIC + zlib.compress(ordered.tobytes(), 9)


def unpacked(content: bytes) -> "array[int]":
    """Return the weights that a file's bytes hold; ValueError if it is not such a file."""
    if not content.startswith(MAGIC):
        raise ValueError("not a file of weights for ultimate or extreme")
    try:
        weights = array("h", zlib.decompress(content[len(MAGIC) :]))
    except zlib.error as error:
        raise ValueError(f"damaged weights: {error}") from error
    if sys.byteorder == "big":
        weights.byteswap()
    if len(weights) != sum(SHAPE):
        raise ValueError(f"{len(weights)} weights where {sum(SHAPE)} belong")
    return weights


def table_of(weights: "array[int]") -> list[int]:
    """Return the kernel's table: the facts of all codes, and the weights written out in full."""
    statuses, classes, completes, free = _facts()
    freed = [[*places(FULL & ~mask), *[0] * mask.bit_count()] for mask in range(512)]
    taken = [x | o for x, o in zip(*_masks(), strict=True)]
    table = [*POWERS, *map(int, HAS_LINE), *map(_winning, range(512)), *map(_alive, range(512))]
    table += LINE_MASKS
    table += statuses + classes + completes + free
    for mask in taken:
        table += freed[mask]
    for board in range(9):
        table += _lines_of(board)
    local, sent, *by_stakes, at_all, lines, scale = sorts_of(weights.tolist())
    for board in range(9):
        table += _written_out(local, board)
    for_x = [_written_out(sent, board) for board in range(9)]
    for values in for_x:
        table += values
    for values in for_x:
        table += [-values[code] for code in exchanged()]
    for sort in by_stakes:
        table += sort
        table += [-sort[entry] for entry in opposite_stakes()]
    for value in at_all:
        table += [value, -value]
    table += lines
    table += _BARS
    table += [sum(not barred & line for line in LINE_MASKS) for barred in range(512)]
    table += scale
    return table


def sorts_of(weights: Sequence[int]) -> list[Sequence[int]]:
    """Return the weights of each sort on their own.

    >>> [len(sort) for sort in sorts_of([0] * sum(SHAPE))] == list(SHAPE)
    True
    """
    ends = list(accumulate(SHAPE))
    return [weights[end - size : end] for end, size in zip(ends, SHAPE, strict=True)]


def opposite_stakes() -> Sequence[int]:
    """Return for each entry of the tables by stakes and class the entry of the other side."""
    return [
        (stake % 4 * 4 + stake // 4) * CLASSES + OPPOSITE_CLASS[kind]
        for stake in range(STAKES)
        for kind in range(CLASSES)
    ]


def _written_out(worth: Sequence[int], board: int) -> list[int]:
    kind = KIND_OF_BOARD[board]
    values = worth[kind * CODES : (kind + 1) * CODES]
    return [values[code] for code in turned(board)]


def new_state(count: int, memory_size: int) -> list[int]:
    """Return the kernel's `state` for `count` local boards and `memory_size` places of memory."""
    random = Random("keys of positions")
    spread = [sum(1 << 4 * place for place in places(mask)) for mask in range(512)]
    state = [0] * layout.STATE_SIZE
    state[layout.COUNT] = count
    state[layout.BARRED] = evaluation.none_barred(count)
    state[layout.MEMORY_MASK] = memory_size - 1
    state[layout.SPREAD : layout.SPREAD + 512] = spread
    for at in range(layout.KEYS, layout.KEY_BONUS + 1):
        state[at] = random.getrandbits(62)
    return state
