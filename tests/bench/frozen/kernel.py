"""The inner functions of the bot for ultimate and extreme: plain integers in flat arrays.

They run as plain Python on lists, or compiled on arrays (by the neighbouring `compiled`), with the
same answers. A local board is the number that its nine cells write in base 3, the top left one its
lowest digit: 0 empty, 1 X's, 2 O's. `table` holds what never changes (the neighbouring `tables`
fills it), `state` the position at hand and the room to search in.

Two searches share them: `grow`, best-first, on a tree in `nodes` and `worths`, and `search`,
alpha-beta to a depth, with what was found of positions met before in `memory`.

Values are in thousandths of a logit, from X's point of view where a sum is carried along, from the
mover's where a search returns one; ±WIN is proven.

The functions stay in one file, since numba looks at that alone to see whether it must recompile,
and are long, since a call costs plain Python more than anything that they do.
"""

from __future__ import annotations

# ruff: noqa: C901, PLR0911, PLR0912, PLR0915, PLR0917
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
"""The effects that winning a local board can have on X's big lines and on O's, 0 to 3 each:
nothing, or leave two boards missing, or one, or none."""
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
TABLE_SIZE = LINE + 3 * LINE_SIZE

# Where things stand in `state`.
STOP, NODES, LIMIT, BEST, COUNT, MEMORY_MASK, REDUCING = range(7)
CODE = 7
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
STATE_SIZE = PATH + 5 * DEEPEST

# Where things stand in `nodes`, of each node of a tree. Its player is the one who moved into it.
FIRST_CHILD, HOW_MANY, MOVE, PROVEN, VISITS = range(5)
NODE = 5
"""Numbers of a node: where its children begin, how many they are, the move that led to it, 1 or -1
where its player is sure to win or to lose, and how often it was visited."""
# And in `worths`: the sum of what its visits brought its player, and how likely it is to be played.
TOTAL, PRIOR = range(2)
WORTH = 2

CURIOSITY = 0.4
"""The bonus of a rarely visited move over one that does well."""
SHARPNESS = 500.0
"""By how much worse a move looks that is e times less likely to be played."""


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
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    own = x_boards if mark == 1 else o_boards
    other = o_boards if mark == 1 else x_boards
    sign = 3 - 2 * mark
    best = -WIN
    at = base
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
        for index in range(free, free + table[FREE_COUNT + code]):
            place = table[index]
            new = code + mark * table[POWER + place]
            new_kind = table[CLASS + new]
            value = carried + table[local + new]
            if new_kind != kind:
                if new_kind != last_kind:
                    last_kind = new_kind
                    last_lines = lines_value(table, state, board, new_kind) - lines
                value += last_lines
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
                state[CODE + board] = new
                state[KIND + board] = table[CLASS + new]
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


@compiled("i8(i8[::1], i8[::1], i4[::1], f8[::1], i8, i8)")
def add_children(
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    worths: MutableSequence[float],
    at: int,
    count: int,
) -> int:
    """Give a node the children that stand in the state, and return how it is proven for them."""
    highest = -WIN
    for found in range(CHILDREN, CHILDREN + 3 * count, 3):
        highest = max(highest, state[found])
    used = sizes[0]
    nodes[NODE * at + FIRST_CHILD] = used
    nodes[NODE * at + HOW_MANY] = count
    total = 0.0
    for number in range(count):
        value = state[CHILDREN + 3 * number]
        child = used + number
        nodes[NODE * child + FIRST_CHILD] = 0
        nodes[NODE * child + HOW_MANY] = 0
        nodes[NODE * child + MOVE] = state[CHILDREN + 3 * number + 1]
        nodes[NODE * child + PROVEN] = -1 if value == -WIN else 1 if value == WIN else 0
        nodes[NODE * child + VISITS] = 0
        prior = 0.0 if value == -WIN else math.exp((value - highest) / SHARPNESS)
        worths[WORTH * child + TOTAL] = share(value)
        worths[WORTH * child + PRIOR] = prior
        total += prior
    for child in range(used, used + count):
        worths[WORTH * child + PRIOR] /= max(total, 1.0)
    sizes[0] = used + count
    return -1 if highest == -WIN else 1 if highest == WIN else 0


