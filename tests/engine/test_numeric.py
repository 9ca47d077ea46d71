"""The rules of numeric, one by one, positions made by hand, and the words for them."""

import random
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from engine.boards.grid import NINE
from engine.game import IllegalMove, InvalidMove, MoveError, Side
from engine.testing import refusal
from engine.variants.numeric import NUMERIC, NumericPosition
from tests.support.engine.positions import by_hand

ROWS = [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]]
COLUMNS = [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]
DIAGONALS = [["a1", "b2", "c3"], ["c1", "b2", "a3"]]
LINES = [*ROWS, *COLUMNS, *DIAGONALS]
LINE_NAMES = [
    "row 1", "row 2", "row 3",
    "column a", "column b", "column c",
    "the diagonal a1 b2 c3", "the diagonal c1 b2 a3",
]  # fmt: skip


NAME = "Name an empty cell and one of your numbers, like"


def after(moves: str) -> NumericPosition:
    return NumericPosition.of(NUMERIC.replay(moves.split()))


# Winning


@pytest.mark.parametrize(("line", "name"), [*zip(LINES, LINE_NAMES, strict=True)], ids=LINE_NAMES)
def test_the_one_who_completes_a_line_of_15_wins(line: list[str], name: str) -> None:
    first, second, third = line
    elsewhere = next(cell for cell in NINE if cell not in line)
    position = after(f"{first}=7 {second}=6 {elsewhere}=1 {third}=2")
    assert position.won
    assert position.outcome is not None
    assert position.outcome.winner is Side.O
    assert position.outcome.points == (0, 1)
    assert str(position.outcome.reason) == f"Even makes 15 in {name}: 7 + 6 + 2"
    assert list(position.legal_moves()) == []


def test_a_line_of_the_opponents_numbers_wins_for_the_one_who_completes_it() -> None:
    position = after("a3=3 a1=6 c3=5 b1=8")
    assert position.outcome is None
    position = position.play("c1=1")
    assert position.outcome is not None
    assert position.outcome.winner is Side.X
    assert str(position.outcome.reason) == "Odd makes 15 in row 1: 6 + 8 + 1"


def test_two_lines_made_at_once_are_both_named() -> None:
    position = by_hand("~ 1 8 2 ~ ~ 7 ~ ~", odd=[5], even=[6], turn=Side.O).play("a1=6")
    assert position.outcome is not None
    assert str(position.outcome.reason) == (
        "Even makes 15 in row 1: 6 + 1 + 8, column a: 6 + 2 + 7"
    )


# Reading a move


@pytest.mark.parametrize(
    "text",
    [
        "b2=5", "B2=5", "b2 = 5", " b2=5 ", "b2 5", "5 b2", "5b2", "b25", "5@b2", "b2:5",
        "b2, 5", "5, b2", "5 in b2", "5 em b2", "5 = b2", "b 2 5", "b2=05", "b2=+5",
        "5 在 b2", "b2 放 5", "b2放5", "5 放在 b2", "把 5 放在 b2。", "在b2填5", "b2、5",
        "b2-5", "B2 - 5", "b2–5", "5-b2", "b2/5", "b2=5.", "b-2=5", "2b=5", "2b 5", "5 2b",
    ],
)  # fmt: skip
def test_a_move_is_read_as_people_type_it(text: str) -> None:
    assert NUMERIC.start.parse(text) == "b2=5"


@pytest.mark.parametrize("text", ["-7 c3", "c3=-7", "c3-7", "c3 −7"])
def test_a_negative_number_is_read_with_its_sign(text: str) -> None:
    assert by_hand("~ " * 9, odd=[-7, 7]).parse(text) == "c3=-7"


