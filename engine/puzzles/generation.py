"""Finding puzzles: the game's prover examines positions of bots' games.

The puzzles are varied: at most three tenths have the same task and need an equally long look, and
at most one tenth if it is enough to see one own turn.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from random import Random
from typing import TypeAlias

from engine.bots.registry import level
from engine.game import Position
from engine.puzzles.checking import images_of, on_line, proven_puzzle
from engine.puzzles.model import Puzzle, Task
from engine.puzzles.proofs import Proven, prover_of
from engine.puzzles.registry import sources_of
from engine.variants import VARIANTS

Kind: TypeAlias = tuple[Task, int | None, int]
"""The task, its number of turns, and the depth to look ahead."""

_LEVELS = ("novice", "casual", "club")
_RANDOM = 0.3
"""The probability of a random move in these games, since good players blunder too little."""

_SECONDS = 0.05
_LONGEST = 60
"""The number of moves after which a game is left unfinished."""

_FEWEST_MOVES = 3
"""With fewer moves to choose from a position is no puzzle."""


def positions(variant: str, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield, without ever ending, the moves to positions that may make puzzles."""
    module = sources_of(variant).positions
    if module is None:
        return positions_of_bots(variant, rng)
    found: Iterator[tuple[str, ...]] = import_module(module).positions(variant, rng)
    return found


def positions_of_bots(variant: str, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield the moves to one position of each of many games between weak bots."""
    while True:
        moves = _game_of_bots(variant, rng)
        yield tuple(moves[: rng.randrange(len(moves))])


def _game_of_bots(variant: str, rng: Random) -> list[str]:
    position: Position = VARIANTS[variant].start
    players = {
        side: level(variant, rng.choice(_LEVELS)).bot for side in VARIANTS[variant].side_names
    }
    moves: list[str] = []
    while position.outcome is None and len(moves) < _LONGEST:
        if rng.random() < _RANDOM:
            move = position.random_move(rng)
        else:
            move = players[position.turn].choose(position, _SECONDS, rng).move
        moves.append(move)
        position = position.play(move)
    return moves


@dataclass(frozen=True)
class Found:
    """A position that makes a puzzle, with its proof."""

    moves: tuple[str, ...]
    position: Position
    proven: Proven


def find(variant: str, kept: Sequence[Puzzle], count: int, rng: Random) -> Iterator[Found | None]:
    """Yield positions that make puzzles, until there are `count` with the known ones.

    None of them is the same as another, or as a known one, turned or mirrored, and none lies
    on the solution of another. For a position that makes none, None is yielded, so that the caller
    can stop at any time.
    """
    prover = prover_of(variant)
    asked = {image for puzzle in kept for image in images_of(variant, puzzle.moves)}
    seen = {
        image for puzzle in kept for image in _shown_by(variant, puzzle.moves, puzzle.line)
    } | asked
    kinds: Counter[Kind] = Counter()
    missing = count - len(kept)
    sources = positions(variant, rng)
    while missing > 0:
        moves = next(sources)
        position = VARIANTS[variant].replay(moves)
        proven = None
        if prover.state(position) not in seen and _has_choice(position):
            seen |= images_of(variant, moves)
            proven = prover.prove(position)
        if proven is None or kinds[_kind(proven)] >= _most(proven, count):
            yield None
            continue
        shown = _shown_by(variant, moves, proven.line)
        if not asked.isdisjoint(shown):
            yield None
            continue
        asked |= images_of(variant, moves)
        seen |= shown
        kinds[_kind(proven)] += 1
        missing -= 1
        yield Found(moves, position, proven)


def _shown_by(variant: str, moves: Sequence[str], line: Sequence[str]) -> frozenset[Hashable]:
    """Return the states that a puzzle's line shows, and their images."""
    return frozenset().union(*on_line(variant, moves, line))


def numbered(variant: str, found: Iterable[Found], first: int) -> list[Puzzle]:
    """Return the puzzles that were found, numbered from `first` on, the easiest first."""
    puzzles = [
        (each, proven_puzzle(variant, 0, each.moves, each.position, each.proven)) for each in found
    ]
    puzzles.sort(key=lambda pair: (pair[1].grade, pair[0].proven.look, pair[0].proven.tempting))
    return [replace(puzzle, number=number) for number, (_, puzzle) in enumerate(puzzles, first)]


def _has_choice(position: Position) -> bool:
    if position.outcome is not None:
        return False
    moves = zip(range(_FEWEST_MOVES), position.legal_moves(), strict=False)
    return len([*moves]) == _FEWEST_MOVES


def _kind(proven: Proven) -> Kind:
    return proven.task, proven.turns, proven.look


def _most(proven: Proven, count: int) -> int:
    """Return the largest number of puzzles of one kind among `count`."""
    return max(1, count // 10 if proven.look == 1 else 3 * count // 10)
