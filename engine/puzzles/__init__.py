"""Puzzles: positions with one right way on, each proven.

>>> from engine.puzzles import puzzle, refutation_of
>>> first = puzzle("numeric", 1)
>>> first.position().play(first.solutions[0]).turn is first.side.other
True
"""

from engine.puzzles.collection import (
    area_of,
    exported,
    fault_of,
    idea_of,
    puzzle,
    puzzles_of,
    refutation_of,
)
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.registry import PuzzleSources, register, unregister

__all__ = [
    "Proof",
    "Puzzle",
    "PuzzleSources",
    "Refutation",
    "Task",
    "Value",
    "area_of",
    "exported",
    "fault_of",
    "idea_of",
    "puzzle",
    "puzzles_of",
    "refutation_of",
    "register",
    "unregister",
]
