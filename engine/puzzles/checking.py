"""Checking puzzles: each is proven again, and no two are rotations or reflections of each other."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import fields

from engine.game import MoveError, Position
from engine.puzzles.grading import grade
from engine.puzzles.model import Puzzle
from engine.puzzles.proofs import Proven, prover_of
from engine.variants import VARIANTS


def proven_puzzle(
    variant: str, number: int, moves: Sequence[str], position: Position, proven: Proven
) -> Puzzle:
    """Return the puzzle that a proof makes of the position after some moves."""
    return Puzzle(
        variant=variant,
        number=number,
        moves=tuple(moves),
        side=position.turn,
        task=proven.task,
        turns=proven.turns,
        solutions=proven.solutions,
        line=proven.line,
        grade=grade(proven.look, proven.tempting),
        before=proven.before,
        proof=proven.proof,
        refutations=proven.refutations,
    )


def faults(puzzle: Puzzle) -> list[str]:
    """Prove a puzzle again, and return its faults as English sentences."""
    try:
        position = puzzle.position()
    except MoveError as error:
        return [str(error)]
    if position.outcome is not None:
        return ["The game is over"]
    proven = prover_of(puzzle.variant).prove(position)
    if proven is None:
        return ["The position makes no puzzle"]
    proven_again = proven_puzzle(puzzle.variant, puzzle.number, puzzle.moves, position, proven)
    return [
        f"{field.name} is {getattr(proven_again, field.name)!r} by the proof,"
        f" not {getattr(puzzle, field.name)!r}"
        for field in fields(Puzzle)
        if getattr(proven_again, field.name) != getattr(puzzle, field.name)
    ]


def images_of(variant: str, moves: Sequence[str]) -> frozenset[Hashable]:
    """Return the state after some moves as each symmetry of the game makes it.

    Positions of the same state are one puzzle, see `Prover.state`.
    """
    return _images_after(variant, moves)[-1]


def alike(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Puzzle]]:
    """Yield the pairs of puzzles of one game whose states are the same under a symmetry."""
    seen: dict[Hashable, Puzzle] = {}
    for puzzle in puzzles:
        images = images_of(puzzle.variant, puzzle.moves)
        earlier = next((seen[image] for image in images if image in seen), None)
        if earlier is not None:
            yield earlier, puzzle
        seen |= dict.fromkeys(images, puzzle)


def given_away(puzzles: Sequence[Puzzle]) -> Iterator[tuple[Puzzle, Puzzle]]:
    """Yield the pairs of puzzles of one game of which the first one's line shows the second's.

    Either the line meets the second puzzle, turned or mirrored at most; or the second comes later
    in the same game, and its line is the end of the first one's.
    """
    asked = {prover_of(each.variant).state(each.position()): each for each in puzzles}
    for puzzle in puzzles:
        images = frozenset().union(*on_line(puzzle.variant, puzzle.moves, puzzle.line))
        met = [asked[image] for image in images if image in asked]
        yield from ((puzzle, each) for each in met)
        yield from (
            (puzzle, each) for each in puzzles if each not in met and _ends_as(puzzle, each)
        )


def _ends_as(puzzle: Puzzle, later: Puzzle) -> bool:
    """Return whether a line ends as that of a puzzle that comes later in the same game."""
    return (
        len(puzzle.moves) < len(later.moves)
        and puzzle.moves == later.moves[: len(puzzle.moves)]
        and later.line == puzzle.line[-len(later.line) :]
    )


def on_line(
    variant: str, moves: Sequence[str], line: Sequence[str]
) -> Sequence[frozenset[Hashable]]:
    """Return the states after each move of a line, as each symmetry of the game makes them.

    The line begins after `moves`.
    """
    return _images_after(variant, (*moves, *line))[len(moves) + 1 :]


def _images_after(variant: str, moves: Sequence[str]) -> Sequence[frozenset[Hashable]]:
    """Return the images of the start of a game, and of the state after each of its moves."""
    start = VARIANTS[variant].start
    prover, position = prover_of(variant), start
    images: Sequence[Position] = ()
    found = [frozenset([prover.state(start)])]
    for move in moves:
        moved = prover.images(position, move)
        images = [
            image.play(each)
            for image, each in zip(images or [start] * len(moved), moved, strict=True)
        ]
        found.append(frozenset(map(prover.state, images)))
        position = position.play(move)
    return found