@pytest.mark.parametrize("text", ["c3=12", "12 c3", "c312", "12c3"])
def test_a_number_of_two_digits_is_read_whole(text: str) -> None:
    assert by_hand("~ " * 9, odd=[1, 2, 12]).parse(text) == "c3=12"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("", InvalidMove, f"{NAME} a1=2"),
        ("b3", InvalidMove, f"b3 is a cell without a number. {NAME} b3=2"),
        ("4", InvalidMove, f"4 is a number without a cell. {NAME} a1=4"),
        ("5", InvalidMove, f"5 is a number without a cell. {NAME} a1=2"),
        ("centre", InvalidMove, f"{NAME} a1=2"),
        ("b10", InvalidMove, f"{NAME} a1=2"),
        ("b3=4 now", InvalidMove, f"{NAME} a1=2"),
        ("b3=four", InvalidMove, f"{NAME} a1=2"),
        ("b3=" + 30 * "9", InvalidMove, f"{NAME} a1=2"),
        ("D1=4", InvalidMove, "d1 is not on the board, which goes from a1 to c3"),
        ("b4=4", InvalidMove, "b4 is not on the board, which goes from a1 to c3"),
        ("b10=4", InvalidMove, "b10 is not on the board, which goes from a1 to c3"),
        ("b2=4", IllegalMove, "b2 is taken"),
        ("b3=6", IllegalMove, "6 is on the board already. You still hold 2, 4, 8"),
        ("b3=5", IllegalMove, "5 is on the board already. You still hold 2, 4, 8"),
        ("b3=7", IllegalMove, "7 belongs to Odd. You still hold 2, 4, 8"),
        ("b3=10", IllegalMove, "There is no 10 in this game. You still hold 2, 4, 8"),
        ("b3=0", IllegalMove, "There is no 0 in this game. You still hold 2, 4, 8"),
        ("b3=-0", IllegalMove, "There is no 0 in this game. You still hold 2, 4, 8"),
        ("b3-7", IllegalMove, "7 belongs to Odd. You still hold 2, 4, 8"),
        ("b3=-4", IllegalMove, "There is no -4 in this game. You still hold 2, 4, 8"),
    ],
)
def test_a_refused_move_is_explained(text: str, error: type[MoveError], sentence: str) -> None:
    position = after("b2=5 c3=6 c1=1")
    refused = refusal(position.parse, text)
    assert (type(refused), str(refused)) == (error, sentence)


def test_where_an_order_could_be_read_in_two_ways_the_cell_is_on_the_board() -> None:
    assert NUMERIC.start.parse("5b 2") == NUMERIC.start.parse("2b 5") == "b2=5"
    assert NUMERIC.start.parse("1b 3") == "b1=3"
    assert NUMERIC.start.parse("1 b3") == "b3=1"


# Positions made by hand


def test_a_position_can_be_made_by_hand() -> None:
    position = NumericPosition.set_up(
        [2, None, 6, None, 5, None, None, None, None], {7, 3}, {8, 4}, Side.X
    )
    assert position.cells == (2, None, 6, None, 5, None, None, None, None)
    assert (position.odd, position.even, position.turn) == ((3, 7), (4, 8), Side.X)
    assert position.play("b1=7").outcome is not None
    assert list(position.legal_moves())[:3] == ["b1=3", "b1=7", "a2=3"]


@pytest.mark.parametrize("line", LINES, ids=LINE_NAMES)
@pytest.mark.parametrize("numbers", [*permutations((20, -8, 3))], ids=str)
@pytest.mark.parametrize("turn", list(Side), ids=["Odd to move", "Even to move"])
def test_a_board_with_a_line_of_15_was_won_by_the_last_mover(
    line: list[str], numbers: tuple[int, ...], turn: Side
) -> None:
    cells = [dict(zip(line, numbers, strict=True)).get(cell) for cell in NINE]
    position = NumericPosition.set_up(cells, [1], [2], turn)
    assert position.won
    assert position.outcome is not None
    assert position.outcome.winner is turn.other


@pytest.mark.parametrize("turn", list(Side), ids=["Odd", "Even"])
def test_a_side_without_numbers_to_place_draws(turn: Side) -> None:
    name, odd, even = ("Odd", [], [2]) if turn is Side.X else ("Even", [1], [])
    position = by_hand("~ 3 ~ ~ 4 ~ ~ ~ ~", odd, even, turn)
    assert list(position.legal_moves()) == []
    assert not position.won
    assert position.outcome is not None
    assert position.outcome.winner is None
    assert str(position.outcome.reason) == f"{name} has no number left to place"


def test_a_game_ends_when_the_next_side_has_no_number() -> None:
    position = by_hand("~ 3 ~ ~ 4 ~ ~ ~ ~", odd=[1], even=[])
    assert position.outcome is None
    assert str(position.play("a1=1").instruction()) == (
        "The game is over: Even has no number left to place."
    )


