"""Moves of extreme as they are read and refused, and positions in words and pictures."""

from collections.abc import Iterable, Mapping

import pytest

from engine.game import IllegalMove, InvalidMove, MoveError
from engine.testing import refusal
from engine.variants.extreme import EXTREME
from tests.support.engine.positions import FULL, O_WON, X_WON, extreme, words

# Reading a move

NAME = "Name one cell by its column and row, like"


@pytest.mark.parametrize("text", ["n5", "N5", " n5 ", "n5,", "n 5", "5n", "N5.", "n-5"])
def test_a_cell_is_read_as_people_type_it(text: str) -> None:
    assert EXTREME.start.parse(text) == "n5"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("", InvalidMove, f"{NAME} q2"),
        ("board 2", InvalidMove, f"{NAME} q2"),
        (
            "centre",
            InvalidMove,
            f"The cell in the centre of the top right board of board 2 is q2. {NAME} q2",
        ),
        ("e5 n5", InvalidMove, "A move is one cell, like q2"),
        ("s1", InvalidMove, "s1 is not on the board, which goes from a1 to r9"),
        ("r10", InvalidMove, "r10 is not on the board, which goes from a1 to r9"),
        ("H2", IllegalMove, "h2 is taken"),
        ("l3", IllegalMove, "l3 is in the top left board of board 2, which is closed"),
        (
            "i9",
            IllegalMove,
            (
                "i9 is in the bottom right board of board 1, "
                "but you were sent to the top right board of board 1 or of board 2"
            ),
        ),
    ],
)
def test_a_refused_move_is_explained(text: str, error: type[MoveError], sentence: str) -> None:
    before = extreme({9: X_WON, 2: "... .O. ..."}, sent_to=(2, 11))
    refused = refusal(before.parse, text)
    assert (type(refused), str(refused)) == (error, sentence)


def test_a_player_sent_to_one_board_is_told_which() -> None:
    before = extreme({2: FULL}, sent_to=(11,))
    with pytest.raises(IllegalMove, match=r"sent to the top right board of board 2$"):
        before.parse("a1")


# Pictures and words


def test_a_position_in_words() -> None:
    boards = {0: X_WON, 2: FULL, 3: "X.. ... ...", 8: "X.. .O. ..X"}
    assert words(extreme(boards, sent_to=(4, 13)).describe()) == [
        "The top left board of board 1 is won by X.",
        "The top right board of board 1 is full and counts for nobody.",
        "In the middle left board of board 1 X has a4.",
        "In the bottom right board of board 1 X has g7, i9 and O has h8.",
        "Empty boards of board 1: top centre, centre, middle right, bottom left, bottom centre.",
        "Board 2 is empty.",
        "Play in the centre board of board 1 or of board 2.",
    ]


def test_a_big_board_without_empty_small_boards_is_described_without_them() -> None:
    shown = words(extreme({**dict.fromkeys(range(9), FULL), 17: O_WON}, sent_to=(10,)).describe())
    assert shown[8] == "The bottom right board of board 1 is full and counts for nobody."
    assert shown[9] == "The bottom right board of board 2 is won by O."
    assert shown[10].startswith("Empty boards of board 2: top left, top centre,")


@pytest.mark.parametrize(
    ("boards", "sent_to", "sentence"),
    [
        ({}, (), "Play anywhere."),
        ({}, (2, 11), "Play in the top right board of board 1 or of board 2."),
        ({}, (2,), "Play in the top right board of board 1."),
        ({}, (11,), "Play in the top right board of board 2."),
        (
            {},
            (0, 1, 17),
            (
                "Play in any open board of board 1 (top left, top centre) "
                "or of board 2 (bottom right)."
            ),
        ),
        ({}, (0, 1), "Play in any open board of board 1: top left, top centre."),
        ({}, (9, 10), "Play in any open board of board 2: top left, top centre."),
        ({}, (0, 10), "Play in any open board of board 1 (top left) or of board 2 (top centre)."),
        ({}, tuple(range(1, 11)), "Play in any open board of board 1 or of board 2."),
    ],
)
def test_the_instruction_names_the_boards_that_may_be_played(
    boards: Mapping[int, str], sent_to: Iterable[int], sentence: str
) -> None:
    plain = extreme(boards, sent_to=sent_to)
    assert str(plain.instruction()) == sentence
    if sent_to:
        bonus = extreme(boards, sent_to=sent_to, bonus=True)
        assert str(bonus.instruction()) == f"Bonus move: play{sentence.removeprefix('Play')}"
