"""Quantum tic-tac-toe: marks in two squares, cycles, measurements and half points."""

import random
from itertools import product

import pytest

from engine.boards.grid import NINE, places
from engine.game import IllegalMove, InvalidMove, Outcome, Side
from engine.testing import refusal
from engine.variants.quantum import QUANTUM, QuantumPosition
from tests.support.engine.positions import words

# One tree of entangled squares around b2; o8 closes the cycle b2, c1. If it settles in b2, x7 goes
# to c1 and X has column c; O has column a wherever it settles. (The source's worked example.)
SOURCE_GAME = "c1+c2 a2+b2 c2+c3 a1+a2 b1+b2 a2+a3 c1+b2 c1+b2"

# The same tree with x5 where x7 was, so that X's line is finished with a lower subscript.
X_IS_LOWER = "c1+c2 a2+b2 c2+c3 a1+a2 c1+b2 a2+a3 b1+b2 c1+b2"

# O doubles each pair that X marks, and X chooses: two squares settle every time.
EIGHT_SETTLED = "a1+a2 a1+a2 a2 b1+b2 b1+b2 b2 c2+a3 c2+a3 a3 b3+c3 b3+c3 b3"
EIGHT_IN_THE_CENTRE = "a1+b2 b1+b2 c1+b2 a2+b2 b2+c2 b2+a3 b2+b3 b2+c3"

MEASUREMENT_FIRST = "A measurement comes first. Choose where o2 settles: a1 or b1"


def after(moves: str) -> QuantumPosition:
    return QuantumPosition.of(QUANTUM.replay(moves.split()))


def classical(position: QuantumPosition) -> dict[str, int]:
    """Return the subscript that each settled square holds."""
    return {name: number for name, number in zip(NINE, position.settled, strict=True) if number}


def ending(moves: str) -> Outcome:
    outcome = after(moves).outcome
    assert outcome is not None
    return outcome


def test_the_same_squares_marked_in_another_order_are_another_position() -> None:
    assert after("a1+b1 c1+c2") != after("c1+c2 a1+b1")


