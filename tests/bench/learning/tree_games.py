"""Games that tree searches play, for `tree_training` to learn from."""

from collections.abc import MutableSequence, Sequence

# The inner functions take what they need as numbers, and call nothing that they can do without.
# ruff: noqa: C901, PLR0917
from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.best_first import clear, grow
from engine.bots.local_boards.kernel.evaluation import none_barred, stakes, whole
from engine.bots.local_boards.kernel.expansion import children
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    CHILDREN,
    CLASS,
    CODE,
    COUNT,
    FACTS,
    FIRST_CHILD,
    HOW_MANY as CHILD_COUNT,
    KIND,
    LIMIT,
    MEAN,
    MOVE,
    NODE,
    NODES,
    PRIOR,
    STOP,
    SURE,
    VISITS,
    WIN,
    WON,
)
from tests.bench.learning.self_play import EXPLORED, SHARED_MEMORY, VALUE, active, put

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
            at = noted * SHARED_MEMORY
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
