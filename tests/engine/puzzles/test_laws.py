"""Laws of every puzzle that comes with the engine, of whichever game."""

from itertools import islice

import pytest

from engine import VARIANTS, Position, Side
from engine.puzzles import (
    Proof,
    Puzzle,
    Task,
    Value,
    area_of,
    exported,
    idea_of,
    puzzle,
    puzzles_of,
    refutation_of,
)
from engine.puzzles.checking import alike, given_away
from engine.puzzles.collection import from_json, to_json
from tests.support.luck import fresh_luck

WITH_PUZZLES = [key for key in VARIANTS if puzzles_of(key)]

AT_LEISURE = [
    pytest.param(key, marks=[pytest.mark.slow] if key == "extreme" else []) for key in WITH_PUZZLES
]
"""All of these, for what takes seconds with the larger boards of extreme."""

FEWEST = {"numeric": 90, "quantum": 90, "tinc": 90, "ultimate": 80, "extreme": 80}
"""The least number of puzzles."""

LOOKED_AT = 6
"""The number of wrong moves of a puzzle checked in a run: a position of tinc has thousands."""


def end_of(position: Position, moves: tuple[str, ...]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def own_turns(one: Puzzle) -> int:
    """Return how many turns of its line are the solver's; moves in a row are one turn."""
    turns, mover = 0, None
    position = one.position()
    for move in one.line:
        turns += position.turn is one.side and mover is not one.side
        mover = position.turn
        position = position.play(move)
    return turns


def brought(position: Position, side: Side) -> float | None:
    return None if position.outcome is None else position.outcome.value_for(side)


@pytest.mark.parametrize("variant", FEWEST)
def test_there_are_enough_puzzles_of_each_game(variant: str) -> None:
    assert len(puzzles_of(variant)) >= FEWEST[variant]


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_puzzles_are_numbered_from_one_and_found_by_their_numbers(variant: str) -> None:
    puzzles = puzzles_of(variant)
    assert [each.number for each in puzzles] == [*range(1, len(puzzles) + 1)]
    assert puzzle(variant, 1) is puzzles[0]
    assert puzzle(variant, 0) is None
    assert puzzle(variant, len(puzzles) + 1) is None
    grades = [each.grade for each in puzzles]
    assert grades == sorted(grades), "the easiest come first"


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_LEISURE)
def test_no_two_puzzles_are_the_same_turned_or_mirrored(variant: str) -> None:
    assert [*alike(puzzles_of(variant))] == []


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_LEISURE)
def test_no_solution_of_a_puzzle_shows_the_answer_to_another(variant: str) -> None:
    assert [*given_away(puzzles_of(variant))] == []