class TestMeasurement:
    def test_squares_that_hang_together_without_a_cycle_stay_spooky(self) -> None:
        position = after("a1+b1 b1+c1 c1+c2 c2+c3")
        assert not position.measuring
        assert classical(position) == {}
        assert len(position.legal_moves()) == 36

    def test_the_same_pair_marked_twice_is_legal_and_a_cycle_of_two(self) -> None:
        position = after("a1+b1 a1+b1")
        assert position.measuring
        assert position.legal_moves() == ("a1", "b1")
        assert classical(position.play("a1")) == {"a1": 2, "b1": 1}

    @pytest.mark.parametrize(
        ("moves", "chooser"), [("a1+b1 a1+b1", Side.X), ("a1+b1 b1+c1 a1+c1", Side.O)]
    )
    def test_the_player_who_closed_the_cycle_does_not_choose(
        self, moves: str, chooser: Side
    ) -> None:
        assert after(moves).turn is chooser

    @pytest.mark.parametrize(
        ("moves", "chooser"), [("a1+b1 a1+b1 a1", Side.X), ("a1+b1 b1+c1 a1+c1 a1", Side.O)]
    )
    def test_the_chooser_also_makes_the_next_placement(self, moves: str, chooser: Side) -> None:
        position = after(moves)
        assert position.turn is chooser
        assert position.play("a2+b2").turn is chooser.other

    def test_the_closing_mark_settles_as_chosen_and_drives_the_others_round_the_cycle(self) -> None:
        moves = "a1+a2 c1+c2 a2+b3 a1+b3"
        assert classical(after(f"{moves} b3")) == {"a1": 1, "a2": 3, "b3": 4}
        assert classical(after(f"{moves} a1")) == {"a1": 4, "a2": 1, "b3": 3}

    @pytest.mark.parametrize("choice", ["a1", "b3"])
    def test_marks_that_hang_on_the_cycle_settle_the_same_way_in_both_choices(
        self, choice: str
    ) -> None:
        settled = classical(after(f"a1+a2 a1+b2 a2+b3 c1+c2 b2+c3 a1+b3 {choice}"))
        assert settled[choice] == 6
        assert (settled["b2"], settled["c3"]) == (2, 5)
        assert set(settled) == {"a1", "a2", "b2", "b3", "c3"}

    def test_marks_of_another_component_stay_spooky(self) -> None:
        position = after("a1+a2 c1+c2 c2+c3 a1+a2 a1")
        assert classical(position) == {"a1": 4, "a2": 1}
        assert words(position.describe()) == [
            "a1 holds O with the number 4.",
            "a2 holds X with the number 1.",
            "o2 is in c1 and c2 at once.",
            "x3 is in c2 and c3 at once.",
            "o2, x3 entangle the cells c1, c2, c3.",
            "Empty cells: b1, b2, a3, b3.",
            "Put x5 in two of these cells: b1, c1, b2, c2, a3, b3, c3.",
        ]

    def test_both_results_can_be_read_before_choosing(self) -> None:
        position = after("a1+b1 c2+c3 b1+c1 a1+c1")
        assert position.choices == ("a1", "c1")
        assert position.measurement("a1") == (("a1", "o4"), ("b1", "x1"), ("c1", "x3"))
        assert position.measurement("c1") == (("c1", "o4"), ("b1", "x3"), ("a1", "x1"))
        assert words(position.describe())[-4:] == [
            "o4 closes the cycle a1, b1, c1, and everything entangled with it settles.",
            "Choosing a1 settles o4 in a1, x1 in b1, x3 in c1.",
            "Choosing c1 settles o4 in c1, x3 in b1, x1 in a1.",
            "Choose where o4 settles: a1 or c1.",
        ]

    def test_only_the_choices_can_be_read_ahead(self) -> None:
        with pytest.raises(IllegalMove, match=r"^o2 can settle in a1 or b1, not in c3$"):
            after("a1+b1 a1+b1").measurement("c3")
        with pytest.raises(InvalidMove, match=r"^Write the move as a1$"):
            after("a1+b1 a1+b1").measurement("A1")
        with pytest.raises(IllegalMove, match=r"^There is nothing to measure$"):
            after("a1+b1").measurement("a1")

    @pytest.mark.parametrize("moves", [SOURCE_GAME, X_IS_LOWER, f"{EIGHT_IN_THE_CENTRE} a1+c3"])
    def test_a_choice_leaves_one_way_to_give_each_mark_a_square_of_its_own(
        self, moves: str
    ) -> None:
        position = after(moves)
        *others, _ = position.spooky
        for choice in position.choices:
            ways = [
                (*squares, NINE.index(choice))
                for squares in product(*(places(pair) for pair in others))
                if len({*squares, NINE.index(choice)}) == len(position.spooky)
            ]
            assert len(ways) == 1
            settled = classical(position.play(choice))
            assert [settled[NINE[place]] for place in ways[0]] == list(range(1, len(ways[0]) + 1))

    def test_the_cycle_is_named_without_the_marks_that_hang_on_it(self) -> None:
        position = after("a1+b1 b1+b2 b1+c1 c1+c2 c2+c3 a1+c2")
        assert (
            "o6 closes the cycle a1, b1, c1, c2, and everything entangled with it settles."
            in words(position.describe())
        )


class TestSettledSquares:
    def test_a_settled_square_takes_no_more_marks(self) -> None:
        position = after("a1+b1 a1+b1 a1")
        assert len(position.legal_moves()) == 21
        assert not any("a1" in move or "b1" in move for move in position.legal_moves())
        with pytest.raises(IllegalMove, match=r"^o2 has settled in a1, which takes no more marks$"):
            position.play("a1+c3")
        with pytest.raises(IllegalMove, match=r"^x1 has settled in b1, which takes no more marks$"):
            position.parse("C3 B1")

    def test_x_puts_the_ninth_mark_in_the_one_square_that_is_left(self) -> None:
        position = after(EIGHT_SETTLED)
        assert position.turn is Side.X
        assert position.legal_moves() == ("c1",)
        assert str(position.instruction()) == "Put x9 in c1, the last cell."
        assert classical(position.play("c1"))["c1"] == 9

    def test_a_ninth_pair_is_measured_where_two_squares_were_left(self) -> None:
        position = after("a1+b1 b1+c1 a1+c1 a1 a2+b2 a2+b2 b2 c2+a3 c2+a3 a3 b3+c3")
        assert position.turn is Side.X
        assert position.legal_moves() == ("b3+c3",)
        position = position.play("b3+c3")
        assert position.turn is Side.O
        assert position.legal_moves() == ("b3", "c3")


