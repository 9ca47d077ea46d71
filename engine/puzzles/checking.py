"""Checking puzzles: each is proven again, and no two are rotations or reflections of each other."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from engine.game import MoveError
from engine.puzzles.grading import grade
from engine.puzzles.model import Puzzle
from engine.puzzles.proofs import prover_of
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.game import Position
    from engine.puzzles.proofs import Proven


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


def images_of(variant: str, moves: Sequence[str]) -> frozenset[Position]:
    """Return the position after some moves as each symmetry of the game makes it."""
    position = VARIANTS[variant].start
    images: list[Sequence[str]] = []
    for move in moves:
        images.append(position.images(move))
        position = position.play(move)
    if not images:
        return frozenset([position])
    return frozenset(map(VARIANTS[variant].replay, zip(*images, strict=True)))


def alike(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Puzzle]]:
    """Yield the pairs of puzzles of one game whose positions are the same under a symmetry."""
    seen: dict[Position, Puzzle] = {}
    for puzzle in puzzles:
        images = images_of(puzzle.variant, puzzle.moves)
        earlier = next((seen[image] for image in images if image in seen), None)
        if earlier is not None:
            yield earlier, puzzle
        seen |= dict.fromkeys(images, puzzle)
