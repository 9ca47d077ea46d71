"""Alpha-beta to a depth, with what was found of positions met before in `memory`."""

from collections.abc import MutableSequence, Sequence

# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917
from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.evaluation import barred_with, lines_left, stakes
from engine.bots.local_boards.kernel.expansion import children
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BEST,
    CHILDREN,
    CLASS,
    CODE,
    COUNT,
    HISTORY,
    JITTER,
    KEY_BONUS,
    KEY_O,
    KEY_SENT,
    KEYS,
    KIND,
    LIMIT,
    LIVES,
    MEMORY_MASK,
    NODES,
    POWER,
    REDUCING,
    STATUS,
    STEP,
    STOP,
    WIN,
)


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
        # A side that cannot complete a line any more cannot win.
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
