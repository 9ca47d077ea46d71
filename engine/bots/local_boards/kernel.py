"""The inner functions of the bot for ultimate and extreme: plain integers in flat arrays.

They run as plain Python on lists, or compiled on arrays (by the neighbouring `compiled`), with the
same answers. A local board is the number that its nine cells write in base 3, the top left one its
lowest digit: 0 empty, 1 X's, 2 O's. `table` holds what never changes (the neighbouring `tables`
fills it), `state` the position at hand and the room to search in.

Two searches share them: `grow`, best-first, on a tree in `nodes`, and `search`,
alpha-beta to a depth, with what was found of positions met before in `memory`.

Values are in thousandths of a logit, from X's point of view where a sum is carried along, from the
mover's where a search returns one; ±WIN is proven.

The functions stay in one file, since numba looks at that alone to see whether it must compile anew,
and are long, since a call costs plain Python more than anything that they do.
"""

from __future__ import annotations

# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917
import math
from typing import TYPE_CHECKING

from engine.bots.local_boards.compiled import compiled

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence


WIN = 100_000
"""The value of a proven win."""

CODES = 3**9
CLASSES = 21
STAKES = 16
"""What winning a local board can do for X's big lines and for O's, 0 to 3 each: nothing, or leave
two boards missing, or one, or none."""
ANY = 9
"""The destination of a move that leaves the opponent free to play in any open board."""

# Where things stand in `table`.
POWER = 0
HAS_LINE = 9
WINNING = HAS_LINE + 512
ALIVE = WINNING + 512
LINE_MASK = ALIVE + 512
STATUS = LINE_MASK + 8
CLASS = STATUS + CODES
COMPLETES = CLASS + CODES
FREE_COUNT = COMPLETES + CODES
FREE = FREE_COUNT + CODES
LINES_OF = FREE + 9 * CODES
LINES_STEP = 25
LOCAL = LINES_OF + 9 * LINES_STEP
SENT = LOCAL + 9 * CODES
SENT_BY_STAKES = SENT + 18 * CODES
ROAM_BY_STAKES = SENT_BY_STAKES + 2 * STAKES * CLASSES
ROAM = ROAM_BY_STAKES + 2 * STAKES * CLASSES
BONUS = ROAM + 2
LINE = BONUS + 2
LINE_SIZE = CLASSES**3
BARS = LINE + 3 * LINE_SIZE
LIVING = BARS + CLASSES
SCALE = LIVING + 512
LIVES = 17
TABLE_SIZE = SCALE + LIVES**2

# BARS has the bits that BARRED takes from a class, LIVING for each set of boards how many lines of
# a big board avoid them, and SCALE by how many thousandths a sum counts: by the lines left to the
# side that it favours, and to the other.

# Where things stand in `state`. BARRED has a bit for each board that X cannot win any more, and
# from O_BARRED on for O; of a big board that there is not, all.
STOP, NODES, LIMIT, BEST, COUNT, MEMORY_MASK, REDUCING, BARRED = range(8)
CODE = 8
KIND = CODE + 18
JITTER = KIND + 18
SPREAD = JITTER + 162
HISTORY = SPREAD + 512
KEYS = HISTORY + 3 * 162
KEY_SENT = KEYS + 2 * 162
KEY_O = KEY_SENT + 10
KEY_BONUS = KEY_O + 1
CHILDREN = KEY_BONUS + 1
STEP = 3 * 162
DEEPEST = 165
PATH = CHILDREN + STEP * DEEPEST
STATE_SIZE = PATH + 6 * DEEPEST

O_BARRED = 18
FOR_BOTH = 1 | 1 << O_BARRED
"""The bits of the first board in BARRED."""