@compiled("i8(i4[::1], f8[::1], i8)")
def most_promising(nodes: Sequence[int], worths: Sequence[float], at: int) -> int:
    """Return the child to visit next, which is none that is sure to lose; -1 where all are."""
    wide = CURIOSITY * math.sqrt(nodes[NODE * at + VISITS] + 1.0)
    best = -1.0
    chosen = -1
    first = nodes[NODE * at + FIRST_CHILD]
    for child in range(first, first + nodes[NODE * at + HOW_MANY]):
        if nodes[NODE * child + PROVEN] >= 0:
            visits = nodes[NODE * child + VISITS]
            # A move that nobody tried is worth what it looks like.
            worth = worths[WORTH * child + TOTAL] / max(visits, 1)
            worth += worths[WORTH * child + PRIOR] * wide / (1.0 + visits)
            if worth > best:
                best = worth
                chosen = child
    return chosen


@compiled("i8(i4[::1], i8[::1], i8[::1], i4[::1], f8[::1], i8, i8, i8, i8, i8, i8, i8, i8, i8)")
def grow(
    table: Sequence[int],
    state: MutableSequence[int],
    sizes: MutableSequence[int],
    nodes: MutableSequence[int],
    worths: MutableSequence[float],
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

    Each visit goes down to a node that was visited once at most, gives it children if it was, and
    looks at every move of it or of the most promising child. What it finds counts for all nodes on
    the way; wins and losses that are proven go up as far as they prove something.
    `sizes` is how many nodes the tree has, filled in here. At the root each move looks better by
    its jitter until it is visited.
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    room = len(nodes) // NODE - 9 * count
    sizes[0] = 1
    for at in range(NODE):
        nodes[at] = 0
    worths[TOTAL] = 0.0
    while nodes[PROVEN] == 0:
        if nodes[VISITS] and (state[STOP] or state[NODES] >= state[LIMIT] or sizes[0] > room):
            break
        state[NODES] += 1
        at = 0
        depth = 0
        now_score, now_sent, now_mark, now_bonus = score, sent, mark, bonus
        now_x, now_o, now_closed, now_first, now_second = x_boards, o_boards, closed, first, second
        proven = 0
        value = 0.5
        while True:
            if now_closed == everything:
                break
            if nodes[NODE * at + HOW_MANY] == 0:
                if nodes[NODE * at + VISITS] == 0 and at:
                    found = children(
                        table, state, 0, now_score, now_sent, now_mark, now_bonus,
                        now_x, now_o, now_closed, now_first, now_second, WIN,
                    )  # fmt: skip
                    proven = 1 if found == WIN else -1 if found == -WIN else 0
                    value = share(found)
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
                proven = add_children(state, sizes, nodes, worths, at, found)
                if proven:
                    break
            at = most_promising(nodes, worths, at)
            move = nodes[NODE * at + MOVE]
            board = move // 9
            place = move - 9 * board
            code = state[CODE + board]
            kind = state[KIND + board]
            new = code + now_mark * table[POWER + place]
            new_kind = table[CLASS + new]
            local = LOCAL + (board if board < 9 else board - 9) * CODES
            now_score += table[local + new] - table[local + code]
            if new_kind != kind:
                now_score += lines_value(table, state, board, new_kind)
                now_score -= lines_value(table, state, board, kind)
            path = PATH + 5 * depth
            state[path] = board
            state[path + 1] = code
            state[path + 2] = kind
            state[path + 3] = at
            state[path + 4] = now_mark
            depth += 1
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
            value = 0.5 + 0.5 * proven
        # From here on `value` and `proven` are for `now_mark`.
        while depth:
            depth -= 1
            path = PATH + 5 * depth
            board = state[path]
            state[CODE + board] = state[path + 1]
            state[KIND + board] = state[path + 2]
            at = state[path + 3]
            player = state[path + 4]
            if player != now_mark:
                value = 1.0 - value
                proven = -proven
                now_mark = player
            if nodes[NODE * at + VISITS] == 0:
                worths[WORTH * at + TOTAL] = 0.0
            nodes[NODE * at + VISITS] += 1
            worths[WORTH * at + TOTAL] += value
            if proven:
                nodes[NODE * at + PROVEN] = proven
                if proven == -1:
                    parent = state[path - 2] if depth else 0
                    start = nodes[NODE * parent + FIRST_CHILD]
                    for child in range(start, start + nodes[NODE * parent + HOW_MANY]):
                        if nodes[NODE * child + PROVEN] != -1:
                            proven = 0
                            break
        nodes[VISITS] += 1
        nodes[PROVEN] = proven if now_mark == mark else -proven
    return nodes[PROVEN]
