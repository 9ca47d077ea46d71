"""The rules of extreme, one by one."""

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import IllegalMove, Side
from engine.variants.extreme import EXTREME
from tests.support.engine.positions import (
    ALMOST_FULL,
    FULL,
    LINES,
    O_WON,
    PLACES,
    X_NEARLY,
    X_WON,
    cells_of,
    cells_of_all,
    extreme,
    words,
)
from tests.support.engine.slow_boards import expect_the_same_game

# The correspondence rule


@pytest.mark.parametrize("board", [4, 13], ids=["from board 1", "from board 2"])
@pytest.mark.parametrize("place", range(9), ids=PLACES)
def test_a_moves_place_names_the_small_board_there_on_either_big_board(
    place: int, board: int
) -> None:
    move = cells_of(board)[place]
    after = EXTREME.start.play(move)
    assert after.turn is Side.O
    assert list(after.legal_moves()) == cells_of_all((place, place + 9), but=move)


@pytest.mark.parametrize("closed", [X_WON, O_WON, FULL], ids=["won by X", "won by O", "full"])
@pytest.mark.parametrize(("shut", "still_open"), [(0, 9), (9, 0)], ids=["board 1", "board 2"])
def test_if_one_of_the_two_destinations_is_closed_only_the_other_may_be_played(
    shut: int, still_open: int, closed: str
) -> None:
    after = extreme({shut: closed}, sent_to=(4, 13)).play("d4")
    assert list(after.legal_moves()) == cells_of(still_open)


@pytest.mark.parametrize("first", [X_WON, O_WON, FULL], ids=["won by X", "won by O", "full"])
@pytest.mark.parametrize("second", [X_WON, O_WON, FULL], ids=["won by X", "won by O", "full"])
def test_if_both_are_closed_won_or_full_any_open_small_board_may_be_played(
    first: str, second: str
) -> None:
    after = extreme({0: first, 9: second, 17: FULL}, sent_to=(4, 13)).play("d4")
    assert list(after.legal_moves()) == cells_of_all([*range(1, 9), *range(10, 17)], but="d4")


# The bonus move


def test_winning_a_small_board_gives_the_same_player_one_more_move() -> None:
    after = extreme({1: X_NEARLY}, sent_to=(1, 10)).play("d1")
    assert after.x_boards == 1 << 1
    assert after.turn is Side.X
    assert after.bonus
    assert after.play("a1").turn is Side.O
    assert not after.play("a1").bonus


def test_the_bonus_move_goes_where_the_winning_move_points() -> None:
    after = extreme({1: X_NEARLY}, sent_to=(1, 10)).play("d1")
    assert list(after.legal_moves()) == cells_of_all((0, 9))
    assert str(after.instruction()) == (
        "Bonus move: play in the top left board of board 1 or of board 2."
    )
    with pytest.raises(IllegalMove, match="but you were sent to the top left board"):
        after.play("e5")


def test_a_winning_move_may_point_at_its_own_small_board_which_is_closed_now() -> None:
    after = extreme({0: X_NEARLY}, sent_to=(0, 9)).play("a1")
    assert (after.turn, after.bonus) == (Side.X, True)
    assert list(after.legal_moves()) == cells_of(9)


def test_a_bonus_move_sent_to_two_closed_boards_goes_to_any_open_one() -> None:
    after = extreme({0: O_WON, 9: FULL, 1: X_NEARLY}, sent_to=(1, 10)).play("d1")
    assert (after.turn, after.bonus) == (Side.X, True)
    assert list(after.legal_moves()) == cells_of_all([*range(2, 9), *range(10, 18)])


def test_a_small_board_won_by_the_bonus_move_gives_no_further_move() -> None:
    after = extreme({1: X_NEARLY, 9: X_NEARLY}, sent_to=(1, 10)).play("d1").play("j1")
    assert after.x_boards == 1 << 1 | 1 << 9
    assert (after.turn, after.bonus) == (Side.O, False)


def test_filling_a_small_board_without_winning_it_gives_no_bonus_move() -> None:
    after = extreme({0: ALMOST_FULL}, sent_to=(0, 9)).play("a1")
    assert after.closed == 1 << 0
    assert (after.x_boards, after.o_boards) == (0, 0)
    assert (after.turn, after.bonus) == (Side.O, False)
    assert words(after.describe())[0] == (
        "The top left board of board 1 is full and counts for nobody."
    )


