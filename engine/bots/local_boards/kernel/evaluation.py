"""The evaluation of a position of ultimate or extreme, and the stakes of its boards."""

import math
from collections.abc import MutableSequence, Sequence

from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.layout import (
    ALIVE,
    BARS,
    CODE,
    CODES,
    COUNT,
    FOR_BOTH,
    KIND,
    LINE_MASK,
    LINES_OF,
    LINES_STEP,
    LIVES,
    LIVING,
    LOCAL,
    SPREAD,
    WINNING,
)


@compiled("i8(i8)")
def none_barred(count: int) -> int:
    """Return BARRED if each of `count` local boards, 9 or 18, can be won by either side."""
    return 0 if count == 18 else FOR_BOTH * (511 << 9)


@compiled("i8(i4[::1], i8, i8, i8)")
def barred_with(table: Sequence[int], barred: int, board: int, kind: int) -> int:
    """Return BARRED after a local board has come to be of class `kind`."""
    return barred & ~(FOR_BOTH << board) | table[BARS + kind] << board


@compiled("i8(i8)")
def sides_exchanged(left: int) -> int:
    """Return the lines that are left with the sides exchanged."""
    return left % LIVES * LIVES + left // LIVES


@compiled("i8(i4[::1], i8)")
def lines_left(table: Sequence[int], barred: int) -> int:
    """Return how many lines of big boards X can still complete, times LIVES, and O."""
    x_lines = table[LIVING + (barred & 511)] + table[LIVING + (barred >> 9 & 511)]
    o_lines = table[LIVING + (barred >> 18 & 511)] + table[LIVING + (barred >> 27)]
    return LIVES * x_lines + o_lines


@compiled("i8(i4[::1], i8[::1], i8, i8)")
def lines_value(table: Sequence[int], state: MutableSequence[int], board: int, kind: int) -> int:
    """Return what the lines through a local board are worth if its class is `kind`."""
    big = board // 9 * 9
    at = LINES_OF + LINES_STEP * (board - big)
    value = 0
    for line in range(at + 1, at + 1 + 6 * table[at], 6):
        value += table[
            table[line]
            + kind * table[line + 1]
            + state[KIND + big + table[line + 2]] * table[line + 3]
            + state[KIND + big + table[line + 4]] * table[line + 5]
        ]
    return value


@compiled("i8(i4[::1], i8[::1])")
def whole(table: Sequence[int], state: MutableSequence[int]) -> int:
    """Return the sum of what local boards and lines are worth: the `score` of a position."""
    value = 0
    for board in range(state[COUNT]):
        big = board // 9 * 9
        value += table[LOCAL + (board - big) * CODES + state[CODE + board]]
        # Each line is met from its three boards, and counted at the first.
        at = LINES_OF + LINES_STEP * (board - big)
        for line in range(at + 1, at + 1 + 6 * table[at], 6):
            if board - big < table[line + 2] and board - big < table[line + 4]:
                value += table[
                    table[line]
                    + state[KIND + board] * table[line + 1]
                    + state[KIND + big + table[line + 2]] * table[line + 3]
                    + state[KIND + big + table[line + 4]] * table[line + 5]
                ]
    return value


@compiled("i8(i4[::1], i8[::1], i8, i8, i8)")
def stakes(
    table: Sequence[int], state: MutableSequence[int], x_boards: int, o_boards: int, closed: int
) -> int:
    """Return the stakes of the nine boards of a big board, four bits each.

    Takes the nine bits of the boards that X and O have won there and of those that are closed.
    """
    x_barred = closed & ~x_boards
    o_barred = closed & ~o_boards
    x_half = 0
    o_half = 0
    for line in range(LINE_MASK, LINE_MASK + 8):
        mask = table[line]
        if x_boards & mask and not x_barred & mask:
            x_half |= mask
        if o_boards & mask and not o_barred & mask:
            o_half |= mask
    return 4 * (
        state[SPREAD + table[ALIVE + x_barred]]
        + state[SPREAD + x_half]
        + state[SPREAD + (table[WINNING + x_boards] & ~closed)]
    ) + (
        state[SPREAD + table[ALIVE + o_barred]]
        + state[SPREAD + o_half]
        + state[SPREAD + (table[WINNING + o_boards] & ~closed)]
    )


@compiled("f8(i8)")
def share(value: int) -> float:
    """Return the probability of winning that a value means."""
    return 1.0 / (1.0 + math.exp(-max(-30_000, min(30_000, value)) / 1000.0))
