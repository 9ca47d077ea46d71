"""Find the openings of ultimate and extreme by long searches.

    python -m tests.bench.learning.opening_search VARIANT [--margin M] [--visits N]

Each move in a position is searched on its own, all with the same number of visits, and those worth
little less than the best are good; a first, shorter search rules most of them out. A position is
searched if the side to move has played only good moves, whatever the other side played.

It is best compiled (extra `fast`). The openings that ship were found with `ultimate`, and with
`extreme --margin 0.01`. The result follows from the weights and the options alone.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from engine import Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import BoardsBot, start_of
from engine.bots.local_boards.openings import PLIES, Opening, Openings, images_of, openings_path

Label = TypeVar("Label")
Map = Callable[[Callable[[Any], Opening], Iterable[Any]], Iterable[Opening]]
"""`map`, or what does the same in several processes."""

_FOREVER = 1e9
"""Seconds for a search that only its visits limit."""

_MEMORY = 64.0
"""Megabytes for the tree of a search, in which it forgets what it does not hold."""


@dataclass(frozen=True)
class Effort:
    """The effort to find openings.

    Each move is searched with `glance` visits, and those worth at most twice `margin` less than the
    best again with `visits`; those within `margin` are good. A win is worth 1.
    """

    glance: int = 100_000
    visits: int = 1_000_000
    margin: float = 0.03


@dataclass(frozen=True)
class OpeningLine:
    """Moves from the start of a game, where they lead, and which sides played only good ones."""

    moves: tuple[str, ...]
    position: LocalBoardsPosition
    sound: frozenset[Side] = frozenset(Side)


def worth(position: LocalBoardsPosition, move: str, visits: int) -> float:
    """Return what the side that plays a move, and no bonus move next, may expect, from 0 to 1."""
    bot = BoardsBot(nodes=visits, memory=_MEMORY)
    return 1 - bot.choose(position.play(move), _FOREVER, Random(0)).win_probability


def searched(effort: Effort, line: OpeningLine) -> Opening:
    """Return the good moves after a line, and what they are worth."""
    position = line.position
    moves = distinct((move, position.play(move)) for move in position.legal_moves())
    for visits, margin in ((effort.glance, 2 * effort.margin), (effort.visits, effort.margin)):
        worths = {move: worth(position, move, visits) for move in moves}
        best = max(worths.values())
        moves = [move for move in moves if worths[move] >= best - margin]
    good = sorted(moves, key=worths.__getitem__, reverse=True)
    return Opening(line.moves, {move: worths[move] for move in good})


def distinct(labelled: Iterable[tuple[Label, LocalBoardsPosition]]) -> list[Label]:
    """Return the labels of the positions that are not images of an earlier one."""
    firsts: list[Label] = []
    seen: set[LocalBoardsPosition] = set()
    for label, position in labelled:
        if position not in seen:
            firsts.append(label)
            seen.update(images_of(position))
    return firsts


def found(variant: str, effort: Effort, spread: Map = map) -> Iterator[Opening]:
    """Yield all openings of a variant by what searches say, those of fewer moves first."""
    lines, latest = [OpeningLine((), start_of(variant))], list[Opening]()
    for taken in range(PLIES):
        if taken:
            known = Openings(variant, latest)
            longer = continued(lines, known)
            lines = distinct((line, line.position) for line in longer)
        latest = []
        for opening in spread(partial(searched, effort), lines):
            latest.append(opening)
            yield opening


def continued(lines: Iterable[OpeningLine], known: Openings) -> Iterator[OpeningLine]:
    """Yield the lines one move longer that are to be searched."""
    for line in lines:
        before = line.position
        worths = known.worths(before)
        for move in before.legal_moves():
            sound = line.sound if move in worths else line.sound - {before.turn}
            after = before.play(move)
            if after.turn in sound:
                yield OpeningLine((*line.moves, move), after, sound)


def main(arguments: Sequence[str] | None = None) -> None:
    """Find openings as the command line asks, print them and write them to a file."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.learning.opening_search", description=__doc__
    )
    parser.add_argument("variant", choices=("ultimate", "extreme"))
    parser.add_argument("--glance", type=int, default=Effort.glance, help="visits at first")
    parser.add_argument("--visits", type=int, default=Effort.visits, help="of what is left")
    parser.add_argument("--margin", type=float, default=Effort.margin, help="of a win")
    parser.add_argument("--processes", type=int, help="how many at once (default: all)")
    parser.add_argument("--to", type=Path, help="where to write them (default: where they ship)")
    options = parser.parse_args(arguments)
    effort = Effort(options.glance, options.visits, options.margin)
    written = []
    context = get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as executor:
        for opening in found(options.variant, effort, executor.map):
            written.append(f"{opening.line()}\n")
            print(opening.line())
            sys.stdout.flush()
    (options.to or openings_path(options.variant)).write_text("".join(written), "ascii")


if __name__ == "__main__":
    main()
