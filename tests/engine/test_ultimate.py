"""The rules of ultimate, one by one, and the words and pictures of a position."""

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import IllegalMove, InvalidMove, MoveError, Side
from engine.testing import refusal
from engine.variants.ultimate import ULTIMATE
from tests.support.engine.positions import (
    ALMOST_FULL,
    FULL,
    LINES,
    O_WON,
    PLACES,
    X_NEARLY,
    X_WON,
    cells_of,
    ultimate,
)
from tests.support.engine.slow_boards import expect_the_same_game

# Who may play where


@pytest.mark.parametrize("place", range(9), ids=PLACES)
def test_a_moves_place_names_the_board_where_the_opponent_must_play(place: int) -> None:
    move = cells_of(4)[place]
    after = ULTIMATE.start.play(move)
    assert after.turn is Side.O
    assert list(after.legal_moves()) == [cell for cell in cells_of(place) if cell != move]


@pytest.mark.parametrize("closed", [X_WON, O_WON, FULL], ids=["own", "lost", "full"])
def test_a_player_sent_to_a_closed_board_plays_in_any_open_one(closed: str) -> None:
    before = ultimate({0: closed, 8: FULL}, sent_to=4)
    after = before.play("d4")
    assert list(after.legal_moves()) == [
        cell for board in range(1, 8) for cell in cells_of(board) if cell != "d4"
    ]


@pytest.mark.parametrize(
    ("text", "move", "winner"),
    [
        ("XX. ... ...", "c1", "X"),
        ("... X.X ...", "b2", "X"),
        ("X.. X.. ...", "a3", "X"),
        ("..X .X. ...", "a3", "X"),
        ("O.. ... ..O", "b2", "O"),
    ],
    ids=["row", "middle of a row", "column", "diagonal", "other diagonal, by O"],
)
def test_three_in_a_row_win_a_local_board(text: str, move: str, winner: str) -> None:
    after = ultimate({0: text}, sent_to=0, turn=Side(winner)).play(move)
    assert (after.x_boards, after.o_boards) == ((1, 0) if winner == "X" else (0, 1))
    assert after.outcome is None


# How it ends


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize("side", list(Side), ids=str)
def test_three_local_boards_in_a_row_win(line: tuple[int, int, int], side: Side) -> None:
    first, second, last = line
    won, nearly = (X_WON, "XX. ... ...") if side is Side.X else (O_WON, "OO. ... ...")
    before = ultimate({first: won, second: won, last: nearly}, sent_to=last, turn=side)
    after = before.play(cells_of(last)[2])
    assert after.outcome is not None
    assert after.outcome.winner is side
    assert after.outcome.points == ((1, 0) if side is Side.X else (0, 1))
    assert str(after.outcome.reason) == (
        f"{side} has three small boards in a row: " + ", ".join(PLACES[board] for board in line)
    )
    assert list(after.legal_moves()) == []
    assert "~" not in after.diagram()


@pytest.mark.parametrize("third", [FULL, O_WON], ids=["full", "lost"])
def test_only_won_boards_make_a_line(third: str) -> None:
    after = ultimate({0: X_WON, 1: third, 2: X_NEARLY}, sent_to=2).play("g1")
    assert after.x_boards == 0b101
    assert after.outcome is None


def test_the_cell_that_fills_a_board_may_also_win_it() -> None:
    after = ultimate({0: ".XX XOO OOX"}, sent_to=0).play("a1")
    assert after.x_boards == 1


NO_LINE = {0: X_WON, 1: O_WON, 2: X_WON, 3: O_WON, 4: X_WON, 5: O_WON, 6: O_WON, 7: FULL}
"""Eight closed boards; in the ninth X could still finish a diagonal, and O nothing."""


def test_it_is_a_draw_when_no_move_is_left() -> None:
    after = ultimate({**NO_LINE, 8: ALMOST_FULL}, sent_to=8, turn=Side.O).play("g7")
    assert after.outcome is not None
    assert after.outcome.winner is None
    assert after.outcome.points == (0.5, 0.5)
    assert str(after.outcome.reason) == (
        "all nine small boards are closed and nobody has three in a row"
    )
    assert list(after.legal_moves()) == []


def test_it_is_a_draw_when_the_last_board_is_won_for_no_line() -> None:
    after = ultimate({**NO_LINE, 8: "OO. ... ..."}, sent_to=8, turn=Side.O).play("i7")
    assert after.outcome is not None
    assert after.outcome.winner is None


def test_the_last_board_may_still_win_the_game() -> None:
    after = ultimate({**NO_LINE, 8: X_NEARLY}, sent_to=8).play("g7")
    assert after.outcome is not None
    assert after.outcome.winner is Side.X


# Reading a move

NAME = "Name one cell by its column and row, like"


@pytest.mark.parametrize(
    "text", ["e5", "E5", " e5 ", "e5,", "e5;", "e 5", "5e", "5 E", "E5.", "e-5", "e/5"]
)
def test_a_cell_is_read_as_people_type_it(text: str) -> None:
    assert ULTIMATE.start.parse(text) == "e5"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("", InvalidMove, f"{NAME} g1"),
        ("the middle", InvalidMove, f"{NAME} g1"),
        ("e0", InvalidMove, f"{NAME} g1"),
        ("3", InvalidMove, f"3 is a row without a column. {NAME} g3"),
        ("E", InvalidMove, f"e is a column without a row. {NAME} g1"),
        ("e5 e6", InvalidMove, "A move is one cell, like g1"),
        ("j1", InvalidMove, "j1 is not on the board, which goes from a1 to i9"),
        ("A10", InvalidMove, "a10 is not on the board, which goes from a1 to i9"),
        ("H2", IllegalMove, "h2 is taken"),
        ("c3", IllegalMove, "c3 is in the top left board, which is closed"),
        (
            "i9",
            IllegalMove,
            "i9 is in the bottom right board, but you were sent to the top right board",
        ),
    ],
)
def test_a_refused_move_is_explained(text: str, error: type[MoveError], sentence: str) -> None:
    before = ultimate({0: X_WON, 2: "... .O. ..."}, sent_to=2)
    refused = refusal(before.parse, text)
    assert (type(refused), str(refused)) == (error, sentence)


@pytest.mark.parametrize(
    "text", ["centre", "Center", " the  middle.", "centre cell", "o centro", "中央", "正中間。"]
)
def test_who_names_the_centre_is_told_which_cell_that_is(text: str) -> None:
    for position, sentence in (
        (ULTIMATE.start, f"The cell in the centre is e5. {NAME} e5"),
        (ultimate({}, sent_to=0), f"The cell in the centre of the top left board is b2. {NAME} b2"),
    ):
        assert str(refusal(position.parse, text)) == sentence


# Pictures and words


def test_the_instruction_names_the_boards_that_may_be_played() -> None:
    assert str(ULTIMATE.start.instruction()) == "Play anywhere."
    assert str(ULTIMATE.start.play("c1").instruction()) == "Play in the top right board."
    nearly_over = ultimate({**NO_LINE, 6: "X.. ... ..."})
    assert str(nearly_over.instruction()) == "Play in any open board: bottom left, bottom right."
    over = ultimate({**NO_LINE, 8: X_NEARLY}, sent_to=8).play("g7")
    assert str(over.instruction()) == (
        "The game is over: X has three small boards in a row: top left, centre, bottom right."
    )


# Against the same rules, written another way


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 2**32))
def test_whole_games_agree_with_the_rules_written_another_way(seed: int) -> None:
    expect_the_same_game(ULTIMATE, seed)
