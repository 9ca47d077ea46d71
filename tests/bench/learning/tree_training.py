"""Learn the weights of ultimate and extreme from games that tree searches play.

    python -m tests.bench.learning.tree_training VARIANT [--from FILE] [--visits N] [--minutes M]

A game is played by the bot's own best-first search with a number of visits a move: from a random
opening, with a random move now and then, and some moves chosen by their visits. Every position has
a target, half what the search saw there and half what the rest of the game brought. When the games
are over, the weights go over all positions in random order, several times, with a step that shrinks
as a weight is used and in the later rounds. The last games are kept apart, and show after each
round whether what was learned holds elsewhere.

It runs wherever the engine runs; for training in earnest it must be compiled (extra `fast`), and
needs some 400 MB for a million positions of ultimate, 700 of extreme. `engine/bots/README.md` says
how the weights that ship were learned, and what did not help.
"""

# The inner functions take what they need as numbers, and call nothing that they can do without.
# ruff: noqa: PLR0917
import argparse
import math
import sys
import time
from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.bots.local_boards import search_memory
from engine.bots.local_boards.bot import LOGIT, SearchBoard, board_count
from engine.bots.local_boards.compiled import compiled, flat
from engine.bots.local_boards.kernel.evaluation import sides_exchanged
from engine.bots.local_boards.kernel.layout import (
    BARS,
    BONUS,
    CODES,
    JITTER,
    LINE,
    LIVES,
    LOCAL,
    ROAM,
    ROAM_BY_STAKES,
    SCALE,
    SENT,
    SENT_BY_STAKES,
    SURE,
)
from engine.bots.local_boards.tables import SHAPE, packed, unpacked, weights_path
from tests.bench.learning import self_play
from tests.bench.learning.sharing import no_weights, sharing

TRUST = 0.8
"""The λ of TD(λ): how much the rest of a game counts against what the search saw next."""

OPENINGS = {9: (0, 1, 2, 2, 3, 4, 4, 5, 6, 8, 10, 14), 18: (0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 20)}
"""The most random moves at the start of a game, by the number of local boards."""

APART = 25
"""One position in this many is kept apart."""

SETTLED = 8.0
"""The use that the weights of a file start with, so that first positions do not upset them."""

_TREE = 4.0
"""The megabytes of a tree: some hundred thousand nodes, more than a move's visits make."""


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


@compiled("void(i4[::1], f8[::1], i4[::1], i4[::1])", keep=False)
def write_out(
    table: MutableSequence[int], weights: Sequence[float], which: Sequence[int], sign: Sequence[int]
) -> None:
    """Write the weights into the kernel's table."""
    for entry in range(LOCAL, len(which)):
        if entry < BARS or entry >= SCALE:
            value = sign[entry] * weights[which[entry]] * 1000.0
            table[entry] = int(max(-32000.0, min(32000.0, value)))


class Trainer:
    """The weights of one variant while they are learned."""

    def __init__(self, variant: str, weights: "array[int] | None" = None) -> None:
        """Continue from some weights, or begin with none."""
        self.weights = flat([weight / LOGIT for weight in weights or no_weights()], "d")
        self.used = flat([1.0 if weights is None else SETTLED] * sum(SHAPE), "d")
        which, sign = sharing()
        self.which, self.sign = flat(which, "i"), flat(sign, "i")
        self.board = SearchBoard(no_weights(), board_count(variant), 1 << 14)
        self.record = flat([0] * (self_play.POSITION_SIZE * 163), "q")
        self.refresh()

    def refresh(self) -> None:
        """Copy what was learned into the table of the search."""
        write_out(self.board.table, self.weights, self.which, self.sign)

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


