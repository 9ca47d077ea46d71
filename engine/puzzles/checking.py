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
    return _images_after(variant, moves)[-1]


def alike(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Puzzle]]:
    """Yield the pairs of puzzles of one game whose positions are the same under a symmetry."""
    seen: dict[Position, Puzzle] = {}
    for puzzle in puzzles:
        images = images_of(puzzle.variant, puzzle.moves)
        earlier = next((seen[image] for image in images if image in seen), None)
        if earlier is not None:
            yield earlier, puzzle
        seen |= dict.fromkeys(images, puzzle)


def given_away(puzzles: Sequence[Puzzle]) -> Iterator[tuple[Puzzle, Puzzle]]:
    """Yield the pairs of puzzles of one game of which the first one's line meets the second.

    Whoever has solved the first has been shown the answer to the second, turned or mirrored at
    most.
    """
    asked = {puzzle.position(): puzzle for puzzle in puzzles}
    for puzzle in puzzles:
        for images in on_line(puzzle.variant, puzzle.moves, puzzle.line):
            yield from ((puzzle, asked[image]) for image in images if image in asked)


def on_line(
    variant: str, moves: Sequence[str], line: Sequence[str]
) -> Sequence[frozenset[Position]]:
    """Return the positions after each move of a line, as each symmetry of the game makes them.

    The line begins after `moves`.
    """
    return _images_after(variant, (*moves, *line))[len(moves) + 1 :]


def _images_after(variant: str, moves: Sequence[str]) -> Sequence[frozenset[Position]]:
    """Return the images of the start of a game, and of the position after each of its moves."""
    start = VARIANTS[variant].start
    prover, position = prover_of(variant), start
    images: Sequence[Position] = ()
    found = [frozenset([start])]
    for move in moves:
        moved = prover.images(position, move)
        images = [
            image.play(each)
            for image, each in zip(images or [start] * len(moved), moved, strict=True)
        ]
        found.append(frozenset(images))
        position = position.play(move)
    return found
