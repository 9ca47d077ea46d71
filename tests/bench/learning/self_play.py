"""Games that tree searches play, for `tree_training` to learn from, and the features of positions.

Features are flat numbers, for compiled functions to read.
"""

from collections.abc import MutableSequence, Sequence

# The inner functions take what they need as numbers, and call nothing that they can do without.
# ruff: noqa: C901, PLR0917
from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.best_first import clear, grow
from engine.bots.local_boards.kernel.evaluation import (
    barred_with,
    lines_left,
    none_barred,
    stakes,
    whole,
)
from engine.bots.local_boards.kernel.expansion import children
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BONUS,
    CHILDREN,
    CLASS,
    CLASSES,
    CODE,
    CODES,
    COUNT,
    FACTS,
    FIRST_CHILD,
    HOW_MANY as CHILD_COUNT,
    KIND,
    LIMIT,
    LINES_OF,
    LINES_STEP,
    LOCAL,
    MEAN,
    MOVE,
    NODE,
    NODES,
    POWER,
    PRIOR,
    ROAM,
    ROAM_BY_STAKES,
    SENT,
    SENT_BY_STAKES,
    STAKES,
    STATUS,
    STOP,
    SURE,
    VISITS,
    WIN,
    WON,
)

POSITION_SIZE = 64
"""The size of a position in the record: at most 18 boards, 16 lines and 19 for where to go."""

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


EXPLORING = 60
BY_VISITS = 290
"""Of a thousand later moves, those that are random, and those chosen by their visits."""


@compiled("i8(i8[::1], i8, i8)", keep=False)
def random_move(state: Sequence[int], found: int, chance: int) -> int:
    """Return one of the moves noted in the state that do not lose at once, or any where all do."""
    safe = 0
    for at in range(CHILDREN, CHILDREN + 3 * found, 3):
        if state[at] > -WIN:
            safe += 1
    left = chance % (safe or found)
    move = -1
    for at in range(CHILDREN, CHILDREN + 3 * found, 3):
        if left >= 0 and (safe == 0 or state[at] > -WIN):
            move = state[at + 1]
            left -= 1
    return move


@compiled("i8(i4[::1], i8)", keep=False)
def most_visited(nodes: Sequence[int], first: int) -> int:
    """Return the root's child that is sure to win, or else the most visited not sure to lose.

    The root's children begin with node `first`; where all of them lose, that is the answer.
    """
    chosen = first
    for child in range(first, first + (nodes[FACTS] >> CHILD_COUNT & 255)):
        at, best = NODE * child, NODE * chosen
        if nodes[at + FACTS] & WON:
            return child
        if nodes[at + PRIOR] >= 0 and (
            nodes[best + PRIOR] < 0 or nodes[at + VISITS] > nodes[best + VISITS]
        ):
            chosen = child
    return chosen


@compiled("i8(i4[::1], i8, i8, i8)", keep=False)
def by_visits(nodes: Sequence[int], first: int, best: int, chance: int) -> int:
    """Return one of the root's children, the more visited the likelier.

    What was visited a quarter as often as the best, or less, is no choice but a mistake: then it is
    the best.
    """
    end = first + (nodes[FACTS] >> CHILD_COUNT & 255)
    total = 0
    for child in range(first, end):
        total += nodes[NODE * child + VISITS]
    left = chance % max(1, total)
    for child in range(first, end):
        visits = nodes[NODE * child + VISITS]
        left -= visits
        if left < 0:
            fair = nodes[NODE * child + PRIOR] >= 0 and 4 * visits > nodes[NODE * best + VISITS]
            return child if fair else best
    return best


@compiled("UniTuple(i8, 2)(i4[::1], i8[::1], i8[::1], i4[::1], i8[::1], i8, i8, i8)", keep=False)
def play(
    table: Sequence[int],
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    record: MutableSequence[int],
    visits: int,
    opening: int,
    seed: int,
) -> tuple[int, int]:
    """Play a game and return how many positions were noted and the outcome: 2 X won, 0 O, 1 drawn.

    The first `opening` moves are random, and none of them loses at once if another does not. Of
    each later position without a win at once the record has what the tree saw, X's chance to win in
    parts of SURE. The game ends where anything is proven.
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    for board in range(count):
        state[CODE + board] = 0
        state[KIND + board] = table[CLASS]
    state[BARRED] = none_barred(count)
    sent, mark, bonus, x_boards, o_boards, closed = ANY, 1, 0, 0, 0, 0
    first = stakes(table, state, 0, 0, 0)
    second = first
    noted = 0
    ply = 0
    while True:
        score = whole(table, state)
        found = children(
            table, state, CHILDREN, score, sent, mark, bonus,
            x_boards, o_boards, closed, first, second, WIN,
        )  # fmt: skip
        if found == WIN:
            return noted, 2 if mark == 1 else 0
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        kind = (seed >> 8) % 1000
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        if ply < opening:
            move = random_move(state, found, seed >> 8)
        else:
            state[STOP] = 0
            state[NODES] = 0
            state[LIMIT] = visits
            clear(sizes, nodes)
            proven = grow(
                table, state, sizes, nodes, score, sent, mark, bonus,
                x_boards, o_boards, closed, first, second,
            )  # fmt: skip
            begin = nodes[FIRST_CHILD]
            best = most_visited(nodes, begin)
            seen = 0.5 + 0.5 * proven
            if not proven:
                seen = nodes[NODE * best + MEAN] / SURE
            at = noted * POSITION_SIZE
            active(table, state, sent, mark, bonus, closed, first, second, record, at)
            record[at + VALUE] = int((seen if mark == 1 else 1.0 - seen) * SURE)
            record[at + EXPLORED] = 0
            noted += 1
            if proven:
                return noted, 2 if (proven == 1) == (mark == 1) else 0
            chosen = best
            if kind < EXPLORING:
                child = begin + (seed >> 8) % found
                if child != best and nodes[NODE * child + PRIOR] >= 0:
                    chosen = child
                    record[at + EXPLORED] = 1
            elif kind < EXPLORING + BY_VISITS:
                chosen = by_visits(nodes, begin, best, seed >> 8)
            move = nodes[NODE * chosen + FACTS] & MOVE
        sent, mark, bonus, x_boards, o_boards, closed, first, second = put(
            table, state, move, mark, bonus, x_boards, o_boards, closed, first, second
        )
        if closed == everything:
            return noted, 1
        ply += 1