@compiled(
    "UniTuple(f8, 2)"
    "(i8[::1], i8[::1], i8[::1], i8[::1], f8[::1], f8[::1], f8[::1], i4[::1], i4[::1], f8)",
    keep=False,
)
def go_over(
    order: Sequence[int],
    entries: Sequence[int],
    begins: Sequence[int],
    left: Sequence[int],
    targets: Sequence[float],
    weights: MutableSequence[float],
    used: MutableSequence[float],
    which: Sequence[int],
    sign: Sequence[int],
    step: float,
) -> tuple[float, float]:
    """Move the weights towards the targets of positions, in this order; without a step, look.

    Return the means of the Kullback-Leibler divergence and of the squared error, as they were when
    the weights came to each position.
    """
    divergence = 0.0
    squared = 0.0
    for number in order:
        target = targets[number]
        off = adjust(
            entries, begins[number], begins[number + 1], left[number], target,
            weights, used, which, sign, step,
        )  # fmt: skip
        squared += off * off
        wanted = min(max(target, 1e-6), 1.0 - 1e-6)
        found = min(max(target - off, 1e-6), 1.0 - 1e-6)
        divergence += wanted * math.log(wanted / found)
        divergence += (1.0 - wanted) * math.log((1.0 - wanted) / (1.0 - found))
    return divergence / max(1, len(order)), squared / max(1, len(order))


def targets_of(seen: Sequence[float], explored: Sequence[bool], outcome: float) -> list[float]:
    """Return the targets of a game's positions: half what was seen there, half the TD(λ) return.

    Takes X's chances as the search saw them, which moves were random, and what X has in the end: 1,
    ½ or 0. A random move says nothing about the position before it, where the return begins again.
    """
    returned, targets = outcome, []
    for chance, is_random in zip(reversed(seen), reversed(explored), strict=True):
        trust = 0.0 if is_random else TRUST
        returned = trust * returned + (1.0 - trust) * chance
        targets.append((chance + returned) / 2)
    return targets[::-1]


@dataclass(frozen=True)
class Positions:
    """The positions of some games, one after another.

    Each has the places in the table whose sum is its value, how many lines are left, by which that
    is scaled, and a target. Its entries begin where `begins` says and end where those of the next
    begin; `games` says with which position each game begins.
    """

    entries: "array[int]" = field(default_factory=lambda: array("q"))
    begins: "array[int]" = field(default_factory=lambda: array("q", [0]))
    left: "array[int]" = field(default_factory=lambda: array("q"))
    targets: "array[float]" = field(default_factory=lambda: array("d"))
    games: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, record: Sequence[int], noted: int, outcome: int) -> None:
        """Add the positions of a game as `play` has noted them; it may have none."""
        if not noted:
            return
        starts = range(0, noted * self_play.POSITION_SIZE, self_play.POSITION_SIZE)
        self.games.append(len(self.targets))
        for at in starts:
            first = at + self_play.FIRST
            end = first + record[at + self_play.HOW_MANY]
            self.entries.extend(int(entry) for entry in record[first:end])
            self.begins.append(len(self.entries))
            self.left.append(int(record[at + self_play.LEFT]))
        seen = [int(record[at + self_play.VALUE]) / SURE for at in starts]
        explored = [bool(record[at + self_play.EXPLORED]) for at in starts]
        self.targets.extend(targets_of(seen, explored, outcome / 2))

    def apart(self) -> int:
        """Return the number of the first position that is kept apart, which begins a game."""
        last = len(self.targets) - len(self.targets) // APART
        return next((begin for begin in self.games if begin >= last), self.games[-1])


@dataclass(frozen=True)
class Error:
    """The distance of values from targets: Kullback-Leibler divergence, and mean squared error."""

    divergence: float
    squared: float

    def __str__(self) -> str:
        return f"{self.divergence:.5f} ({self.squared:.5f} squared)"


