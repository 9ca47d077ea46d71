"""Hints in two steps: what does not work, and then a part of what does."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from engine.game import message
from engine.puzzles import refutation_of

if TYPE_CHECKING:
    from engine import Message, Position
    from engine.puzzles import Puzzle, Refutation

_TRIED = 40
"""The number of wrong moves among which the most tempting is chosen."""


def temptation(puzzle: Puzzle, position: Position) -> Refutation | None:
    """Return why the most tempting wrong move is wrong, None if there is no wrong move.

    It is the one whose refutation is the longest line: the farther one must look to see that a move
    fails, the longer it looks right.
    """
    kept = tuple(puzzle.refutations)
    wrong = kept or _wrong_moves(puzzle, position)
    refutations = (refutation_of(puzzle, move) for move in wrong)
    return max(refutations, key=lambda refutation: len(refutation.line), default=None)


def part_of_solution(puzzle: Puzzle, position: Position) -> Message:
    """Return a part of the right move, in a sentence without a final full stop.

    If the right move has only one part, it says where on the board that is.
    """
    move = puzzle.solutions[0]
    cell, equals, number = move.partition("=")
    if equals:
        return message("The right number is {number}", number=number)
    first, plus, _second = cell.partition("+")
    if plus:
        return message("{cell} is one of the two", cell=first)
    effect = position.effect(move)
    if effect is not None:
        return message("What the right move does: {effect}", effect=effect)
    return message("The right move is in column {column}", column=cell.rstrip("0123456789"))


def _wrong_moves(puzzle: Puzzle, position: Position) -> tuple[str, ...]:
    # The same ones each time, of those that a search would think of.
    moves = position.promising_moves(_TRIED, Random(puzzle.number))
    return tuple(islice((move for move in moves if move not in puzzle.solutions), _TRIED))
