"""Puzzles of ultimate and extreme in words: their tasks, and why a wrong move is wrong."""

from collections import Counter

import pytest

from engine import VARIANTS
from engine.puzzles import puzzles_of
from engine.puzzles.local_boards_words import refutation_in_words
from tests.support.engine.positions import ALMOST_FULL, FULL, O_WON, extreme, ultimate, words

O_NEARLY = "OO. XX. ..."
"""O wins it in the top right cell."""


def test_a_reply_that_wins_is_explained_by_its_local_board_and_its_line() -> None:
    position = ultimate({0: O_WON, 3: O_WON, 6: O_NEARLY}, sent_to=5)
    refutation = refutation_in_words(position, "g6", ["c7"])
    assert refutation.reply == "c7"
    assert words(refutation.sentences) == [
        "g6 lets O reply c7.",
        "That wins the bottom left board, and with it the left column.",
    ]


def test_a_reply_that_wins_by_its_bonus_move_is_explained_with_it() -> None:
    position = extreme({0: O_WON, 3: O_WON, 6: O_NEARLY, 10: "O.. O.. ..."}, sent_to=[5])
    refutation = refutation_in_words(position, "h4", ["m3", "c7"])
    assert words(refutation.sentences) == [
        "h4 loses.",
        "O's reply m3 takes the top centre board of board 2, and earns a bonus move.",
        "Then c7 wins the bottom left board of board 1, and with it the left column.",
    ]


def test_a_win_that_takes_longer_is_explained_by_where_it_leads() -> None:
    position = ultimate({0: O_WON, 3: O_WON, 6: O_NEARLY}, sent_to=5)
    refutation = refutation_in_words(position, "h5", ["e4", "e2", "e6", "d9", "c7"])
    assert words(refutation.sentences) == [
        "h5 loses.",
        "O's reply e4 sends X to the top centre board.",
        "After that O wins whatever you play.",
        "Here c7 wins the bottom left board, and with it the left column.",
    ]


def test_a_reply_that_keeps_the_draw_only_lets_the_win_slip() -> None:
    position = ultimate({0: O_WON, 3: O_WON, 6: O_NEARLY}, sent_to=5)
    refutation = refutation_in_words(position, "h5", ["e6"])
    assert words(refutation.sentences) == [
        "h5 lets the win slip.",
        "O's reply e6 sends X to the bottom centre board.",
        "After that you cannot force three in a row.",
    ]


def test_a_move_that_ends_the_game_needs_no_reply() -> None:
    position = ultimate(dict.fromkeys(range(8), FULL) | {8: ALMOST_FULL})
    refutation = refutation_in_words(position, "g7", [])
    assert refutation.reply is None
    (said,) = words(refutation.sentences)
    assert said == (
        "g7 ends the game in a draw: all nine small boards are closed and nobody has three in a"
        " row."
    )


def test_a_bonus_move_that_does_not_help_either_is_mentioned_before_the_reply() -> None:
    position = extreme({0: "XX. OO. ..."}, sent_to=[0])
    refutation = refutation_in_words(position, "c1", ["g1", "j1"])
    assert words(refutation.sentences) == [
        "c1 lets the win slip, even with the bonus move g1.",
        "O's reply j1 sends X to the top left board of board 2.",
        "After that you cannot force three in a row.",
    ]


def test_another_game_has_other_words() -> None:
    with pytest.raises(TypeError):
        refutation_in_words(VARIANTS["numeric"].start, "b2=5", [])


def test_a_win_that_takes_the_bonus_move_is_not_called_a_win_at_once() -> None:
    this_turn = [puzzle for puzzle in puzzles_of("extreme") if puzzle.turns == 1]
    assert {len(puzzle.line) for puzzle in this_turn} == {1, 2}
    for puzzle in this_turn:
        has_bonus_move = len(puzzle.line) == 2
        assert ("with its bonus move" in str(puzzle.sentence())) == has_bonus_move
        assert ("at once" in str(puzzle.sentence())) != has_bonus_move


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_there_are_puzzles_of_every_grade(variant: str) -> None:
    grades = Counter(puzzle.grade for puzzle in puzzles_of(variant))
    assert min(grades[grade] for grade in range(1, 6)) >= 10