def test_a_game_has_made_enough_moves_to_be_worked_out_by_a_person() -> None:
    for one in puzzles_of("quantum"):
        assert sum("+" in move for move in one.moves) >= 4, one.number


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_a_task_says_when_several_moves_are_right(variant: str) -> None:
    for one in puzzles_of(variant):
        says_so = f"{len(one.solutions)} moves do that" in str(one.sentence())
        assert says_so is (len(one.solutions) > 1), one.number


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_every_win_says_in_how_many_turns(variant: str) -> None:
    assert all(one.task in {Task.WIN_IN, Task.SAVE} for one in puzzles_of(variant))


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_no_kind_of_puzzle_crowds_out_the_others(variant: str) -> None:
    puzzles = puzzles_of(variant)
    at_once = [each for each in puzzles if each.turns == 1]
    assert len(at_once) <= len(puzzles) / 10
    kinds = [(each.task, each.turns, each.grade) for each in puzzles]
    assert max(map(kinds.count, kinds)) <= len(puzzles) / 2


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_a_puzzle_is_a_running_game_with_legal_solutions(variant: str) -> None:
    for one in puzzles_of(variant):
        position = one.position()
        assert position.outcome is None
        assert position.turn is one.side
        assert one.solutions
        for move in one.solutions:
            assert position.parse(move) == move
        assert one.grade in range(1, 6)
        assert len([*islice(position.legal_moves(), 3)]) == 3
        assert str(one.sentence()).endswith(".")
        assert VARIANTS[one.variant].side_name(one.side).render() in str(one.sentence())


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_the_line_begins_with_a_solution_and_ends_as_the_task_says(variant: str) -> None:
    for one in puzzles_of(variant):
        assert one.line[0] in one.solutions
        end = end_of(one.position(), one.line)
        value = brought(end, one.side)
        if one.task in {Task.WIN, Task.WIN_IN, Task.WIN_INSIDE}:
            assert end.outcome is not None
            assert end.outcome.winner is one.side
        if one.turns is not None:
            assert own_turns(one) == one.turns
        if one.task is Task.SAVE:
            assert value is None or value == 0.5
        if one.task is Task.WIN_POINTS:
            assert value == 0.75
        if one.task is Task.SAVE_POINTS:
            assert value == 0.25


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_what_a_puzzle_is_worth_fits_its_task(variant: str) -> None:
    for one in puzzles_of(variant):
        if one.task in {Task.WIN, Task.WIN_IN}:
            assert one.before is Value.WIN
        elif one.task is Task.SAVE:
            assert one.before is Value.DRAW
        else:
            assert isinstance(one.before, float)
        if one.variant in {"numeric", "quantum"}:
            assert one.proof is Proof.EXACT


@pytest.mark.slow
@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_every_wrong_move_is_refuted_by_a_legal_line_in_words(variant: str) -> None:
    for one in puzzles_of(variant):
        print(f"{one.variant} {one.number}")
        position = one.position()
        wrong = [move for move in islice(position.legal_moves(), 5000) if move not in one.solutions]
        for move in fresh_luck().sample(wrong, min(len(wrong), LOOKED_AT)):
            refutation = refutation_of(one, move)
            after = position.play(move)
            assert refutation.line or after.outcome is not None, move
            end = end_of(after, refutation.line)
            assert refutation.reply == (refutation.line[0] if refutation.line else None)
            shown = " ".join(map(str, refutation.sentences))
            assert shown.startswith(move), shown
            assert shown.endswith("."), shown
            assert refutation.reply is None or refutation.reply in shown, shown
            if variant == "tinc" and after.reach > position.reach:
                now = "+".join(position.marked_by(move))
                assert shown.startswith(f"{move} (now {now}) "), shown
            value = brought(end, one.side)
            if one.task is Task.SAVE:
                assert value is not None, (move, refutation.line)
                assert value < 0.5, (move, refutation.line)
            elif one.before is Value.WIN:
                assert value is None or value < 1, (move, refutation.line)
            elif one.task is Task.WIN_POINTS:
                assert value is not None, move
                assert value < 0.75, (move, refutation.line)
            elif one.task is Task.SAVE_POINTS:
                assert value == 0, (move, refutation.line)


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_hints_are_sentences_that_name_no_move(variant: str) -> None:
    for one in puzzles_of(variant):
        for hint in (idea_of(one), area_of(one)):
            assert str(hint).endswith("."), one.number
            assert not any(move in str(hint) for move in one.solutions), one.number


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_a_solution_has_no_refutation_and_no_more_has_what_is_illegal(variant: str) -> None:
    one = puzzles_of(variant)[0]
    with pytest.raises(ValueError, match="is right"):
        refutation_of(one, one.solutions[0])
    with pytest.raises(ValueError, match=r"."):
        refutation_of(one, "z99")


@pytest.mark.parametrize("variant", WITH_PUZZLES)
def test_a_puzzle_is_read_as_it_was_written(variant: str) -> None:
    for one in puzzles_of(variant):
        assert from_json(to_json(one)) == one
        data = exported(one)
        assert data["number"] == one.number
        assert data["value"]["before"] in ("win", "draw", "loss") or isinstance(one.before, float)
