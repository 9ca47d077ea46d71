"""Best-first search, on a tree in `nodes` that forgets what was visited least when it is full."""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917
import math
from collections.abc import MutableSequence, Sequence

from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.evaluation import barred_with, lines_left, share, stakes
from engine.bots.local_boards.kernel.expansion import children
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BARS,
    CAPACITY,
    CHILDLESS,
    CHILDREN,
    CLASS,
    CODE,
    COUNT,
    FACTS,
    FIRST,
    FIRST_CHILD,
    HOPE,
    HOW_MANY,
    JITTER,
    KIND,
    LIMIT,
    LOST,
    MEAN,
    MOVE,
    NODE,
    NODES,
    PATH,
    POWER,
    PRIOR,
    RANKED,
    RANKS,
    SCORE,
    STATUS,
    STAYS,
    STOP,
    SURE,
    UNFIT,
    URGE,
    USED,
    VISITS,
    WIN,
    WON,
)

CURIOSITY = 0.4
"""The weight of exploration: the bonus of a rarely visited move over one that does well."""
SHARPNESS = 500.0
"""The difference in value between a move and one that is e times less likely to be played."""


@compiled("i8(i8[::1], i8[::1], i4[::1], i8, i8)")
def add_children(
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    at: int,
    count: int,
) -> int:
    """Give a node the children that are in the state; return 1 if it is won, -1 if lost, else 0."""
    highest = -WIN
    for found in range(CHILDREN, CHILDREN + 3 * count, 3):
        highest = max(highest, state[found])
    used = sizes[USED]
    nodes[NODE * at + FIRST_CHILD] = used
    nodes[NODE * at + FACTS] = nodes[NODE * at + FACTS] & CHILDLESS | count << HOW_MANY
    total = 0.0
    for number in range(count):
        value = state[CHILDREN + 3 * number]
        child = NODE * (used + number)
        urge = 0.0 if value == -WIN else math.exp((value - highest) / SHARPNESS)
        total += urge
        nodes[child + URGE] = int(urge * SURE)
    for number in range(count):
        value = state[CHILDREN + 3 * number]
        child = NODE * (used + number)
        mean = int(share(value) * SURE)
        urge = int(nodes[child + URGE] / max(total, 1.0))
        nodes[child + FIRST_CHILD] = 0
        nodes[child + VISITS] = 0
        nodes[child + PRIOR] = LOST if value == -WIN else urge
        nodes[child + URGE] = urge
        nodes[child + MEAN] = UNFIT if value == -WIN else mean
        nodes[child + HOPE] = mean
        nodes[child + SCORE] = state[CHILDREN + 3 * number + 2]
        nodes[child + FACTS] = state[CHILDREN + 3 * number + 1] | (WON if value == WIN else 0)
    sizes[USED] = used + count
    return -1 if highest == -WIN else 1 if highest == WIN else 0


@compiled("i8(i4[::1], i8)")
def most_promising(nodes: Sequence[int], at: int) -> int:
    """Return the child to visit next, which is none that is sure to lose; -1 if all are.

    A node's mean counts five times what its hope does (M. Lanctot, M. Winands, T. Pepels, N.
    Sturtevant, "Monte Carlo tree search with heuristic evaluations using implicit minimax backups",
    2014).
    """
    wide = int(6144 * CURIOSITY * math.sqrt(nodes[NODE * at + VISITS] + 1.0))
    best = -1
    chosen = -1
    first = nodes[NODE * at + FIRST_CHILD]
    for child in range(first, first + (nodes[NODE * at + FACTS] >> HOW_MANY & 255)):
        place = NODE * child
        worth = 5 * nodes[place + MEAN] + nodes[place + HOPE] + (wide * nodes[place + URGE] >> 10)
        if worth > best:
            best = worth
            chosen = child
    return chosen


@compiled("i8(i8[::1], i4[::1])")
def clear(sizes: MutableSequence[int], nodes: MutableSequence[int]) -> int:
    """Reduce a tree to a root that was never visited, and return its number of nodes."""
    for at in range(NODE):
        nodes[at] = 0
    sizes[USED] = 1
    return 1


