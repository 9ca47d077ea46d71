"""Learns the weights of ultimate and extreme by self-play.

Run it as `python -m engine.bots.local_boards.training`. A game is played by the bot's own search, a
few moves deep, from an opening of random moves and with a random move now and then. Every position
of it is then moved towards what came of it: a mixture of what the search saw there and what the
rest of the game brought (TD(λ), with a step for each weight that shrinks as it is used). Positions
that are one by symmetry, or by exchange of the colours, share their weights.

It runs wherever the engine runs; compiled (extra `fast`), it plays some hundred games a second, and
for training in earnest it must be. The weights that ship began here, from no games but its own,
first looking 2 moves ahead with a step of 0.05, then 4 with 0.03; with them the neighbouring
`tree_training` went on.
"""

from __future__ import annotations

# The inner functions take what they need as numbers, and call nothing that they can do without.
# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917
import argparse
import math
import sys
import time
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.bots.local_boards.bot import LOGIT, SearchBoard, board_count
from engine.bots.local_boards.compiled import compiled, flat
from engine.bots.local_boards.kernel import layout
from engine.bots.local_boards.kernel.alpha_beta import search
from engine.bots.local_boards.kernel.evaluation import none_barred, sides_exchanged, stakes, whole
from engine.bots.local_boards.kernel.expansion import children
from engine.bots.local_boards.kernel.layout import (
    ANY,
    BARRED,
    BARS,
    BONUS,
    CHILDREN,
    CLASS,
    CODE,
    CODES,
    COUNT,
    JITTER,
    KEY_BONUS,
    KEY_O,
    KEY_SENT,
    KEYS,
    KIND,
    LIMIT,
    LINE,
    LIVES,
    LOCAL,
    NODES,
    ROAM,
    ROAM_BY_STAKES,
    SCALE,
    SENT,
    SENT_BY_STAKES,
    STOP,
    WIN,
)
from engine.bots.local_boards.self_play import (
    EXPLORED,
    FIRST,
    HOW_MANY,
    LEFT,
    ROOM,
    VALUE,
    active,
    put,
)
from engine.bots.local_boards.sharing import no_weights, sharing
from engine.bots.local_boards.tables import (
    SHAPE,
    packed,
    unpacked,
    weights_path,
)

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence


@compiled("UniTuple(i8, 2)(i4[::1], i8[::1], i8[::1], i8[::1], i8, i8, i8, i8)", keep=False)
def play(
    table: Sequence[int],
    state: MutableSequence[int],
    memory: MutableSequence[int],
    record: MutableSequence[int],
    depth: int,
    opening: int,
    exploring: int,
    seed: int,
) -> tuple[int, int]:
    """Play a game and return how many positions were noted and the outcome: 2 X won, 0 O, 1 drawn.

    The first `opening` moves are random, later ones `exploring` times in a thousand.
    """
    count = state[COUNT]
    everything = (1 << count) - 1
    for board in range(count):
        state[CODE + board] = 0
        state[KIND + board] = table[CLASS]
    state[BARRED] = none_barred(count)
    for slot in range(len(memory)):
        memory[slot] = 0
    for at in range(layout.HISTORY, KEYS):
        state[at] = 0
    sent, mark, bonus, x_boards, o_boards, closed = ANY, 1, 0, 0, 0, 0
    first = stakes(table, state, 0, 0, 0)
    second = first
    key = state[KEY_SENT + ANY]
    noted = 0
    ply = 0
    while True:
        score = whole(table, state)
        found = children(
            table,
            state,
            CHILDREN,
            score,
            sent,
            mark,
            bonus,
            x_boards,
            o_boards,
            closed,
            first,
            second,
            WIN,
        )
        value = WIN
        at = noted * ROOM
        if found != WIN:
            value = 0
            if ply >= opening:
                active(table, state, sent, mark, bonus, closed, first, second, record, at)
                state[STOP] = 0
                state[NODES] = 0
                state[LIMIT] = 1 << 60
                state[layout.BEST] = -1
                for deeper in range(min(2, depth), depth + 1):
                    value = search(
                        table, state, memory, deeper, 0, -WIN, WIN, score, key, sent, mark,
                        bonus, x_boards, o_boards, closed, first, second,
                    )  # fmt: skip
                record[at + VALUE] = value if mark == 1 else -value
                record[at + EXPLORED] = 0
                noted += 1
        if value == WIN:
            return noted, 2 if mark == 1 else 0
        if value == -WIN:
            return noted, 0 if mark == 1 else 2
        move = state[layout.BEST]
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        if ply < opening or (seed >> 8) % 1000 < exploring:
            found = children(
                table,
                state,
                CHILDREN,
                score,
                sent,
                mark,
                bonus,
                x_boards,
                o_boards,
                closed,
                first,
                second,
                WIN,
            )
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            move = state[CHILDREN + 3 * ((seed >> 8) % found) + 1]
            if ply >= opening:
                record[at + EXPLORED] = 1
        key ^= state[KEYS + 2 * move + mark - 1] ^ state[KEY_SENT + sent]
        player, last_bonus = mark, bonus
        sent, mark, bonus, x_boards, o_boards, closed, first, second = put(
            table, state, move, mark, bonus, x_boards, o_boards, closed, first, second
        )
        if closed == everything:
            return noted, 1
        key ^= state[KEY_SENT + sent]
        if bonus != last_bonus:
            key ^= state[KEY_BONUS]
        if mark != player:
            key ^= state[KEY_O]
        ply += 1


