"""The puzzles of each game: a file of JSON lines, read when it is asked for.

A line of a file is what `oxonaut puzzles export` prints, with the stored refutations. A
puzzle's number is its place in the file.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.game import Position, Side
from engine.messages import Message
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import prover_of
from engine.puzzles.registry import SOURCES


def puzzles_of(variant: str) -> Sequence[Puzzle]:
    """Return the puzzles of a game, by its key, in order; () if it has none.

    The same tuple is returned each time.
    """
    sources = SOURCES.get(variant)
    return () if sources is None else _puzzles_in(sources.file)


@cache
def _puzzles_in(file: Path) -> Sequence[Puzzle]:
    return tuple(map(from_json, file.read_text("utf-8").splitlines())) if file.is_file() else ()


def puzzle(variant: str, number: int) -> Puzzle | None:
    """Return a puzzle of a game by its number, from 1; None if there is none."""
    puzzles = puzzles_of(variant)
    return puzzles[number - 1] if 0 < number <= len(puzzles) else None


def refutation_of(puzzle: Puzzle, move: str) -> Refutation:
    """Return why a move that is legal in the puzzle's position is wrong.

    It takes milliseconds. Raises `ValueError` for a solution, and `InvalidMove` or `IllegalMove`,
    which are such errors too, for what is no legal move in canonical notation.
    """
    position = puzzle.position()
    position.play(move)
    if move in puzzle.solutions:
        raise ValueError(f"{move} is right")
    return prover_of(puzzle.variant).refutation(puzzle, position, move)


def idea_of(puzzle: Puzzle) -> Message:
    """Return the first hint to a puzzle: what to look for, in a sentence."""
    return prover_of(puzzle.variant).idea(puzzle, puzzle.position())


def area_of(puzzle: Puzzle) -> Message:
    """Return the second hint to a puzzle: where the right move is, in a sentence."""
    return prover_of(puzzle.variant).area(puzzle, puzzle.position())


def fault_of(variant: str, position: Position, move: str, better: str) -> tuple[Message, ...]:
    """Return what is wrong with a legal move if another is better, in sentences.

    () if the game, given by its key, has no prover, or the prover knows nothing to say.
    """
    return prover_of(variant).fault(position, move, better) if variant in SOURCES else ()


def exported(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as the contract of `oxonaut puzzles export` has it."""
    before = puzzle.before
    return {
        "variant": puzzle.variant,
        "number": puzzle.number,
        "moves": list(puzzle.moves),
        "side": puzzle.side.value,
        "task": puzzle.task.value,
        "turns": puzzle.turns,
        "sentence": str(puzzle.sentence()),
        "solutions": list(puzzle.solutions),
        "line": list(puzzle.line),
        "grade": puzzle.grade,
        "value": {
            "before": before.value if isinstance(before, Value) else before,
            "proof": puzzle.proof.value,
        },
    }


def to_json(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of its file."""
    refutations = {move: list(line) for move, line in puzzle.refutations.items()}
    data = exported(puzzle)
    del data["sentence"]
    return json.dumps(data | {"refutations": refutations}, separators=(",", ":"))


def from_json(line: str) -> Puzzle:
    """Return the puzzle that `to_json` wrote."""
    data = json.loads(line)
    before = data["value"]["before"]
    return Puzzle(
        variant=data["variant"],
        number=data["number"],
        moves=tuple(data["moves"]),
        side=Side(data["side"]),
        task=Task(data["task"]),
        turns=data["turns"],
        solutions=tuple(data["solutions"]),
        line=tuple(data["line"]),
        grade=data["grade"],
        before=Value(before) if isinstance(before, str) else before,
        proof=Proof(data["value"]["proof"]),
        refutations={move: tuple(line) for move, line in data["refutations"].items()},
    )
