"""The rules of tinc, by name; wide grids have a file of their own."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.cells import cell_name, cells_in
from engine.game import IllegalMove, InvalidMove, Side
from engine.testing import refusal
from engine.variants.tinc import TINC, TincPosition
from tests.support.engine.positions import words


def after(moves: str) -> TincPosition:
    return TincPosition.of(TINC.replay(moves.split()))


START = after("")


# X has three across the middle of a 5×5 grid whose edge is empty, and it is X's turn.
ROW = "a1 a1 b3+d3 d4"
COLUMN = "a1 a1 c2+c4 d4"
FALLING = "a1 b1 b2+d4 d2"
RISING = "a1 a1 d2+b4 d4"


# Turns


def test_the_source_documents_own_example() -> None:
    position = after("a1 c2+c3")
    assert position.diagram() == (
        "       a b c d e\n"
        "   1   ~ ~ ~ ~ ~\n"
        "   2   ~ ~ ~ ~ ~\n"
        "   3   ~ ~ X O ~\n"
        "   4   ~ ~ ~ O ~\n"
        "   5   ~ ~ ~ ~ ~"
    )
    assert position.turn is Side.X
    assert (position.cells(Side.X), position.cells(Side.O)) == (("c3",), ("d3", "d4"))


def test_a_player_may_place_one_symbol_or_two_and_never_none() -> None:
    moves = list(after("a1").legal_moves())
    cells = ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert moves == cells + ["+".join(pair) for pair in combinations(cells, 2)]


# Growing


@pytest.mark.parametrize("edge", ["a1", "c1", "e1", "a3", "e3", "a5", "c5", "e5", "b4+e4", "a2+d4"])
def test_a_symbol_on_any_edge_grows_the_grid_on_every_side(edge: str) -> None:
    for position in (after("a1 b1"), after("a1 b1 b2")):
        later = position.play(edge)
        assert (position.size, later.size) == (5, 7)
        assert "d4" in later.cells(Side.X)


# Winning


@pytest.mark.parametrize(
    ("moves", "ends", "reason"),
    [
        (ROW, "a3+e3", "X fills row 3, from a3 to e3"),
        (COLUMN, "c1+c5", "X fills column c, from c1 to c5"),
        (FALLING, "a1+e5", "X fills the diagonal from a1 to e5"),
        (RISING, "e1+a5", "X fills the diagonal from e1 to a5"),
    ],
)
def test_a_full_line_from_side_to_side_wins(moves: str, ends: str, reason: str) -> None:
    position = after(moves)
    won = position.play(position.parse(ends))
    assert won.outcome is not None
    assert won.outcome.winner is Side.X
    assert won.outcome.points == (1, 0)
    assert str(won.outcome.reason) == reason
    assert list(won.legal_moves()) == []
    assert words(won.describe())[-1] == f"The game is over: {reason}."


def test_o_wins_too() -> None:
    won = after("a1 c3 b2 b4+c4 c2 a4+e4")
    assert won.outcome is not None
    assert won.outcome.winner is Side.O
    assert won.outcome.points == (0, 1)
    assert str(won.outcome.reason) == "O fills row 4, from a4 to e4"


@pytest.mark.parametrize("corner", ["a2+b1", "b1+c2", "a2+b3", "c2+b3"])
def test_short_diagonals_do_not_count(corner: str) -> None:
    position = after("a1")
    later = position.play(position.parse(corner))
    assert later.outcome is None
    assert later.size == 5


def test_nobody_can_win_before_turn_five() -> None:
    for second in after("a1").legal_moves():
        position = after("a1").play(second)
        for third in position.legal_moves():
            later = position.play(third)
            assert later.outcome is None
            # Two more on turn four make O's symbols fewer than the shortest line.
            assert len(later.cells(Side.O)) + 2 < later.size


def test_one_missing_cell_or_one_foreign_symbol_spoils_a_line() -> None:
    assert after("a1 a1 b3 d4 a3+e3").outcome is None
    assert after("a1 a1 b3 d3 a3+e3").outcome is None


def test_a_line_across_a_grid_that_has_grown_meanwhile_is_no_line() -> None:
    position = after(ROW.replace("d4", "e5")).play("b4+f4")
    assert position.size == 7
    assert position.outcome is None


# The whole game, beside a plain reading of the source document


class PlainGame:
    """A grid in lists of strings that follows the three phases to the letter."""

    def __init__(self) -> None:
        self.grid = ["~"]
        self.winner = ""

    def turn(self, symbol: str, cells: list[tuple[int, int]]) -> None:
        for column, row in cells:
            text = self.grid[row]
            assert text[column] == "~"
            self.grid[row] = text[:column] + symbol + text[column + 1 :]
        size = len(self.grid)
        columns = ["".join(row[column] for row in self.grid) for column in range(size)]
        falling = "".join(self.grid[place][place] for place in range(size))
        rising = "".join(self.grid[place][size - 1 - place] for place in range(size))
        for player in "XO":
            if size > 1 and player * size in (*self.grid, *columns, falling, rising):
                self.winner = player
                return
        if set(self.grid[0] + self.grid[-1] + columns[0] + columns[-1]) != {"~"}:
            empty = "~" * (size + 2)
            self.grid = [empty, *(f"~{row}~" for row in self.grid), empty]


def facing_cells(position: TincPosition, inset: int = 0) -> list[str]:
    """The moves that place both ends of a line, of the grid less `inset` outer rings."""
    near, far = inset, position.size - 1 - inset
    between = range(near, far + 1)
    pairs = [((place, near), (place, far)) for place in between]
    pairs += [((near, place), (far, place)) for place in between]
    pairs += [((near, near), (far, far)), ((far, near), (near, far))]
    taken = {*position.cells(Side.X), *position.cells(Side.O)}
    named = [(cell_name(*first), cell_name(*second)) for first, second in pairs]
    return [f"{first}+{second}" for first, second in named if not taken & {first, second}]


def winning_moves(position: TincPosition) -> list[str]:
    moves = facing_cells(position) if position.size > 1 else []
    return [move for move in moves if position.play(move).outcome]


@settings(max_examples=12, deadline=None)
@given(st.randoms(use_true_random=False))
def test_random_games_agree_with_a_plain_reading_of_the_rules(random: Random) -> None:
    position, plain = START, PlainGame()
    while position.outcome is None and position.size < 9:
        moves = list(position.legal_moves())
        some = random.sample(moves, min(len(moves), 20))
        inner = [move for move in some if position.play(move).size == position.size]
        wins = winning_moves(position)
        move = random.choice(wins or (random.random() < 0.8 and inner) or moves)
        plain.turn(str(position.turn), cells_in(move) or [])
        position = position.play(move)
        rows = [line.split()[1:] for line in position.diagram().splitlines()[1:]]
        assert ["".join(row) for row in rows] == plain.grid
        assert str(position.outcome.winner if position.outcome else "") == plain.winner
        assert bool(position.outcome) == bool(wins)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(Side))
def test_who_puts_a_symbol_on_the_edge_every_turn_cannot_lose(random: Random, safe: Side) -> None:
    position = START.play("a1")
    for _ in range(30):
        edge = random.choice((0, position.size - 1))
        along = random.randrange(position.size)
        if position.turn is safe:
            move = random.choice((cell_name(edge, along), cell_name(along, edge)))
        else:
            assert not winning_moves(position)
            inset = random.randrange(min(3, position.reach))
            move = random.choice(facing_cells(position, inset) or [cell_name(edge, along)])
        position = position.play(move)


# What a person may type


@pytest.mark.parametrize(
    "text",
    ["c2+d4", "d4+c2", "d4,c2", "C2 D4", " c2 and d4 ", "D4; c2", "c2-d4", "2c/4d", "c2. d4."],
)
def test_a_pair_may_be_typed_in_any_order_and_manner(text: str) -> None:
    assert after("a1 a1").parse(text) == "c2+d4"


def test_reading_order_goes_row_by_row() -> None:
    assert after("a1 a1").parse("a2, e1") == "e1+a2"
    assert after("a1 a1").parse("B1 a1") == "a1+b1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("resign", "Name one or two cells by column and row, like a1 or a1+b1"),
        ("  ", "Name one or two cells by column and row, like a1 or a1+b1"),
        ("c0", "Name one or two cells by column and row, like a1 or a1+b1"),
        ("a" + "9" * 5000, "Name one or two cells by column and row, like a1 or a1+b1"),
        ("a1 b1 c1", "A turn takes at most two cells, like a1+b1"),
        ("d4+d4", "d4 is named twice. Two symbols need two cells"),
        ("d4 D4", "d4 is named twice. Two symbols need two cells"),
    ],
)
def test_what_is_no_turn_in_any_position_is_invalid(text: str, reason: str) -> None:
    assert str(refusal(after("a1 a1").parse, text)) == reason
    for call in (after("a1 a1").parse, after("a1 a1").play):
        assert type(refusal(call, text)) is InvalidMove


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("a1 a1", "c3", "c3 is taken"),
        ("a1 a1", "b2+d4", "b2 is taken"),
        ("a1 a1", "b2+c3", "b2, c3 are taken"),
        ("a1 a1", "f1", "f1 is outside the grid, which now goes from a1 to e5"),
        ("a1 a1", "a1+a6", "a6 is outside the grid, which now goes from a1 to e5"),
        ("a1 a1", "f1+a6", "f1, a6 are outside the grid, which now goes from a1 to e5"),
        ("", "b1", "The grid has one cell now, so the first turn is a1"),
        ("", "a1+b1", "The grid has one cell now, so the first turn is a1"),
        (ROW + " a3+e3", "a1", "The game is over"),
    ],
)
def test_what_the_position_forbids_is_illegal(moves: str, move: str, reason: str) -> None:
    for call in (after(moves).parse, after(moves).play):
        refused = refusal(call, move)
        assert (type(refused), str(refused)) == (IllegalMove, reason)


# The position in words


def test_the_first_turn_in_words() -> None:
    assert words(START.describe()) == [
        "The grid is one empty cell, a1.",
        "Place one X in the only cell.",
    ]
    assert START.diagram() == START.close_up() == "       a\n   1   ~"


def test_a_position_in_words() -> None:
    assert words(after("a1 a1+c2").describe()) == [
        "The grid is 5 cells wide and 5 cells high, from a1 to e5.",
        "X has c3.",
        "O has b2, d3.",
        "O placed b2, d3 last.",
        "Place one or two X in empty cells.",
    ]
    assert words(after("a1").describe())[2] == "O has no symbol on the grid yet."


def test_the_words_name_cells_of_the_grid_as_it_is_now() -> None:
    assert words(after("a1 a1 a1").describe())[1:4] == [
        "X has b2, d4.",
        "O has c3.",
        "X placed b2 last.",
    ]


# Positions as values


def test_positions_differ_by_symbols_by_turn_and_by_grid() -> None:
    symbols = after("a1 a1").symbols
    position = TincPosition(Side.X, 2, symbols, None, ())
    assert position == after("a1 a1")
    assert position != after("a1 b1")
    assert position != TincPosition(Side.O, 2, symbols, None, ())
    assert position != TincPosition(Side.X, 3, symbols, None, ())