@compiled("f8(i8[::1], i8, i8, i8, f8, f8[::1], f8[::1], i4[::1], i4[::1], f8)", keep=False)
def adjust(
    entries: Sequence[int],
    begin: int,
    end: int,
    lines: int,
    target: float,
    weights: MutableSequence[float],
    used: MutableSequence[float],
    which: Sequence[int],
    sign: Sequence[int],
    step: float,
) -> float:
    """Move the weights of a position towards its target; return by how much they missed it.

    The entries from `begin` to before `end` are the position's, `lines` those that are left, as the
    kernel's `lines_left` counts them. Without a step nothing moves.
    """
    value = 0.0
    for index in range(begin, end):
        entry = entries[index]
        value += sign[entry] * weights[which[entry]]
    if value < 0.0:
        lines = sides_exchanged(lines)
    scaling = which[SCALE + lines]
    scale = weights[scaling]
    off = target - 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, scale * value))))
    if step > 0.0:
        slope = off * scale
        for index in range(begin, end):
            entry = entries[index]
            place = which[entry]
            used[place] += slope * slope
            weights[place] += step * sign[entry] * slope / math.sqrt(used[place])
        # Who has no line left to complete cannot lead.
        if lines >= LIVES:
            slope = off * value
            used[scaling] += slope * slope
            weights[scaling] = max(0.0, scale + step * slope / math.sqrt(used[scaling]))
    return off


@compiled("f8(i8[::1], i8, i8, f8[::1], f8[::1], i4[::1], i4[::1], f8, f8)", keep=False)
def learn(
    record: Sequence[int],
    noted: int,
    outcome: int,
    weights: MutableSequence[float],
    used: MutableSequence[float],
    which: Sequence[int],
    sign: Sequence[int],
    step: float,
    trust: float,
) -> float:
    """Move the weights of a game's positions; return the sum of their squared errors.

    `trust` is the λ of TD(λ): how much the rest of the game counts against what the search saw.
    """
    target = 0.5 * outcome
    error = 0.0
    for number in range(noted - 1, -1, -1):
        at = number * ROOM
        seen = 1.0 / (1.0 + math.exp(-record[at + VALUE] / 1000.0))
        trusted = 0.0 if record[at + EXPLORED] else trust
        target = trusted * target + (1.0 - trusted) * seen
        off = adjust(
            record, at + FIRST, at + FIRST + record[at + HOW_MANY], record[at + LEFT], target,
            weights, used, which, sign, step,
        )  # fmt: skip
        error += off * off
    return error


