"""The claims of pages about games and positions, checked by the solvers and the rules."""

from random import Random
from typing import Any

import pytest

from capsule.learning.reading import EXAMPLES, ILLUSTRATIONS
from engine import VARIANTS, Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.solvers import numeric, quantum
from engine.bots.solvers.tinc import expected

DEAD = {1: {2, 4}, 3: {2, 6}, 5: set(), 7: {4, 8}, 9: {6, 8}}
"""The partners of odd numbers that leave a line without a third number, as the page has them."""


def position_after(variant: str, moves: str) -> Any:  # noqa: ANN401 - each has fields of its own
    """Return the position of a game after its moves, with what its variant alone has."""
    return VARIANTS[variant].replay(moves.split())


def first(game: str, count: int) -> str:
    return " ".join(game.split()[:count])


def test_odd_has_one_winning_move_each_time_in_the_example_of_numeric() -> None:
    game = EXAMPLES["numeric"]
    for count in range(2, 9):
        values = numeric.values(position_after("numeric", first(game, count)))
        played = game.split()[count]
        winning = [move for move, value in values.items() if value > 0]
        assert winning == ([] if count % 2 else [played]), count
    blocks = numeric.values(position_after("numeric", "b1=1 a1=6"))
    assert {move: blocks[move] for move in ("c1=3", "c1=5", "c1=9")} == {
        "c1=3": 0,
        "c1=5": 0,
        "c1=9": 0,
    }
    last = numeric.values(position_after("numeric", first(game, 6)))
    assert (last["b3=5"], last["b3=3"]) == (1, 0)
    assert len(numeric.values(position_after("numeric", first(game, 4)))) == 15, "of fifteen moves"
    assert set(position_after("numeric", first(game, 7)).legal_moves()) == {"a2=4", "c2=4"}


def test_even_draws_with_a_dead_partner_and_nothing_else() -> None:
    for number, partners in DEAD.items():
        corner = numeric.values(position_after("numeric", f"a1={number}"))
        centre = numeric.values(position_after("numeric", f"b2={number}"))
        if number == 5:
            assert set(centre.values()) == {0}
            continue
        saving = {move for move, value in corner.items() if value == 0}
        assert saving == {f"c3={partner}" for partner in partners}
        saving = {move for move, value in centre.items() if value == 0}
        assert saving == {
            f"{cell}={partner}" for cell in ("b1", "a2", "c2", "b3") for partner in partners
        }
        assert max(*corner.values(), *centre.values()) == 0


def test_odd_wins_after_a_good_first_move_whatever_the_reply() -> None:
    assert set(numeric.values(position_after("numeric", "b1=1")).values()) == {-1}


def test_even_cannot_stop_two_threats() -> None:
    position = position_after("numeric", ILLUSTRATIONS["numeric"]["two threats"])
    assert not [move for move in position.legal_moves() if position.play(move).outcome]
    for move in position.legal_moves():
        after = position.play(move)
        assert {"c1=9", "b2=3"} & {
            reply for reply in after.legal_moves() if after.play(reply).outcome
        }
    theirs = position_after("numeric", ILLUSTRATIONS["numeric"]["theirs"]).play("b1=3").outcome
    assert theirs is not None
    assert theirs.winner is Side.X


def test_nobody_gives_anything_away_in_the_example_of_quantum() -> None:
    game = EXAMPLES["quantum"]
    for count in range(1, len(game.split()) + 1):
        position = position_after("quantum", first(game, count))
        worth = quantum.solve(position) * (1 if position.turn is Side.X else -1)
        assert worth == 0.5, count
    end = position_after("quantum", game).outcome
    assert end is not None
    assert end.points == (1, 0.5)


def worths(moves: str) -> dict[str, float]:
    """Return what each move is worth to X."""
    position = position_after("quantum", moves)
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        found[move] = quantum.solve(after) * (1 if after.turn is Side.X else -1)
    return found


def test_nine_replies_to_opposite_corners_save_half_a_point() -> None:
    replies = worths("a1+c3")
    close = {"a1", "c1", "b2", "a3", "c3"}
    saving = {move for move, worth in replies.items() if worth == 0.5}
    assert saving == {move for move in replies if set(move.split("+")) <= close and move != "a1+c3"}
    assert len(saving) == 9
    assert {worth for move, worth in replies.items() if move not in saving} == {1}


def test_one_reply_to_two_corners_on_a_side_draws() -> None:
    replies = worths("a1+c1")
    assert {move for move, worth in replies.items() if worth <= 0} == {"b1+b2"}
    others = ("a1+b1", "a1+b2", "a1+c2", "b1+a2", "b1+b2", "b1+b3")
    assert all(sum(worth <= 0 for worth in worths(kind).values()) > 1 for kind in others)


def test_one_choice_loses_and_the_other_wins_both_times() -> None:
    game = EXAMPLES["quantum"]
    assert worths(first(game, 6)) == {"c1": -1, "b2": 0.5}
    assert worths(first(game, 9)) == {"c2": -1, "a3": 0.5}
    replies = worths(first(game, 8))
    assert sorted(replies.values()) == [0.5, 0.5, 0.5, 1, 1, 1]
    for move, worth in replies.items():
        closes = position_after("quantum", f"{first(game, 8)} {move}").measuring
        assert closes is (worth == 0.5), "O has to close the cycle"
    row = position_after("quantum", f"{first(game, 9)} c2").outcome
    assert row is not None
    assert row.points == (0, 1)