# Where things stand in `nodes`, of each node of a tree. Its player is the one who moved into it.
FIRST_CHILD, VISITS, PRIOR, URGE, MEAN, HOPE, SCORE, FACTS = range(8)
NODE = 8
"""Numbers of a node: where its children begin, how often it was visited, how likely it is to be
played, that shared out over its visits, the mean of what these brought its player, what its player
wins where both sides play what looks best below it, the position's score, and what it is. What it
looks like before the first visit counts as the mean. Chances are in parts of SURE.

They stand together, since going down a tree takes the time that memory takes to answer."""
BYTES = 4 * NODE
"""What a node takes in memory."""
SURE = 1 << 30
"""The prior of a move that is sure to be played, and the hope of one that is sure to win."""
LOST = -1
"""The prior of a node whose player is sure to lose."""
UNFIT = -2 * SURE
"""The mean of such a node, so that it is not visited any more."""
# The facts of a node: the move that led to it, from HOW_MANY on how many children it has, and
# whether its player is sure to win. While others go: whether it stays, and whether it is the first
# of its siblings.
MOVE = 255
HOW_MANY = 8
CHILDLESS = ~(255 << HOW_MANY)
WON, STAYS, FIRST = 1 << 16, 1 << 17, 1 << 18

# Where things stand in `sizes`: how many nodes a tree has and may have, and the room to count them.
USED, ROOM, RANKED = range(3)
RANKS = 232
SIZES = RANKED + RANKS
FEWEST = 1024
"""A tree may have no fewer nodes than these: a root, its children, and children of some of them."""

CURIOSITY = 0.4
"""How much a rarely visited move gains by that over one that does well."""
SHARPNESS = 500.0
"""By how much worse a move looks that is e times less likely to be played."""


@compiled("i8(i8)")
def none_barred(count: int) -> int:
    """Return BARRED where each of `count` local boards, 9 or 18, can be won by either side."""
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


