"""The places of the table that share a weight, by the symmetries of ultimate and of extreme.

A position that is turned or mirrored is worth the same, and one with the sides exchanged as much to
the other side.
"""

from array import array
from functools import cache

from engine.boards.grid import LINES
from engine.bots.local_boards.bot import LOGIT
from engine.bots.local_boards.kernel.layout import (
    BARS,
    CLASSES,
    CODES,
    LINE_SIZE,
    LIVES,
    LOCAL,
    SCALE,
)
from engine.bots.local_boards.tables import (
    KIND_OF_BOARD,
    OPPOSITE_CLASS,
    SHAPE,
    exchanged,
    opposite_stakes,
    rewritten,
    turned,
)


def _symmetries() -> list[tuple[int, ...]]:
    """Return where each place goes under the eight symmetries of a 3×3 grid."""
    lines = {frozenset(line) for line in LINES}
    turns = [tuple(3 * column + row for row in range(3) for column in range(3)), tuple(range(9))]
    turns += [tuple(3 * (place // 3) + 2 - place % 3 for place in range(9))]
    found = set(turns)
    while True:
        more = {tuple(one[place] for place in two) for one in found for two in found} | found
        if more == found:
            break
        found = more
    assert all({frozenset(turn[p] for p in line) for line in LINES} == lines for turn in found)
    return sorted(found)


@cache
def sharing() -> tuple[list[int], list[int]]:
    """Return for each place of the table the weight that it shows, and with which sign."""
    which, sign = [0] * LOCAL, [0] * LOCAL
    firsts: dict[tuple[int, bool], tuple[list[int], list[int]]] = {}
    for kind, board in enumerate((0, 1, 4)):
        images = [rewritten(turn) for turn in _symmetries() if turn[board] == board]
        least = [min(same) for same in zip(*images, strict=True)]
        opposite = [least[code] for code in exchanged()]
        start = kind * CODES
        firsts[kind, True] = (
            [start + min(pair) for pair in zip(least, opposite, strict=True)],
            [(a < b) - (a > b) for a, b in zip(least, opposite, strict=True)],
        )
        firsts[kind, False] = ([SHAPE[0] + start + code for code in least], [1] * CODES)
    for board in range(9):
        places, signs = firsts[KIND_OF_BOARD[board], True]
        which += [places[code] for code in turned(board)]
        sign += [signs[code] for code in turned(board)]
    for_x = []
    for board in range(9):
        places, _ = firsts[KIND_OF_BOARD[board], False]
        for_x.append([places[code] for code in turned(board)])
    for places in for_x:
        which += places
    for places in for_x:
        which += [places[code] for code in exchanged()]
    sign += [1] * (9 * CODES) + [-1] * (9 * CODES)
    start = SHAPE[0] + SHAPE[1]
    for size in SHAPE[2:4]:
        which += range(start, start + size)
        which += [start + entry for entry in opposite_stakes()]
        sign += [1] * size + [-1] * size
        start += size
    which += [start, start, start + 1, start + 1]
    sign += [1, -1, 1, -1]
    start += SHAPE[4]
    for kind in range(3):
        for entry in range(LINE_SIZE):
            one, two, three = entry // CLASSES**2, entry // CLASSES % CLASSES, entry % CLASSES
            own = min((one, two, three), (three, two, one))
            one, two, three = (OPPOSITE_CLASS[place] for place in (one, two, three))
            its = min((one, two, three), (three, two, one))
            one, two, three = min(own, its)
            which.append(start + kind * LINE_SIZE + (one * CLASSES + two) * CLASSES + three)
            sign.append((own < its) - (own > its))
    # Facts stand between.
    which += [0] * (SCALE - BARS)
    sign += [0] * (SCALE - BARS)
    start += SHAPE[5]
    which += range(start, start + SHAPE[6])
    sign += [1] * SHAPE[6]
    return which, sign


def no_weights() -> "array[int]":
    """Return the weights of somebody who has learned nothing: sums of nothing count in full."""
    scale = [0] * LIVES + [LOGIT] * (SHAPE[6] - LIVES)
    return array("h", [0] * sum(SHAPE[:6]) + scale)