@compiled("i8(i8[::1], i4[::1], i8, i8)")
def keep(sizes: MutableSequence[int], nodes: MutableSequence[int], root: int, fewest: int) -> int:
    """Make a node the root of the tree, and return how many nodes are left.

    Nodes that are not below it are dropped. So are the children of nodes below it that were visited
    less often than `fewest` times, with all their descendants: such nodes keep their visits, what
    these brought and what is proven, and get children again at their next visit. As ever, children
    come after their parents, those of one node side by side.
    """
    left = 0
    nodes[NODE * root + FACTS] |= STAYS
    for at in range(NODE * root, NODE * sizes[USED], NODE):
        facts = nodes[at + FACTS]
        if facts & STAYS:
            to = NODE * left
            if facts & FIRST:
                parent = nodes[at + PRIOR]
                nodes[at + PRIOR] = nodes[parent + FIRST_CHILD]
                nodes[parent + FIRST_CHILD] = left
            facts &= ~(STAYS | FIRST)
            many = facts >> HOW_MANY & 255
            if many and (left == 0 or nodes[at + VISITS] >= fewest):
                # A node that stays swaps the index of its first child for that child's prior. The
                # child writes its new index back when it is moved itself.
                begin = NODE * nodes[at + FIRST_CHILD]
                for child in range(begin, begin + NODE * many, NODE):
                    nodes[child + FACTS] |= STAYS
                nodes[begin + FACTS] |= FIRST
                nodes[at + FIRST_CHILD] = nodes[begin + PRIOR]
                nodes[begin + PRIOR] = to
            else:
                facts &= CHILDLESS
            for number in range(NODE):
                nodes[to + number] = nodes[at + number]
            nodes[to + FACTS] = facts
            left += 1
    sizes[USED] = left
    return left


@compiled("i8(i8[::1], i4[::1])")
def forget(sizes: MutableSequence[int], nodes: MutableSequence[int]) -> int:
    """Make half of a full tree's room free, or more, and return how many nodes are left.

    The nodes that were visited least lose their children and all below them; the root does not.
    """
    used = sizes[USED]
    for rank in range(RANKED, RANKED + RANKS):
        sizes[rank] = 0
    # How many nodes are children of those that were visited so often? Eight ranks double it.
    for at in range(NODE, NODE * used, NODE):
        many = nodes[at + FACTS] >> HOW_MANY & 255
        if many:
            rank = nodes[at + VISITS]
            doubled = 0
            while rank > 15:
                rank >>= 1
                doubled += 8
            sizes[RANKED + doubled + rank] += many
    free = sizes[CAPACITY] // 2 - 1 - (nodes[FACTS] >> HOW_MANY & 255)
    rank = RANKS
    while rank > 0 and sizes[RANKED + rank - 1] <= free:
        rank -= 1
        free -= sizes[RANKED + rank]
    fewest = rank if rank < 16 else 8 + rank % 8 << rank // 8 - 1
    return keep(sizes, nodes, 0, fewest)