@compiled("void(i4[::1], f8[::1], i4[::1], i4[::1])", keep=False)
def write_out(
    table: MutableSequence[int],
    weights: Sequence[float],
    which: Sequence[int],
    sign: Sequence[int],
) -> None:
    """Write the weights into the kernel's table."""
    for entry in range(LOCAL, len(which)):
        if entry < BARS or entry >= SCALE:
            value = sign[entry] * weights[which[entry]] * 1000.0
            table[entry] = int(max(-32000.0, min(32000.0, value)))


@dataclass(frozen=True)
class TrainingTerms:
    """How a training goes."""

    depth: int = 3
    opening: int = 4
    exploring: int = 40
    step: float = 0.02
    trust: float = 0.7


class Trainer:
    """The weights of one variant while they are learned."""

    def __init__(self, variant: str, weights: array[int] | None = None, seed: int = 1) -> None:
        """Continue from some weights, or begin with none."""
        self.weights = flat([weight / LOGIT for weight in weights or no_weights()], "d")
        self.used = flat([1.0] * sum(SHAPE), "d")
        which, sign = sharing()
        self.which, self.sign = flat(which, "i"), flat(sign, "i")
        self.board = SearchBoard(no_weights(), board_count(variant), 1 << 14)
        self.record = flat([0] * (ROOM * 163), "q")
        self.seed = seed
        self.refresh()

    def refresh(self) -> None:
        """Let the search see what was learned."""
        write_out(self.board.table, self.weights, self.which, self.sign)

    def games(self, number: int, terms: TrainingTerms) -> tuple[float, float]:
        """Play and learn; return the root mean squared error and the share of games that X won."""
        board = self.board
        errors, positions, won = 0.0, 0, 0
        for game in range(number):
            self.seed = (self.seed * 69069 + 1) & 0x7FFFFFFF
            for move in range(162):
                board.state[JITTER + move] = 0
            noted, outcome = play(
                board.table, board.state, board.memory, self.record, terms.depth,
                terms.opening + self.seed // 4096 % 3, terms.exploring, self.seed,
            )  # fmt: skip
            errors += learn(
                self.record, noted, outcome, self.weights, self.used, self.which, self.sign,
                terms.step, terms.trust,
            )  # fmt: skip
            positions += noted
            won += outcome
            if game % 20 == 19:
                self.refresh()
        self.refresh()
        return math.sqrt(errors / max(positions, 1)), won / (2 * number)

    def packed(self) -> bytes:
        """Return the weights as the bytes of their file."""
        table = self.board.table
        weights = array("h")
        for first in (LOCAL, SENT):
            for board in (0, 1, 4):
                weights.extend(list(table[first + board * CODES : first + (board + 1) * CODES]))
        for first, size in (
            (SENT_BY_STAKES, SHAPE[2]),
            (ROAM_BY_STAKES, SHAPE[3]),
            (ROAM, 1),
            (BONUS, 1),
            (LINE, SHAPE[5]),
            (SCALE, SHAPE[6]),
        ):
            weights.extend(list(table[first : first + size]))
        return packed(weights)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.bots.local_boards.training", description=__doc__
    )
    parser.add_argument("variant", choices=("ultimate", "extreme"))
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--from", dest="source", type=Path, help="weights to go on from")
    parser.add_argument("--to", type=Path, help="where to write them (default: where they ship)")
    parser.add_argument("--depth", type=int, default=3, help="how many moves ahead games look")
    parser.add_argument("--step", type=float, default=0.02)
    parser.add_argument("--trust", type=float, default=0.7)
    parser.add_argument("--games", type=int, default=500, help="games from one file to the next")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    weights = unpacked(options.source.read_bytes()) if options.source else None
    trainer = Trainer(options.variant, weights, options.seed)
    terms = TrainingTerms(depth=options.depth, step=options.step, trust=options.trust)
    target = options.to or weights_path(options.variant)
    begin = time.monotonic()
    games = 0
    while not games or time.monotonic() - begin < 60 * options.minutes:
        error, won = trainer.games(options.games, terms)
        games += options.games
        target.write_bytes(trainer.packed())
        print(  # noqa: T201 - what the command line is for
            f"{games} games in {time.monotonic() - begin:.0f} s: error {error:.4f}, X won {won:.3f}"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
