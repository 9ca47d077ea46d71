"""The inner functions of the bot for ultimate and extreme: plain integers in flat arrays.

They run as plain Python on lists, or compiled on arrays (`engine.bots.compiled`), with the same
answers. A local board is the number that its nine cells write in base 3, bit place first: 0 empty,
1 X's, 2 O's. `table` holds what never changes (`engine.bots.boards_tables` fills it), `state` the
position at hand and the room to search in, `memory` what was found of positions met before.

Values are in thousandths of a logit, from X's point of view where a sum is carried along, from the
mover's where a search returns one; ±WIN is proven.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots.compiled import compiled

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

WIN = 100_000
"""The value of a proven win."""

CODES = 3**9
CLASSES = 21
ANY = 9
"""The destination of a move that leaves the opponent free to play in any open board."""

# Where things stand in `table`.
POWER = 0
HAS_LINE = 9
WINNING = HAS_LINE + 512
STATUS = WINNING + 512
CLASS = STATUS + CODES
COMPLETES = CLASS + CODES
FREE_COUNT = COMPLETES + CODES
FREE = FREE_COUNT + CODES
LINES_OF = FREE + 9 * CODES
LINES_STEP = 25
LOCAL = LINES_OF + 9 * LINES_STEP
SENT = LOCAL + 9 * CODES
ROAM = SENT + 18 * CODES
LINE = ROAM + 2 * (CLASSES + 1)
LINE_SIZE = CLASSES**3
TABLE_SIZE = LINE + 3 * LINE_SIZE

# Where things stand in `state`.
STOP, NODES, LIMIT, BEST, COUNT, MEMORY_MASK = range(6)
CODE = 6
KIND = CODE + 18
JITTER = KIND + 18
HISTORY = JITTER + 162
KEYS = HISTORY + 3 * 162
KEY_SENT = KEYS + 2 * 162
KEY_O = KEY_SENT + 10
KEY_BONUS = KEY_O + 1
CHILDREN = KEY_BONUS + 1
STEP = 3 * 162
DEEPEST = 165
STATE_SIZE = CHILDREN + STEP * DEEPEST


@compiled
def lines_value(
    table: Sequence[int], state: MutableSequence[int], board: int, kind: int
) -> int:
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


@compiled
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
    beta: int,
) -> int:
    """Look at every move. A leaf (`base` 0): return the best value. Else note them from `base` on.

    Of each move: its value for the mover, the move (nine times the board, and the place), and the
    sum carried along. Returns how many were noted, or WIN with the move alone where one wins.
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
        last_kind, last_lines = kind, 0
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
            now_own = own
            again = 0
            if status:
                now_closed |= 1 << board
                if status == mark:
                    now_own |= 1 << board
                    if table[HAS_LINE + (now_own >> big & 511)]:
                        if base:
                            state[base] = WIN
                            state[base + 1] = 9 * board + place
                            state[base + 2] = value
                        return WIN
                    if count == 18 and not bonus:
                        again = 1
            if now_closed == everything:
                found = 0
            else:
                next_mark = mark if again else 3 - mark
                winner = now_own if again else other
                kept = state[CODE + board]
                state[CODE + board] = new
                found = value
                threat = 0
                winning = table[WINNING + (winner & 511)]
                if count == 18:
                    winning |= table[WINNING + (winner >> 9)] << 9
                winning &= ~now_closed
                here = 1 << place | (1 << place + 9 if count == 18 else 0)
                here &= ~now_closed & everything
                if here:
                    target = SENT + ((next_mark - 1) * 9 + place) * CODES
                    if here >> place & 1:
                        found += table[target + state[CODE + place]]
                    if here >> 9 + place & 1:
                        found += table[target + state[CODE + 9 + place]]
                    winning &= here
                else:
                    roam = ROAM + (next_mark - 1) * (CLASSES + 1)
                    found += table[roam + CLASSES]
                    for target in range(count):
                        if not now_closed >> target & 1:
                            found += table[roam + table[CLASS + state[CODE + target]]]
                target = 0
                while winning:
                    if winning & 1 and table[COMPLETES + state[CODE + target]] & next_mark:
                        threat = 1
                        break
                    winning >>= 1
                    target += 1
                state[CODE + board] = kept
                if threat:
                    found = WIN if again else -WIN
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
                    return best
        board += step
    if base:
        return (at - base) // 3
    return best


@compiled
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
) -> int:
    """Return the value for the side to move, looking `depth` moves ahead, between alpha and beta.

    At the root (`ply` 0) the best move is left in `state[BEST]`, and each move's value is shifted
    by its jitter. A search that was stopped returns no value that counts.
    """
    state[NODES] += 1
    if depth <= 1 and ply:
        return children(
            table, state, 0, score, sent, mark, bonus, x_boards, o_boards, closed, beta
        )
    if state[NODES] >= state[LIMIT]:
        state[STOP] = 1
    if state[STOP]:
        return 0
    slot = 2 * (key & state[MEMORY_MASK])
    remembered = 255
    if memory[slot] == key:
        data = memory[slot + 1]
        remembered = data >> 9 & 255
        if ply:
            value = (data >> 19) - WIN
            bound = data & 3
            if (data >> 2 & 127) >= depth or value == WIN or value == -WIN:
                if bound == 0:
                    return value
                if bound == 1 and value >= beta:
                    return value
                if bound == 2 and value <= alpha:
                    return value
    base = CHILDREN + ply * STEP
    count = children(
        table, state, base, score, sent, mark, bonus, x_boards, o_boards, closed, beta
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
                        carried, now_key, now_sent, mark, 1, now_x, now_o, now_closed,
                    )  # fmt: skip
                else:
                    now_key ^= state[KEY_O]
                    value = -WIN
                    if number == 0:
                        value = lowest + 1
                    else:
                        reduced = depth - 1
                        if number > 3 and depth > 2:
                            reduced -= 1
                            if number > 12 and depth > 4:
                                reduced -= 1
                        value = jitter - search(
                            table, state, memory, reduced, ply + 1, jitter - lowest - 1,
                            jitter - lowest, carried, now_key, now_sent, 3 - mark, 0,
                            now_x, now_o, now_closed,
                        )  # fmt: skip
                        if value > lowest and reduced < depth - 1 and not state[STOP]:
                            value = jitter - search(
                                table, state, memory, depth - 1, ply + 1, jitter - lowest - 1,
                                jitter - lowest, carried, now_key, now_sent, 3 - mark, 0,
                                now_x, now_o, now_closed,
                            )  # fmt: skip
                    if number == 0 or lowest < value < beta and not state[STOP]:
                        value = jitter - search(
                            table, state, memory, depth - 1, ply + 1, jitter - beta,
                            jitter - lowest, carried, now_key, now_sent, 3 - mark, 0,
                            now_x, now_o, now_closed,
                        )  # fmt: skip
                state[CODE + board] = code
                state[KIND + board] = kind
                if state[STOP]:
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
    if ply or not state[JITTER + 0]:
        memory[slot] = key
        memory[slot + 1] = (
            best + WIN << 19 | best_move << 9 | min(max(depth, 0), 127) << 2 | bound
        )
    return best
