"""The puzzles of ultimate and extreme that come with the engine."""

from collections import Counter
from dataclasses import replace

import pytest

from engine import Position
from engine.puzzles import Puzzle, Value, puzzles_of, refutation_of
from engine.puzzles.checking import faults
from engine.puzzles.local_boards import FEWEST_MOVES, turns_of
from engine.puzzles.model import Task

each_game = pytest.mark.parametrize("variant", ["ultimate", "extreme"])


def wins_at_once(puzzle: Puzzle) -> bool:
    return puzzle.before is Value.WIN and len(puzzle.line) == 1


def end_of(puzzle: Puzzle, *moves: str) -> Position:
    position = puzzle.position()
    for move in moves:
        position = position.play(move)
    return position


@each_game
def test_there_are_enough_of_every_grade_and_few_are_won_at_once(variant: str) -> None:
    puzzles = puzzles_of(variant)
    assert len(puzzles) >= 80
    assert 10 * sum(map(wins_at_once, puzzles)) <= len(puzzles)
    grades = Counter(puzzle.grade for puzzle in puzzles)
    assert min(grades[grade] for grade in range(1, 6)) >= 10


@each_game
def test_whatever_is_claimed_wrongly_is_refused(variant: str) -> None:
    puzzle = next(puzzle for puzzle in puzzles_of(variant) if puzzle.turns == 2)
    wrong = next(move for move in puzzle.position().legal_moves() if move not in puzzle.solutions)
    assert faults(puzzle) == []
    assert faults(replace(puzzle, solutions=(wrong,)))
    assert faults(replace(puzzle, solutions=(*puzzle.solutions, wrong)))
    assert faults(replace(puzzle, turns=1))
    assert faults(replace(puzzle, turns=3))
    assert faults(replace(puzzle, task=Task.SAVE))
    assert faults(replace(puzzle, before=Value.DRAW))
    assert faults(replace(puzzle, moves=puzzle.moves[:-1]))
    assert faults(replace(puzzle, moves=(*puzzle.moves, wrong)))


@each_game
def test_lines_lead_to_what_was_asked_for(variant: str) -> None:
    for puzzle in puzzles_of(variant):
        position = puzzle.position()
        assert puzzle.side is position.turn
        assert len(list(position.legal_moves())) >= FEWEST_MOVES
        assert puzzle.solutions == puzzle.line[:1]
        outcome = end_of(puzzle, *puzzle.line).outcome
        if puzzle.before is Value.WIN:
            assert outcome is not None
            assert outcome.winner is puzzle.side
        else:
            assert outcome is None or outcome.winner is None
        if puzzle.turns is not None:
            assert turns_of(position, puzzle.line, puzzle.side) == puzzle.turns


@each_game
def test_every_wrong_move_is_refuted_in_words(variant: str) -> None:
    for puzzle in puzzles_of(variant):
        for move in puzzle.position().legal_moves():
            if move in puzzle.solutions:
                continue
            refutation = refutation_of(puzzle, move)
            end = end_of(puzzle, move, *refutation.line)
            said = " ".join(map(str, refutation.sentences))
            assert said.startswith(move)
            if end.outcome is not None:
                assert end.outcome.winner is not puzzle.side
            else:
                assert puzzle.before is Value.WIN
                assert "lets the win slip" in said


def test_a_win_that_takes_the_bonus_move_is_not_called_a_win_at_once() -> None:
    this_turn = [puzzle for puzzle in puzzles_of("extreme") if puzzle.turns == 1]
    assert {len(puzzle.line) for puzzle in this_turn} == {1, 2}
    for puzzle in this_turn:
        has_bonus_move = len(puzzle.line) == 2
        assert ("with its bonus move" in str(puzzle.sentence())) == has_bonus_move
        assert ("at once" in str(puzzle.sentence())) != has_bonus_move