@compiled("i8(i4[::1], i8[::1], i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)")
def children(
    table: Sequence[int],
    state: MutableSequence[int],
    base: int,
    score: int,
    sent: int,
    mark: int,
    bonus: int,
    x_boards: int,
    o_boards: int,
    closed: int,
    first: int,
    second: int,
    beta: int,
) -> int:
    """Look at every move. A leaf (`base` 0): return the best value. Else note them from `base` on.

    Of each move: its value for the mover, the move (nine times the board, and the place), and the
    sum carried along. Returns how many were noted, or WIN with the move alone where one wins.
    `first` and `second` are the stakes of the two big boards.

    What a position adds up to is scaled by how many lines of big boards either side can still
    complete: to lead where hardly a line is left is worth little, and where none is, nothing.
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    own = x_boards if mark == 1 else o_boards
    other = o_boards if mark == 1 else x_boards
    sign = 3 - 2 * mark
    best = -WIN
    at = base
    barred = state[BARRED]
    left = lines_left(table, barred)
    x_scale = table[SCALE + left]
    o_scale = table[SCALE + sides_exchanged(left)]
    board, step = (0, 1) if sent == ANY else (sent, 9)
    while board < count:
        if closed >> board & 1:
            board += step
            continue
        code = state[CODE + board]
        kind = state[KIND + board]
        big = 0 if board < 9 else 9
        local = LOCAL + (board - big) * CODES
        carried = score - table[local + code]
        lines = lines_value(table, state, board, kind)
        free = FREE + 9 * code
        last_kind = kind
        last_lines = 0
        last_x = x_scale
        last_o = o_scale
        for index in range(free, free + table[FREE_COUNT + code]):
            place = table[index]
            new = code + mark * table[POWER + place]
            new_kind = table[CLASS + new]
            value = carried + table[local + new]
            for_x = x_scale
            for_o = o_scale
            if new_kind != kind:
                if new_kind != last_kind:
                    last_kind = new_kind
                    last_lines = lines_value(table, state, board, new_kind) - lines
                    last_x = x_scale
                    last_o = o_scale
                    if table[BARS + new_kind] != table[BARS + kind]:
                        left = lines_left(table, barred_with(table, barred, board, new_kind))
                        last_x = table[SCALE + left]
                        last_o = table[SCALE + sides_exchanged(left)]
                value += last_lines
                for_x = last_x
                for_o = last_o
            status = table[STATUS + new]
            now_closed = closed
            now_first = first
            now_second = second
            winner = other
            next_mark = 3 - mark
            if status:
                now_closed |= 1 << board
                now_own = own
                if status == mark:
                    now_own |= 1 << board
                    if table[HAS_LINE + (now_own >> big & 511)]:
                        state[CODE + board] = code
                        state[KIND + board] = kind
                        if base:
                            state[base] = WIN
                            state[base + 1] = 9 * board + place
                            state[base + 2] = value
                        return WIN
                    if count == 18 and not bonus:
                        next_mark = mark
                        winner = now_own
                stake = stakes(
                    table,
                    state,
                    (now_own if mark == 1 else other) >> big & 511,
                    (other if mark == 1 else now_own) >> big & 511,
                    now_closed >> big & 511,
                )
                if big:
                    now_second = stake
                else:
                    now_first = stake
            if now_closed == everything:
                found = 0
            else:
                state[CODE + board] = new
                state[KIND + board] = new_kind
                found = value
                winning = table[WINNING + (winner & 511)] & ~now_closed
                row = (next_mark - 1) * STAKES
                if count == 9:
                    if now_closed >> place & 1:
                        found += table[ROAM + next_mark - 1]
                        for target in range(9):
                            if not now_closed >> target & 1:
                                found += table[
                                    ROAM_BY_STAKES
                                    + (row + (now_first >> 4 * target & 15)) * CLASSES
                                    + state[KIND + target]
                                ]
                    else:
                        found += (
                            table[SENT + (9 * next_mark - 9 + place) * CODES + state[CODE + place]]
                            + table[
                                SENT_BY_STAKES
                                + (row + (now_first >> 4 * place & 15)) * CLASSES
                                + state[KIND + place]
                            ]
                        )
                        winning &= 1 << place
                else:
                    if next_mark == mark:
                        found += table[BONUS + mark - 1]
                    winning |= table[WINNING + (winner >> 9)] << 9 & ~now_closed
                    here = (1 << place | 1 << place + 9) & ~now_closed
                    if here:
                        if here >> place & 1:
                            found += (
                                table[
                                    SENT + (9 * next_mark - 9 + place) * CODES + state[CODE + place]
                                ]
                                + table[
                                    SENT_BY_STAKES
                                    + (row + (now_first >> 4 * place & 15)) * CLASSES
                                    + state[KIND + place]
                                ]
                            )
                        if here >> place + 9 & 1:
                            found += (
                                table[
                                    SENT
                                    + (9 * next_mark - 9 + place) * CODES
                                    + state[CODE + place + 9]
                                ]
                                + table[
                                    SENT_BY_STAKES
                                    + (row + (now_second >> 4 * place & 15)) * CLASSES
                                    + state[KIND + place + 9]
                                ]
                            )
                        winning &= here
                    else:
                        found += table[ROAM + next_mark - 1]
                        for target in range(18):
                            if not now_closed >> target & 1:
                                stake = now_first if target < 9 else now_second
                                found += table[
                                    ROAM_BY_STAKES
                                    + (row + (stake >> 4 * (target % 9) & 15)) * CLASSES
                                    + state[KIND + target]
                                ]
                threat = 0
                target = 0
                while winning:
                    if winning & 1 and table[COMPLETES + state[CODE + target]] & next_mark:
                        threat = 1
                        break
                    winning >>= 1
                    target += 1
                if threat:
                    found = WIN if next_mark == mark else -WIN
                else:
                    found = found * for_x // 1000 if found > 0 else -(-found * for_o // 1000)
                    found *= sign
                    if found >= WIN:
                        found = WIN - 1
                    elif found <= -WIN:
                        found = 1 - WIN
            if base:
                state[at] = found
                state[at + 1] = 9 * board + place
                state[at + 2] = value
                at += 3
            elif found > best:
                best = found
                if best >= beta:
                    state[CODE + board] = code
                    state[KIND + board] = kind
                    return best
        state[CODE + board] = code
        state[KIND + board] = kind
        board += step
    if base:
        return (at - base) // 3
    return best


@compiled("i8(i4[::1], i8[::1], i8[::1], i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)")
def search(
    table: Sequence[int],
    state: MutableSequence[int],
    memory: MutableSequence[int],
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    score: int,
    key: int,
    sent: int,
    mark: int,
    bonus: int,
    x_boards: int,
    o_boards: int,
    closed: int,
    first: int,
    second: int,
) -> int:
    """Return the value for the side to move, looking `depth` moves ahead, between alpha and beta.

    At the root (`ply` 0) the move in `state[BEST]` is tried first and the best one left there, and
    each move's value is shifted by its jitter. A search that was stopped returns no value that
    counts, but a move left by then is better than the first one. A depth of 1 is never stopped.
    """
    state[NODES] += 1
    barred = state[BARRED]
    if ply:
        # Who cannot complete a line any more cannot win.
        left = lines_left(table, barred)
        own, other = left // LIVES, left % LIVES
        if mark == 2:
            own, other = other, own
        if (own == 0 and (other == 0 or alpha >= 0)) or (other == 0 and beta <= 0):
            return 0
    if depth <= 1 and ply:
        return children(
            table,
            state,
            0,
            score,
            sent,
            mark,
            bonus,
            x_boards,
            o_boards,
            closed,
            first,
            second,
            beta,
        )
    if state[NODES] >= state[LIMIT]:
        state[STOP] = 1
    if state[STOP] and depth > 1:
        return 0
    slot = 2 * (key & state[MEMORY_MASK])
    remembered = state[BEST] if ply == 0 else 255
    if ply and memory[slot] == key:
        data = memory[slot + 1]
        remembered = data >> 9 & 255
        value = (data >> 17) - WIN
        bound = data & 3
        if (data >> 2 & 127) >= depth or abs(value) == WIN:
            if bound == 0:
                return value
            if bound == 1 and value >= beta:
                return value
            if bound == 2 and value <= alpha:
                return value
    base = CHILDREN + ply * STEP
    count = children(
        table,
        state,
        base,
        score,
        sent,
        mark,
        bonus,
        x_boards,
        o_boards,
        closed,
        first,
        second,
        beta,
    )
    if count == WIN:
        if not ply:
            state[BEST] = state[base + 1]
        return WIN
    big = state[COUNT] == 18
    everything = (1 << state[COUNT]) - 1
    history = HISTORY + 162 * mark
    for at in range(base, base + 3 * count, 3):
        if state[at] != -WIN:
            move = state[at + 1]
            if move == remembered:
                state[at] += 4 * WIN
            else:
                state[at] += state[history + move]
    best = -2 * WIN
    best_move = 255
    lowest = alpha
    for number in range(count):
        at = base + 3 * number
        chosen = at
        for other in range(at + 3, base + 3 * count, 3):
            if state[other] > state[chosen]:
                chosen = other
        static = state[chosen]
        move = state[chosen + 1]
        carried = state[chosen + 2]
        if chosen != at:
            state[chosen] = state[at]
            state[chosen + 1] = state[at + 1]
            state[chosen + 2] = state[at + 2]
        board = move // 9
        place = move - 9 * board
        jitter = 0
        if static == -WIN:
            value = -WIN
        else:
            if not ply:
                jitter = state[JITTER + move]
            code = state[CODE + board]
            kind = state[KIND + board]
            new = code + mark * table[POWER + place]
            now_x, now_o, now_closed, again = x_boards, o_boards, closed, 0
            now_first, now_second = first, second
            status = table[STATUS + new]
            if status:
                now_closed |= 1 << board
                if status == mark:
                    if mark == 1:
                        now_x |= 1 << board
                    else:
                        now_o |= 1 << board
                    if big and not bonus:
                        again = 1
                if board < 9:
                    now_first = stakes(table, state, now_x & 511, now_o & 511, now_closed & 511)
                else:
                    now_second = stakes(table, state, now_x >> 9, now_o >> 9, now_closed >> 9)
            if now_closed == everything:
                value = 0
            else:
                now_sent = place
                if now_closed >> place & 1 and (not big or now_closed >> 9 + place & 1):
                    now_sent = ANY
                now_key = (
                    key
                    ^ state[KEYS + 2 * move + mark - 1]
                    ^ state[KEY_SENT + sent]
                    ^ state[KEY_SENT + now_sent]
                )
                if bonus != again:
                    now_key ^= state[KEY_BONUS]
                new_kind = table[CLASS + new]
                state[CODE + board] = new
                state[KIND + board] = new_kind
                state[BARRED] = barred_with(table, barred, board, new_kind)
                if again:
                    value = jitter + search(
                        table, state, memory, depth, ply + 1, lowest - jitter, beta - jitter,
                        carried, now_key, now_sent, mark, again,
                        now_x, now_o, now_closed, now_first, now_second,
                    )  # fmt: skip
                else:
                    now_key ^= state[KEY_O]
                    value = -WIN
                    if number == 0:
                        value = lowest + 1
                    else:
                        reduced = depth - 1
                        if number > 3 and depth > 2 and state[REDUCING]:
                            reduced -= 1
                            if number > 12 and depth > 4:
                                reduced -= 1
                        value = jitter - search(
                            table, state, memory, reduced, ply + 1, jitter - lowest - 1,
                            jitter - lowest, carried, now_key, now_sent, 3 - mark, again,
                            now_x, now_o, now_closed, now_first, now_second,
                        )  # fmt: skip
                        if value > lowest and reduced < depth - 1 and not state[STOP]:
                            value = jitter - search(
                                table, state, memory, depth - 1, ply + 1, jitter - lowest - 1,
                                jitter - lowest, carried, now_key, now_sent, 3 - mark, again,
                                now_x, now_o, now_closed, now_first, now_second,
                            )  # fmt: skip
                    if number == 0 or (lowest < value < beta and not state[STOP]):
                        value = jitter - search(
                            table, state, memory, depth - 1, ply + 1, jitter - beta,
                            jitter - lowest, carried, now_key, now_sent, 3 - mark, again,
                            now_x, now_o, now_closed, now_first, now_second,
                        )  # fmt: skip
                state[CODE + board] = code
                state[KIND + board] = kind
                state[BARRED] = barred
                if state[STOP] and depth > 1:
                    return 0
                if value - jitter >= WIN:
                    value = WIN
                elif value - jitter <= -WIN:
                    value = -WIN
                elif value >= WIN:
                    value = WIN - 1
                elif value <= -WIN:
                    value = 1 - WIN
        if value > best:
            best = value
            best_move = move
            if not ply:
                state[BEST] = move
            if value > lowest:
                lowest = value
                if value >= beta:
                    if state[history + move] < 2000:
                        state[history + move] += depth * depth
                    break
    bound = 0
    if best <= alpha:
        bound = 2
    elif best >= beta:
        bound = 1
    if ply:
        memory[slot] = key
        memory[slot + 1] = best + WIN << 17 | best_move << 9 | min(depth, 127) << 2 | bound
    return best


@compiled("f8(i8)")
def share(value: int) -> float:
    """Return the chance to win that a value stands for."""
    return 1.0 / (1.0 + math.exp(-max(-30_000, min(30_000, value)) / 1000.0))


@compiled("i8(i8[::1], i8[::1], i4[::1], i8, i8)")
def add_children(
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    at: int,
    count: int,
) -> int:
    """Give a node the children that stand in the state, and return how it is proven for them."""
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
    """Return the child to visit next, which is none that is sure to lose; -1 where all are.

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
    """Leave of a tree nothing but a root that was never visited, and return how many nodes."""
    for at in range(NODE):
        nodes[at] = 0
    sizes[USED] = 1
    return 1


@compiled("i8(i8[::1], i4[::1], i8, i8)")
def keep(sizes: MutableSequence[int], nodes: MutableSequence[int], root: int, fewest: int) -> int:
    """Make a node the root of the tree, and return how many nodes are left.

    What does not stand below it goes. So do, but for its own children, those of nodes that were
    visited less often than `fewest` times, with all below them: such nodes keep their visits, what
    these brought and what is proven, and get children again when they are visited next. As ever,
    children stand after their parents, those of one node side by side.
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
                # A node that stays exchanges where its children begin for the prior of the first,
                # which tells it in return where they stand now, when it has its own place.
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
    free = sizes[ROOM] // 2 - 1 - (nodes[FACTS] >> HOW_MANY & 255)
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
    """Grow a tree from a position, its root node 0; return 1 where it is won, -1 lost, 0 open.

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
    full = sizes[ROOM] - 9 * count
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
                # Where nobody can complete a line any more, the game is drawn.
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
        # hoped for before tells whether the hope for the one above can have changed.
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