@pytest.mark.parametrize(
    ("cells", "odd", "even", "turn", "sentence"),
    [
        ([None] * 8, [1], [2], Side.X, "A board has nine cells, not 8"),
        ([None] * 10, [1], [2], Side.X, "A board has nine cells, not 10"),
        (["5"] + [None] * 8, [1], [2], Side.X, "'5' is no whole number"),
        ([1.5] + [None] * 8, [1], [2], Side.X, "1.5 is no whole number"),
        ([None] * 9, [True], [2], Side.X, "True is no whole number"),
        ([None] * 9, [1], [None], Side.X, "None is no whole number"),
        ([5, 5] + [None] * 7, [1], [2], Side.X, "There is only one 5"),
        ([5] + [None] * 8, [5], [2], Side.X, "There is only one 5"),
        ([None] * 9, [1, 2], [2], Side.X, "There is only one 2"),
        ([None] * 9, [1, 1], [2], Side.X, "There is only one 1"),
        ([None] * 9, [1], [2], "X", "The side to move is Side.X or Side.O, not 'X'"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    cells: list[int | None], odd: list[int], even: list[int], turn: Side, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        NumericPosition.set_up(cells, odd, even, turn)


small_numbers = st.lists(st.integers(-9, 30), min_size=11, max_size=11, unique=True)


@given(small_numbers, st.sets(st.integers(0, 8)))
def test_any_board_is_won_exactly_when_three_numbers_in_a_line_sum_to_15(
    numbers: list[int], empty: set[int]
) -> None:
    cells = [None if place in empty else numbers[place] for place in range(9)]
    at = dict(zip(NINE, cells, strict=True))
    held = [[at[cell] for cell in line] for line in LINES]
    position = NumericPosition.set_up(cells, numbers[9:10], numbers[10:], Side.X)
    assert position.won == any(sum(filter(None, line)) == 15 for line in held if None not in line)
    assert (position.outcome is None) == bool(list(position.legal_moves()))
    assert len({len(row) for row in position.diagram().splitlines()}) == 1


# Pictures and words


WIDE_DIAGRAM = """
       a   b   c
 1     ~  -3 120
 2    10   ~   ~
 3     ~   ~   ~
""".strip("\n")


def test_the_diagram_stays_aligned_whatever_the_numbers() -> None:
    assert by_hand("~ -3 120 10 ~ ~ ~ ~ ~", odd=[1]).diagram() == WIDE_DIAGRAM


def test_the_instruction_tells_what_may_be_placed() -> None:
    assert str(NUMERIC.start.instruction()) == "Place one of 1, 3, 5, 7, 9 in an empty cell."
    last = after("b1=7 c1=2 b2=1 a2=4 a3=5 c3=8 c2=9 b3=6")
    assert str(last.instruction()) == "Place 3 in an empty cell."
    assert str(after("a1=9 b1=4 c3=1 c1=2").instruction()) == (
        "The game is over: Even makes 15 in row 1: 9 + 4 + 2."
    )


# Values


def test_a_position_does_not_change_with_the_list_it_was_made_from() -> None:
    cells: list[int | None] = [None] * 9
    position = NumericPosition.set_up(cells, [1], [2], Side.X)
    cells[0] = 7
    assert position.cells[0] is None


# Against counts and rules made elsewhere


@given(st.integers(0, 2**32))
def test_whole_games_agree_with_the_rules_written_another_way(seed: int) -> None:
    choose = random.Random(seed).choice
    position = NUMERIC.start
    board: dict[str, int] = {}
    while True:
        side = "Odd" if len(board) % 2 == 0 else "Even"
        hand = [n for n in range(1, 10) if n % 2 == (side == "Odd") and n not in board.values()]
        full_lines = [[board[cell] for cell in line] for line in LINES if {*line} <= board.keys()]
        won = any(sum(line) == 15 for line in full_lines)
        moves = [] if won else [f"{c}={n}" for c in NINE if c not in board for n in hand]
        assert list(position.legal_moves()) == moves
        assert position.won == won
        if not moves:
            break
        move = choose(moves)
        board[move[:2]] = int(move[3:])
        position = position.play(position.parse(f" {move[3:]} {move[:2].upper()} "))
    assert position.outcome is not None
    assert (position.outcome.winner is None) == (not won)