@compiled("i8(i4[::1], i8[::1], i8[::1], i4[::1], i8, i8, i8, i8, i8, i8, i8, i8, i8)")
def grow(
    table: Sequence[int],
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    score: int,
    sent: int,
    mark: int,
    bonus: int,
    x_boards: int,
    o_boards: int,
    closed: int,
    first: int,
    second: int,
) -> int:
    """Grow a tree from a position, its root node 0; return 1 if it is won, -1 if lost, else 0.

    The root was never visited, or has children that an earlier search knew something of.
    Each visit goes down to a node that was visited once at most, gives it children if it was, and
    looks at every move of it or of the most promising child. What it finds counts for all nodes on
    the way; wins and losses that are proven go up as far as they prove something. When the tree is
    full, it forgets what was visited least.
    `sizes` says how many nodes the tree may have, which is at least FEWEST. At the root each move
    looks better by its jitter until it is visited.
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    full = sizes[CAPACITY] - 9 * count
    decided = 0
    while decided == 0:
        if nodes[VISITS] and (state[STOP] or state[NODES] >= state[LIMIT]):
            break
        if sizes[USED] > full:
            forget(sizes, nodes)
        state[NODES] += 1
        at = 0
        depth = 0
        now_score, now_sent, now_mark, now_bonus = score, sent, mark, bonus
        now_x, now_o, now_closed, now_first, now_second = x_boards, o_boards, closed, first, second
        proven = 0
        value = SURE // 2
        grown = -1
        drawn = False
        while True:
            if drawn or now_closed == everything:
                break
            if nodes[NODE * at + FACTS] >> HOW_MANY & 255 == 0:
                if nodes[NODE * at + VISITS] == 0 and at:
                    found = children(
                        table, state, 0, now_score, now_sent, now_mark, now_bonus,
                        now_x, now_o, now_closed, now_first, now_second, WIN,
                    )  # fmt: skip
                    proven = 1 if found == WIN else -1 if found == -WIN else 0
                    value = int(share(found) * SURE)
                    break
                found = children(
                    table, state, CHILDREN, now_score, now_sent, now_mark, now_bonus,
                    now_x, now_o, now_closed, now_first, now_second, WIN,
                )  # fmt: skip
                if found == WIN:
                    found = 1
                elif not at:
                    for child in range(CHILDREN, CHILDREN + 3 * found, 3):
                        if abs(state[child]) < WIN:
                            better = state[child] + state[JITTER + state[child + 1]]
                            state[child] = min(better, WIN - 1)
                proven = add_children(state, sizes, nodes, at, found)
                grown = at
                if proven:
                    break
            at = most_promising(nodes, at)
            move = nodes[NODE * at + FACTS] & MOVE
            board = move // 9
            place = move - 9 * board
            code = state[CODE + board]
            kind = state[KIND + board]
            new = code + now_mark * table[POWER + place]
            new_kind = table[CLASS + new]
            now_score = nodes[NODE * at + SCORE]
            path = PATH + 6 * depth
            state[path] = board
            state[path + 1] = code
            state[path + 2] = kind
            state[path + 3] = at
            state[path + 4] = now_mark
            state[path + 5] = state[BARRED]
            depth += 1
            if table[BARS + new_kind] != table[BARS + kind]:
                barred = barred_with(table, state[BARRED], board, new_kind)
                state[BARRED] = barred
                # If nobody can complete a line any more, the game is drawn.
                drawn = lines_left(table, barred) == 0
            state[CODE + board] = new
            state[KIND + board] = new_kind
            again = 0
            status = table[STATUS + new]
            if status:
                now_closed |= 1 << board
                if status == now_mark:
                    if now_mark == 1:
                        now_x |= 1 << board
                    else:
                        now_o |= 1 << board
                    if count == 18 and not now_bonus:
                        again = 1
                if board < 9:
                    now_first = stakes(table, state, now_x & 511, now_o & 511, now_closed & 511)
                else:
                    now_second = stakes(table, state, now_x >> 9, now_o >> 9, now_closed >> 9)
            now_sent = place
            if now_closed >> place & 1 and (count == 9 or now_closed >> 9 + place & 1):
                now_sent = ANY
            now_bonus = again
            if not again:
                now_mark = 3 - now_mark
        if proven:
            value = SURE if proven == 1 else 0
        # From here on `value`, `hope` and `proven` are for `now_mark`. What the position below was
        # hoped for before decides whether the hope for the one above can have changed.
        hope = value
        was = -1
        differs = 1
        while depth:
            depth -= 1
            path = PATH + 6 * depth
            board = state[path]
            state[CODE + board] = state[path + 1]
            state[KIND + board] = state[path + 2]
            state[BARRED] = state[path + 5]
            at = state[path + 3]
            player = state[path + 4]
            many = nodes[NODE * at + FACTS] >> HOW_MANY & 255
            if many and differs:
                best = nodes[NODE * at + HOPE]
                if player != now_mark:
                    best = SURE - best
                if at == grown or hope < best == was:
                    hope = 0
                    start = NODE * nodes[NODE * at + FIRST_CHILD]
                    for child in range(start, start + NODE * many, NODE):
                        hope = max(hope, nodes[child + HOPE])
                elif hope < best:
                    differs = 0
            if player != now_mark:
                value = SURE - value
                hope = SURE - hope
                proven = -proven
                now_mark = player
            visits = nodes[NODE * at + VISITS] + 1
            mean = nodes[NODE * at + MEAN] if visits > 1 else value
            nodes[NODE * at + VISITS] = visits
            nodes[NODE * at + MEAN] = mean + int((value - mean) / visits)
            nodes[NODE * at + URGE] = int(nodes[NODE * at + PRIOR] / (1 + visits))
            if differs or proven:
                if proven:
                    hope = SURE if proven == 1 else 0
                    differs = 1
                was = nodes[NODE * at + HOPE]
                nodes[NODE * at + HOPE] = hope
            if proven:
                # Nobody will come here again.
                nodes[NODE * at + FACTS] &= CHILDLESS
                if proven == 1:
                    nodes[NODE * at + FACTS] |= WON
                else:
                    nodes[NODE * at + PRIOR] = LOST
                    nodes[NODE * at + URGE] = 0
                    nodes[NODE * at + MEAN] = UNFIT
                    parent = NODE * state[path - 3] if depth else 0
                    start = NODE * nodes[parent + FIRST_CHILD]
                    many = nodes[parent + FACTS] >> HOW_MANY & 255
                    for child in range(start, start + NODE * many, NODE):
                        if nodes[child + PRIOR] != LOST:
                            proven = 0
                            break
        nodes[VISITS] += 1
        decided = proven if now_mark == mark else -proven
    return decided