class Fitting:
    """A trainer's weights and the positions that they go over."""

    def __init__(self, trainer: Trainer, positions: Positions) -> None:
        """Take the weights, which are learned in place, and the positions."""
        self.trainer = trainer
        self.arrays = (
            flat(positions.entries, "q"),
            flat(positions.begins, "q"),
            flat(positions.left, "q"),
            flat(positions.targets, "d"),
        )
        self.count, self.apart = len(positions.targets), positions.apart()

    def error(self, first: int, end: int) -> Error:
        """Return the error on the positions from `first` to before `end`."""
        return self._go_over(list(range(first, end)), 0.0)

    def rounds(self, number: int, step: float, rng: Random) -> Iterator[tuple[Error, Error]]:
        """Go over all positions except those kept apart this many times.

        Yields the errors of each round: while it learned, and then on the games kept apart.
        The trainer's search sees what was learned when all are over. The step is whole in the first
        half of the rounds, then half of itself, and a fifth in the last fifth.
        """
        order = list(range(self.apart))
        for done in range(number):
            rng.shuffle(order)
            scale = 1.0 if 2 * done < number else 0.5 if 5 * done < 4 * number else 0.2
            learned = self._go_over(order, scale * step)
            yield learned, self.error(self.apart, self.count)
        self.trainer.refresh()

    def _go_over(self, order: list[int], step: float) -> Error:
        trainer = self.trainer
        return Error(
            *go_over(
                flat(order, "q"), *self.arrays, trainer.weights, trainer.used,
                trainer.which, trainer.sign, step,
            )
        )  # fmt: skip


def play_one(trainer: Trainer, visits: int, rng: Random) -> tuple[int, int]:
    """Play a game into the trainer's record; return how many positions it has and the outcome."""
    board, tree = trainer.board, search_memory.SHARED_MEMORY
    tree.allocate_tree(_TREE)
    for move in range(9 * board.count):
        board.state[JITTER + move] = 0
    noted, outcome = self_play.play(
        board.table, board.state, tree.sizes, tree.nodes, trainer.record,
        visits, rng.choice(OPENINGS[board.count]), rng.getrandbits(31),
    )  # fmt: skip
    return int(noted), int(outcome)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.learning.tree_training", description=__doc__
    )
    parser.add_argument("variant", choices=("ultimate", "extreme"))
    parser.add_argument("--visits", type=int, default=200, help="of a move's tree")
    parser.add_argument("--minutes", type=float, default=14, help="of play")
    parser.add_argument("--games", type=int, help="how many, however long they take")
    parser.add_argument("--rounds", type=int, default=3, help="how often all positions are learned")
    parser.add_argument("--step", type=float, default=0.008)
    parser.add_argument("--from", dest="source", type=Path, help="weights to go on from")
    parser.add_argument("--to", type=Path, help="where to write them (default: where they ship)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    weights = unpacked(options.source.read_bytes()) if options.source else None
    trainer = Trainer(options.variant, weights)
    rng = Random(options.seed)
    positions, outcomes = Positions(), [0, 0, 0]
    begin = reported_at = time.monotonic()
    while True:
        noted, outcome = play_one(trainer, options.visits, rng)
        positions.add(trainer.record, noted, outcome)
        outcomes[outcome] += 1
        now, games = time.monotonic(), sum(outcomes)
        # One game to learn from and one to keep apart are the least.
        over = len(positions.games) > 1 and (
            games >= options.games if options.games else now - begin >= 60 * options.minutes
        )
        if over or now - reported_at >= 60:
            reported_at = now
            _report(
                f"{games} games ({len(positions.targets)} positions) in {now - begin:.0f} s: "
                f"X won {outcomes[2]}, O {outcomes[0]}, drawn {outcomes[1]}"
            )
        if over:
            break
    fitting = Fitting(trainer, positions)
    _report(f"before: error {fitting.error(fitting.apart, fitting.count)} on games kept apart")
    rounds = fitting.rounds(options.rounds, options.step, rng)
    for number, (learned, apart) in enumerate(rounds, start=1):
        _report(f"round {number}: {learned} while learning, {apart} on games kept apart")
    (options.to or weights_path(options.variant)).write_bytes(trainer.packed())


def _report(line: str) -> None:
    print(line)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