class TestEndings:
    def test_one_player_with_a_line_scores_one_point_to_nothing(self) -> None:
        outcome = ending("a1+a2 a1+a2 a2 b2+c2 b2+c2 c2 b3+c3 b3+c3 b3")
        assert outcome.winner is Side.X
        assert outcome.points == (1, 0)
        assert str(outcome.reason) == "X has three in a row: a1 (x1), b2 (x3), c3 (x5)"

    def test_o_can_win_by_the_same_rule(self) -> None:
        outcome = ending(f"{SOURCE_GAME} c1")
        assert outcome.winner is Side.O
        assert outcome.points == (0, 1)
        assert str(outcome.reason) == "O has three in a row: a1 (o4), a2 (o2), a3 (o6)"

    def test_of_two_lines_the_one_with_the_lower_highest_subscript_scores_one(self) -> None:
        outcome = ending(f"{SOURCE_GAME} b2")
        assert outcome.winner is Side.O
        assert outcome.points == (0.5, 1)
        assert str(outcome.reason) == (
            "both have three in a row. X's line is c1 (x7), c2 (x1), c3 (x3), and O's is a1 (o4), "
            "a2 (o2), a3 (o6). The highest number in O's is 6, in X's 7. O scores 1 point and X ½"
        )

    def test_x_scores_one_where_its_highest_subscript_is_lower(self) -> None:
        outcome = ending(f"{X_IS_LOWER} b2")
        assert outcome.winner is Side.X
        assert outcome.points == (1, 0.5)
        assert "The highest number in X's is 5, in O's 6. X scores 1 point" in str(outcome.reason)

    def test_two_lines_of_one_player_still_score_one(self) -> None:
        outcome = ending(f"{EIGHT_SETTLED} c1")
        assert outcome.winner is Side.X
        assert outcome.points == (1, 0)
        assert str(outcome.reason) == (
            "X has three in a row twice: a1 (x1), b1 (x3), c1 (x9) and c1 (x9), c2 (x5), c3 (x7)"
        )

    def test_a_line_of_spooky_marks_is_nothing(self) -> None:
        assert after("a1+b1 a2+a3 b1+c1").outcome is None


