"""The expansion of a position into its moves, the step that both searches share."""

from collections.abc import MutableSequence, Sequence

# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917
from engine.bots.local_boards.compiled import compiled
from engine.bots.local_boards.kernel.evaluation import (
    barred_with,
    lines_left,
    lines_value,
    sides_exchanged,
    stakes,
)
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BARS,
    BONUS,
    CLASS,
    CLASSES,
    CODE,
    CODES,
    COMPLETES,
    COUNT,
    FREE,
    FREE_COUNT,
    HAS_LINE,
    KIND,
    LOCAL,
    POWER,
    ROAM,
    ROAM_BY_STAKES,
    SCALE,
    SENT,
    SENT_BY_STAKES,
    STAKES,
    STATUS,
    WIN,
    WINNING,
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
    sum carried along. Returns how many were noted, or WIN with the move alone if one wins. `first`
    and `second` are the stakes of the two big boards.

    What a position adds up to is scaled by how many lines of big boards either side can still
    complete: a lead is worth little if hardly a line is left, and nothing if none is.
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