def test_the_same_pair_again_loses_the_whole_point_to_corners() -> None:
    for pair in ("a1+c3", "a1+c1"):
        assert worths(pair)[pair] == 1


def test_each_turn_of_the_example_of_tinc_is_what_the_page_says() -> None:
    game = EXAMPLES["tinc"]

    def ready(count: int, side: Side) -> bool:
        return bool(position_after("tinc", first(game, count)).lines().ready(side))

    assert [count for count in range(3, 12) if ready(count, Side.X)] == [3, 7, 8, 11]
    assert [count for count in range(2, 12) if ready(count, Side.O)] == [8, 10, 11]
    assert [position_after("tinc", first(game, count)).size for count in range(1, 13)] == [
        *(3, 5, 5, 7, 7, 7, 7, 7, 9, 9, 9, 9)
    ]
    missed = position_after("tinc", first(game, 8))
    assert expected(missed) == 1
    assert missed.play("c1+c7").outcome is not None
    saved = position_after("tinc", f"{first(game, 10)} d2+c9")
    assert saved.size == 11
    assert not saved.lines().ready(Side.O)


def test_x_keeps_a_row_ready_while_o_runs_to_the_edge() -> None:
    moves = ILLUSTRATIONS["tinc"]["again"]
    for count in (3, 5, 7):
        assert position_after("tinc", first(moves, count)).lines().ready(Side.X)
    for count in (4, 6):
        assert not position_after("tinc", first(moves, count)).lines().ready(Side.X)
    forgotten = position_after("tinc", ILLUSTRATIONS["tinc"]["forgotten"])
    assert forgotten.play("c1+c9").outcome is not None


def that_lose_at_once(position: LocalBoardsPosition) -> set[str]:
    """Return the moves after which the other side has one that wins."""
    losing = set()
    for move in position.legal_moves():
        after = position.play(move)
        if after.turn is position.turn:
            continue
        replies = (after.play(reply).outcome for reply in after.legal_moves())
        if any(outcome is not None and outcome.winner is after.turn for outcome in replies):
            losing.add(move)
    return losing


def test_the_choices_that_the_strategy_of_ultimate_tells_of() -> None:
    where = position_after("ultimate", ILLUSTRATIONS["ultimate"]["where"])
    effects = {move: str(where.effect(move)) for move in where.legal_moves()}
    assert {move for move, effect in effects.items() if "where X has two in a row" in effect} == {
        *("d4", "d5", "e5", "d6")
    }
    assert set(effects) == {"d4", "d5", "e5", "d6", "f5", "e6", "f6"}
    free = position_after("ultimate", ILLUSTRATIONS["ultimate"]["free"])
    assert str(free.instruction()).count(",") == 4, "five open boards"
    taken = {move for move in free.legal_moves() if free.play(move).x_boards != free.x_boards}
    assert taken == {"b2", "c9"}
    gaps = position_after("ultimate", ILLUSTRATIONS["ultimate"]["gaps"])
    assert len(list(gaps.legal_moves())) == 7
    assert set(gaps.legal_moves()) - that_lose_at_once(gaps) == {"h9"}


def test_the_last_moves_of_the_example_of_ultimate_are_forced() -> None:
    game = EXAMPLES["ultimate"]
    last = position_after("ultimate", first(game, 35))
    assert that_lose_at_once(last) == set(last.legal_moves())
    two_gaps = position_after("ultimate", first(game, 29)).with_turn(Side.X)
    assert two_gaps is not None
    taken = {
        move
        for move in two_gaps.legal_moves()
        if position_after("ultimate", first(game, 29)).x_boards
        != getattr(two_gaps.play(move), "x_boards", None)
    }
    assert taken == {"a2", "b2"}


def is_won_by_x(position: LocalBoardsPosition, nodes: int) -> bool:
    """Return whether X's win is proven, by searches of `nodes` nodes from ever later positions."""
    if position.outcome is not None:
        return position.outcome.winner is Side.X
    choice = BoardsBot(nodes=nodes).choose(position, 600.0, Random(1))
    if choice.is_exact:
        return choice.win_probability == (1.0 if position.turn is Side.X else 0.0)
    moves = [choice.move] if position.turn is Side.X else position.legal_moves()
    return all(is_won_by_x(position.play(move), nodes) for move in moves)


@pytest.mark.parametrize("count", [30, pytest.param(25, marks=pytest.mark.deep)])
def test_x_wins_by_force_from_the_turn_of_the_example_of_ultimate(count: int) -> None:
    position = position_after("ultimate", first(EXAMPLES["ultimate"], count))
    assert is_won_by_x(position, 30_000)


def test_the_bonus_moves_and_gaps_of_the_example_of_extreme() -> None:
    game = EXAMPLES["extreme"]
    count = len(game.split())
    bonuses = [
        number
        for number in range(1, count)
        if "Bonus" in str(position_after("extreme", first(game, number)).instruction())
    ]
    assert bonuses == [14, 28, 33, 36]
    careless = position_after("extreme", first(game, 12))
    leading = [str(careless.effect(move)) for move in careless.legal_moves()]
    assert (len(leading), sum("top right" in each for each in leading)) == (16, 2)
    assert "any open board" in str(position_after("extreme", first(game, 33)).instruction())
    forbidden = position_after("extreme", ILLUSTRATIONS["extreme"]["forbidden"])
    assert len(list(forbidden.legal_moves())) == 15
    assert that_lose_at_once(forbidden) == {"f7", "f9", "o7", "o9"}
    waiting = position_after("extreme", first(game, 37))
    assert that_lose_at_once(waiting) == {"f4", "f6"}