class TestReadingMoves:
    @pytest.mark.parametrize(
        "text",
        ["a1+c3", "A1+C3", "C3 A1", "a1,c3", " c3 , a1 ", "a1 and c3", "a1c3", "a1-c3", "1a/3c"],
    )
    def test_a_pair_may_be_typed_as_people_write_it(self, text: str) -> None:
        assert after("").parse(text) == "a1+c3"

    def test_squares_are_put_in_reading_order_which_is_row_by_row(self) -> None:
        assert after("").parse("a2+c1") == "c1+a2"

    @pytest.mark.parametrize("text", ["b1", "B1", " b1 "])
    def test_a_choice_is_one_square(self, text: str) -> None:
        assert after("a1+b1 a1+b1").parse(text) == "b1"

    @pytest.mark.parametrize(
        ("moves", "text", "reason"),
        [
            ("", "hello", "Name two different cells, like a1+b1"),
            ("", "", "Name two different cells, like a1+b1"),
            ("", "centre", "The cell in the centre is b2. Name two different cells, like a1+b1"),
            ("", "a1+a1", "Name two different cells, like a1+b1"),
            ("", "a1 b2 c3", "Name two different cells, like a1+b1"),
            ("", f"a{'1' * 5000}", "Name two different cells, like a1+b1"),
            ("", "a1+d4", "d4 is not on the board, which goes from a1 to c3"),
            ("a1+b1 a1+b1", "left", "Name the cell where o2 settles: a1 or b1"),
            ("a1+b1 a1+b1", "a1 a1", "Name the cell where o2 settles: a1 or b1"),
            (EIGHT_SETTLED, "?", "Only one cell is left: name just c1"),
        ],
    )
    def test_what_cannot_be_read_is_answered_with_what_can(
        self, moves: str, text: str, reason: str
    ) -> None:
        refused = refusal(after(moves).parse, text)
        assert (type(refused), str(refused)) == (InvalidMove, reason)

    @pytest.mark.parametrize(
        ("moves", "text", "reason"),
        [
            ("", "b2", "A move marks two different cells, like a1+b1"),
            ("a1+b1 a1+b1 a1", "b2", "A move marks two different cells, like c1+a2"),
            ("a1+b1 a1+b1", "a2 c3", MEASUREMENT_FIRST),
            ("a1+b1 a1+b1", "b1+a1", MEASUREMENT_FIRST),
            ("a1+b1 a1+b1", "a1+b1", MEASUREMENT_FIRST),
            ("a1+b1 a1+b1", "c3", "o2 can settle in a1 or b1, not in c3"),
            ("a1+b1 a1+b1 a1", "a1+a2", "o2 has settled in a1, which takes no more marks"),
            ("b1+c1 b1+c1 b1", "a1+c1", "x1 has settled in c1, which takes no more marks"),
            ("a1+b1 a1+b1 a1", "b1+a2", "x1 has settled in b1, which takes no more marks"),
            ("a1+b1 a1+b1 a1", "a2+b1", "x1 has settled in b1, which takes no more marks"),
            (EIGHT_SETTLED, "c1+c3", "Only one cell is left: name just c1"),
            (EIGHT_SETTLED, "c3", "Only one cell is left: name just c1"),
            (f"{EIGHT_SETTLED} c1", "c1", "The game is over"),
            (f"{EIGHT_SETTLED} c1", "a1+c1", "The game is over"),
        ],
    )
    def test_a_move_against_the_rules_is_refused_with_the_reason(
        self, moves: str, text: str, reason: str
    ) -> None:
        position = after(moves)
        for attempt in (position.parse, position.play):
            refused = refusal(attempt, text)
            assert (type(refused), str(refused)) == (IllegalMove, reason)


class TestPictures:
    def test_brackets_show_which_mark_is_to_be_measured(self) -> None:
        assert (
            after(f"{EIGHT_IN_THE_CENTRE} b2+c3").diagram()
            == r"""
          a             b             c
    +-------------+-------------+-------------+
    |  x1         |      o2     |          x3 |
 1  |             |             |             |
    |             |             |             |
    +-------------+-------------+-------------+
    |             |  x1  o2  x3 |             |
 2  |  o4         |  o4  x5  o6 |      x5     |
    |             |  x7  o8 [x9]|             |
    +-------------+-------------+-------------+
    |             |             |             |
 3  |          o6 |             |             |
    |             |  x7         |      o8 [x9]|
    +-------------+-------------+-------------+
""".strip("\n")
        )


@pytest.mark.parametrize("seed", range(50))
def test_any_game_keeps_every_mark_once_or_spooky_and_ends_within_nine_placements(
    seed: int,
) -> None:
    rng = random.Random(seed)
    position = after("")
    while position.outcome is None:
        move = rng.choice(position.legal_moves())
        assert position.parse(move) == move
        promised = dict(position.measurement(move)) if position.measuring else {}
        position = position.play(move)
        settled = classical(position)
        spooky = [number for number, pair in enumerate(position.spooky, start=1) if pair]
        assert sorted([*settled.values(), *spooky]) == list(range(1, len(position.spooky) + 1))
        assert all(settled[square] == int(mark[1:]) for square, mark in promised.items())
        assert all(row == row.rstrip() and len(row) <= 64 for row in position.diagram().split("\n"))
        assert str(position.describe()[-1]) == str(position.instruction())
        if not position.measuring:
            assert position.turn is (Side.O if len(position.spooky) % 2 else Side.X)
    assert len(position.spooky) <= 9
    assert position.legal_moves() == ()


def test_a_choice_says_what_it_settles_and_a_placement_needs_no_words() -> None:
    position = QUANTUM.replay(["a1+b2", "a1+b2"])
    assert str(position.effect("b2")) == "settles o2 in b2, x1 in a1"
    assert QUANTUM.start.effect("a1+b2") is None