# How it ends


@pytest.mark.parametrize("big", [0, 1], ids=["board 1", "board 2"])
@pytest.mark.parametrize("side", list(Side), ids=str)
@pytest.mark.parametrize("line", LINES, ids=str)
def test_three_small_boards_in_a_row_on_either_big_board_win_at_once(
    line: tuple[int, int, int], side: Side, big: int
) -> None:
    first, second, last = (9 * big + board for board in line)
    won, nearly = (X_WON, "XX. ... ...") if side is Side.X else (O_WON, "OO. ... ...")
    before = extreme({first: won, second: won, last: nearly}, sent_to=(last,), turn=side)
    after = before.play(cells_of(last)[2])
    assert after.outcome is not None
    assert after.outcome.winner is side
    assert after.outcome.points == ((1, 0) if side is Side.X else (0, 1))
    assert str(after.outcome.reason) == (
        f"{side} has three small boards in a row on board {big + 1}: "
        + ", ".join(PLACES[board] for board in line)
    )
    assert list(after.legal_moves()) == []
    assert not after.bonus
    assert after.turn is side.other
    assert "~" not in after.diagram()


def test_the_bonus_move_may_win_the_game() -> None:
    before = extreme({0: X_WON, 1: X_NEARLY, 2: X_WON, 9: "X.X ... ..."}, sent_to=(9,))
    bonus = before.play("k1")
    assert bonus.bonus
    assert bonus.outcome is None
    after = bonus.play("d1")
    assert after.outcome is not None
    assert after.outcome.winner is Side.X


def test_three_in_a_row_must_stand_on_one_big_board() -> None:
    after = extreme({0: X_WON, 1: X_WON, 11: X_NEARLY}, sent_to=(11,)).play("p1")
    assert after.x_boards == 1 << 0 | 1 << 1 | 1 << 11
    assert after.outcome is None


def test_a_row_does_not_run_on_from_board_1_to_board_2() -> None:
    after = extreme({1: X_WON, 2: X_WON, 9: X_NEARLY}, sent_to=(9,)).play("j1")
    assert after.outcome is None


@pytest.mark.parametrize("third", [FULL, O_WON], ids=["full", "lost"])
def test_only_won_small_boards_make_a_line(third: str) -> None:
    after = extreme({0: X_WON, 1: third, 2: X_NEARLY}, sent_to=(2,)).play("g1")
    assert after.outcome is None


NO_LINE = {0: X_WON, 1: O_WON, 2: X_WON, 3: O_WON, 4: X_WON, 5: O_WON, 6: O_WON, 7: FULL, 8: FULL}
NEARLY_DRAWN = {**NO_LINE, **{9 + board: text for board, text in NO_LINE.items() if board < 8}}
"""17 closed small boards; in the last one X could still finish a diagonal, and O nothing."""


def test_it_is_a_draw_when_all_18_small_boards_are_closed() -> None:
    before = extreme({**NEARLY_DRAWN, 17: ALMOST_FULL}, sent_to=(17,), turn=Side.O)
    assert list(before.legal_moves()) == ["p7"]
    after = before.play("p7")
    assert after.outcome is not None
    assert after.outcome.winner is None
    assert after.outcome.points == (0.5, 0.5)
    assert str(after.outcome.reason) == (
        "all 18 small boards are closed and nobody has three in a row"
    )
    assert list(after.legal_moves()) == []


def test_winning_the_last_open_small_board_for_no_line_is_a_draw_without_a_bonus() -> None:
    after = extreme({**NEARLY_DRAWN, 17: "OO. ... ..."}, sent_to=(17,), turn=Side.O).play("r7")
    assert after.o_boards >> 17 == 1
    assert after.outcome is not None
    assert after.outcome.winner is None
    assert (after.turn, after.bonus) == (Side.X, False)


# Values


def test_whether_a_bonus_move_is_due_tells_two_positions_apart() -> None:
    boards = {9: X_WON}
    assert extreme(boards, sent_to=(1,)) != extreme(boards, sent_to=(1,), bonus=True)


# Against the same rules, written another way


@settings(deadline=None, max_examples=4)
@given(st.integers(0, 2**32))
def test_whole_games_agree_with_the_rules_written_another_way(seed: int) -> None:
    expect_the_same_game(EXTREME, seed)
