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
    words,
)
from tests.support.engine.slow_boards import expect_the_same_game

# Who may play where


def test_x_starts_in_any_of_the_81_cells() -> None:
    assert ULTIMATE.start.turn is Side.X
    assert sorted(ULTIMATE.start.legal_moves()) == sorted(
        column + row for column in "abcdefghi" for row in "123456789"
    )


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


def test_the_winner_of_a_board_who_sends_there_at_once_sends_to_a_closed_board() -> None:
    after = ultimate({0: X_NEARLY}, sent_to=0).play("a1")
    assert after.turn is Side.O
    assert list(after.legal_moves()) == [cell for board in range(1, 9) for cell in cells_of(board)]


def test_a_won_board_is_closed_though_cells_are_empty() -> None:
    after = ultimate({0: X_NEARLY}, sent_to=0).play("a1")
    with pytest.raises(IllegalMove, match=r"^c3 is in the top left board, which is closed$"):
        after.play("c3")


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


def test_a_full_unwon_board_counts_for_nobody() -> None:
    after = ultimate({0: X_WON, 1: X_WON, 2: ALMOST_FULL}, sent_to=2).play("g1")
    assert after.x_boards == 0b011
    assert after.o_boards == 0
    assert after.closed == 0b111
    assert after.outcome is None
    assert "The top right board is full and counts for nobody." in words(after.describe())


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


@pytest.mark.parametrize(
    "text", ["e5", "E5", " e5 ", "e5,", "e5;", "e 5", "5e", "5 E", "E5.", "e-5", "e/5"]
)
def test_a_cell_is_read_as_people_type_it(text: str) -> None:
    assert ULTIMATE.start.parse(text) == "e5"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("", InvalidMove, "Name one cell by its column and row, like g1"),
        ("the middle", InvalidMove, "Name one cell by its column and row, like g1"),
        ("e0", InvalidMove, "Name one cell by its column and row, like g1"),
        (
            "3",
            InvalidMove,
            "3 is a row without a column. Name one cell by its column and row, like g3",
        ),
        (
            "E",
            InvalidMove,
            "e is a column without a row. Name one cell by its column and row, like g1",
        ),
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
        (
            ULTIMATE.start,
            "The cell in the centre is e5. Name one cell by its column and row, like e5",
        ),
        (
            ultimate({}, sent_to=0),
            (
                "The cell in the centre of the top left board is b2. "
                "Name one cell by its column and row, like b2"
            ),
        ),
    ):
        assert str(refusal(position.parse, text)) == sentence


def test_no_cell_can_be_played_when_the_game_is_over() -> None:
    over = ultimate({0: X_WON, 1: X_WON, 2: X_NEARLY}, sent_to=2).play("g1")
    for attempt in (over.parse, over.play):
        with pytest.raises(IllegalMove, match=r"^The game is over$"):
            attempt("e5")


def test_play_takes_the_canonical_notation_alone() -> None:
    with pytest.raises(InvalidMove, match=r"^Write the move as e5$"):
        ULTIMATE.start.play("E5")
    with pytest.raises(InvalidMove, match=r"^Name one cell"):
        ULTIMATE.start.play("?")


def test_replay_says_which_move_is_wrong_and_why() -> None:
    with pytest.raises(IllegalMove, match=r"^Move 2, e5: e5 is taken$"):
        ULTIMATE.replay(["e5", "e5"])


# Pictures and words


SAMPLE = {
    0: ".X. .O. ...",
    1: "... .X. O..",
    2: "... .O. ...",
    3: "... X.. ...",
    4: "X.. .X. ..X",
    5: "... .O. ...",
    6: "... .O. ..X",
    7: "... .O. ...",
    8: "X.. ... ...",
}


SAMPLE_DIAGRAM = r"""
      a b c   d e f   g h i
 1    . X .   . . .   ~ ~ ~
 2    . O .   . X .   ~ O ~
 3    . . .   O . .   ~ ~ ~

 4    . . .   \   /   . . .
 5    X . .     X     . O .
 6    . . .   /   \   . . .

 7    . . .   . . .   X . .
 8    . O .   . O .   . . .
 9    . . X   . . .   . . .
""".strip("\n")

LARGE_DIAGRAM = r"""
      a b c   d e f   g h i
 1     .-.    ~ ~ ~   \   /
 2    (   )   ~ ~ ~     X
 3     '-'    ~ ~ ~   /   \

 4    ~ ~ ~   X O X   ~ ~ ~
 5    ~ ~ ~   X O O   ~ ~ ~
 6    ~ ~ ~   O X X   ~ ~ ~

 7    \   /   ~ ~ ~    .-.
 8      X     ~ ~ ~   (   )
 9    /   \   ~ ~ ~    '-'
""".strip("\n")


def test_the_diagram_marks_the_cells_open_now_apart_from_the_others() -> None:
    assert ultimate(SAMPLE, sent_to=2).diagram() == SAMPLE_DIAGRAM


def test_a_won_board_is_drawn_large() -> None:
    boards = {0: O_WON, 2: X_WON, 6: X_WON, 8: O_WON, 4: FULL}
    assert ultimate(boards).diagram() == LARGE_DIAGRAM


def test_a_position_in_words() -> None:
    boards = {0: X_WON, 1: O_WON, 2: FULL, 3: "X.. ... ...", 4: "... .O. ...", 5: "X.. .O. ..X"}
    assert words(ultimate(boards, sent_to=8).describe()) == [
        "The top left board is won by X.",
        "The top centre board is won by O.",
        "The top right board is full and counts for nobody.",
        "In the middle left board X has a4.",
        "In the centre board O has e5.",
        "In the middle right board X has g4, i6 and O has h5.",
        "The bottom left board is empty.",
        "The bottom centre board is empty.",
        "The bottom right board is empty.",
        "Play in the bottom right board.",
    ]


def test_the_instruction_names_the_boards_that_may_be_played() -> None:
    assert str(ULTIMATE.start.instruction()) == "Play anywhere."
    assert str(ULTIMATE.start.play("c1").instruction()) == "Play in the top right board."
    nearly_over = ultimate({**NO_LINE, 6: "X.. ... ..."})
    assert str(nearly_over.instruction()) == "Play in any open board: bottom left, bottom right."
    over = ultimate({**NO_LINE, 8: X_NEARLY}, sent_to=8).play("g7")
    assert str(over.instruction()) == (
        "The game is over: X has three small boards in a row: top left, centre, bottom right."
    )


# Values


def test_two_ways_to_one_position_are_equal_and_hash_alike() -> None:
    one = ULTIMATE.replay(["d4", "b2", "f4", "h2"])
    other = ULTIMATE.replay(["f4", "h2", "d4", "b2"])
    assert one == other
    assert len({one, other, ULTIMATE.start}) == 2


# Against the same rules, written another way


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 2**32))
def test_whole_games_agree_with_the_rules_written_another_way(seed: int) -> None:
    expect_the_same_game(ULTIMATE, seed)
