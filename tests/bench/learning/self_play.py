"""Games of self-play: the features of a position, and playing a move.

Features are flat numbers, for compiled functions to read.
"""

from collections.abc import MutableSequence, Sequence

# The functions take what they need as numbers.
# ruff: noqa: PLR0917
from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.evaluation import barred_with, lines_left, stakes
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BONUS,
    CLASS,
    CLASSES,
    CODE,
    CODES,
    COUNT,
    KIND,
    LINES_OF,
    LINES_STEP,
    LOCAL,
    POWER,
    ROAM,
    ROAM_BY_STAKES,
    SENT,
    SENT_BY_STAKES,
    STAKES,
    STATUS,
)

SHARED_MEMORY = 64
"""Places kept for the weights of a position: at most 18 boards, 16 lines and 19 for where to go."""

# Where things stand in the record of a game: four numbers a position, then its weights.
# LEFT is how many lines are left, as `lines_left` counts them.
VALUE, EXPLORED, LEFT, HOW_MANY, FIRST = range(5)


@compiled("void(i4[::1], i8[::1], i8, i8, i8, i8, i8, i8, i8[::1], i8)", keep=False)
def active(
    table: Sequence[int],
    state: MutableSequence[int],
    sent: int,
    mark: int,
    bonus: int,
    closed: int,
    first: int,
    second: int,
    record: MutableSequence[int],
    at: int,
) -> None:
    """Note in the record the places in the table whose sum is the value of a position.

    And how many lines are left to either side, by which that is scaled.
    """
    count = state[COUNT]
    number = at + FIRST
    for board in range(count):
        big = board // 9 * 9
        record[number] = LOCAL + (board - big) * CODES + state[CODE + board]
        number += 1
        lines = LINES_OF + LINES_STEP * (board - big)
        for line in range(lines + 1, lines + 1 + 6 * table[lines], 6):
            if board - big < table[line + 2] and board - big < table[line + 4]:
                record[number] = (
                    table[line]
                    + state[KIND + board] * table[line + 1]
                    + state[KIND + big + table[line + 2]] * table[line + 3]
                    + state[KIND + big + table[line + 4]] * table[line + 5]
                )
                number += 1
    row = (mark - 1) * STAKES
    if bonus:
        record[number] = BONUS + mark - 1
        number += 1
    if sent == ANY:
        record[number] = ROAM + mark - 1
        number += 1
    for board in range(count):
        if not closed >> board & 1 and sent in (ANY, board % 9):
            stake = (first if board < 9 else second) >> 4 * (board % 9) & 15
            entry = (row + stake) * CLASSES + state[KIND + board]
            if sent == ANY:
                record[number] = ROAM_BY_STAKES + entry
            else:
                record[number] = SENT_BY_STAKES + entry
                number += 1
                record[number] = SENT + ((mark - 1) * 9 + sent) * CODES + state[CODE + board]
            number += 1
    record[at + HOW_MANY] = number - at - FIRST
    record[at + LEFT] = lines_left(table, state[BARRED])


@compiled("UniTuple(i8, 8)(i4[::1], i8[::1], i8, i8, i8, i8, i8, i8, i8, i8)", keep=False)
def put(
    table: Sequence[int],
    state: MutableSequence[int],
    move: int,
    mark: int,
    bonus: int,
    x_boards: int,
    o_boards: int,
    closed: int,
    first: int,
    second: int,
) -> tuple[int, int, int, int, int, int, int, int]:
    """Put a move that does not win on the board.

    Return what the position is then, as the searches take it: where the next move is sent, whose it
    is, whether it is a bonus, the boards of X, of O and that are closed, and their stakes.
    """
    count = state[COUNT]
    board = move // 9
    place = move - 9 * board
    code = state[CODE + board] + mark * table[POWER + place]
    state[CODE + board] = code
    kind = table[CLASS + code]
    state[KIND + board] = kind
    state[BARRED] = barred_with(table, state[BARRED], board, kind)
    again = 0
    status = table[STATUS + code]
    if status:
        closed |= 1 << board
        if status == mark:
            if mark == 1:
                x_boards |= 1 << board
            else:
                o_boards |= 1 << board
            if count == 18 and not bonus:
                again = 1
        if board < 9:
            first = stakes(table, state, x_boards & 511, o_boards & 511, closed & 511)
        else:
            second = stakes(table, state, x_boards >> 9, o_boards >> 9, closed >> 9)
    sent = place
    if closed >> place & 1 and (count == 9 or closed >> 9 + place & 1):
        sent = ANY
    return sent, mark if again else 3 - mark, again, x_boards, o_boards, closed, first, second
