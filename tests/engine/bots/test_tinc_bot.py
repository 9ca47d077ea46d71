"""The bot for tinc: what it claims of the game, held against every turn there is."""

import time
from itertools import chain
from random import Random

import pytest

from capsule.cli.arena import MatchResults
from engine import VARIANTS, Position, Side
from engine.bots import Choice
from engine.bots.mcts import SearchBot
from engine.bots.solvers.tinc import TincBot, expected
from engine.variants.tinc import Symbols, TincPosition
from tests.bench.characters import of_one_game
from tests.support.engine.careless_builders import CARELESS_BUILDERS, CarelessBuilder
from tests.support.engine.matches import Player, match, total
from tests.support.engine.playouts import playout

TINC = VARIANTS["tinc"]
MASTER = TincBot()


class ForgetfulBot:
    """Plays at random; a turn in `edge` of 1 it puts a symbol on the edge, else none if it can."""

    def __init__(self, edge: float) -> None:
        self.edge = edge

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        assert isinstance(position, TincPosition)
        grows = position.reach < 2 or rng.random() < self.edge
        for _ in range(1000):
            if position.reach == 0:
                return MASTER.choose(position, seconds, rng)
            move = position.random_move(rng)
            if (position.play(move).reach > position.reach) is grows:
                break
        return type(MASTER.choose(position, seconds, rng))(move, 0.5)


def after(*moves: str) -> TincPosition:
    return TincPosition.of(TINC.replay(moves))


def small_positions(number: int, widest: int = 3) -> list[TincPosition]:
    """Return positions of random games whose grid is small enough to try every turn."""
    games = chain.from_iterable(playout(TINC, Random(seed)).positions for seed in range(number))
    return [
        position
        for position in games
        if isinstance(position, TincPosition)
        and position.outcome is None
        and position.reach <= widest
    ]


@pytest.fixture(scope="module")
def small() -> list[TincPosition]:
    return small_positions(20)


def winning_turns(position: TincPosition) -> set[str]:
    """Return the winning turns, found by trying every pair of cells."""
    return {
        move
        for move in position.legal_moves()
        if "+" in move and position.play(move).outcome is not None
    }


def test_it_wins_in_one_turn_wherever_that_is_possible(small: list[TincPosition]) -> None:
    won = 0
    for position in small:
        wins = winning_turns(position)
        choice = MASTER.choose(position, 1, Random(1))
        assert (choice.move in wins) is bool(wins)
        assert choice.win_probability == expected(position) == (1.0 if wins else 0.5)
        won += bool(wins)
    assert won > 5, "the games should have shown it some wins"


def test_no_reply_to_its_turn_wins(small: list[TincPosition]) -> None:
    for number, position in enumerate(small):
        then = position.play(MASTER.choose(position, 1, Random(number)).move)
        if then.outcome is None and then.reach <= 3:
            assert not winning_turns(then)
        assert then.outcome is not None or expected(then) == 0.5


def test_it_puts_a_symbol_on_the_edge_when_that_alone_saves_it() -> None:
    position = after("a1", "a1+c1", "b3+d3")  # X holds b3 c3 d3: a3 and e3 would win
    careless = after("a1", "a1+c1", "b3+d3", "b4")
    assert winning_turns(careless) == {"a3+e3"}
    assert str(MASTER.choose(careless, 1, Random(1)).reason) == "fills row 3 and wins"
    assert expected(careless.play("a3+e3")) == 0.0
    choice = MASTER.choose(position, 1, Random(1))
    then = position.play(choice.move)
    assert then.reach == position.reach + 1
    assert str(choice.reason) == (
        "puts a symbol on the edge, so the grid grows and X cannot fill row 3"
    )


def test_no_line_of_its_own_is_worth_more_than_the_edge() -> None:
    inside = range(-29, 30)
    rows = {(column, row): Side.X for row in range(-25, 0) for column in inside if column != 0}
    ready = {(column, 5): Side.O for column in inside}
    position = TincPosition(Side.X, 30, Symbols({**rows, **ready}), None, ())
    for seed in range(5):
        then = position.play(MASTER.choose(position, 1, Random(seed)).move)
        assert then.reach == 31


def test_it_sets_the_trap_that_a_careless_turn_falls_into() -> None:
    position = after("a1", "a1+c1")
    choice = MASTER.choose(position, 1, Random(1))
    then = position.play(choice.move)
    careless = next(
        each
        for each in map(then.play, random_turns(then, 100))
        if isinstance(each, TincPosition) and each.reach == position.reach
    )
    assert winning_turns(careless)
    assert "so O must put a symbol on the edge now" in str(choice.reason)


def random_turns(position: Position, number: int) -> list[str]:
    assert isinstance(position, TincPosition)
    return [position.random_move(Random(seed)) for seed in range(number)]


@pytest.mark.parametrize(
    ("edge", "least"), [(0.0, 10), (0.5, 9), (0.8, 7)], ids=["never", "half", "four fifths"]
)
def test_it_beats_who_forgets_the_edge(edge: float, least: int) -> None:
    score = match("tinc", Player(MASTER, 1), Player(ForgetfulBot(edge), 1), 10)
    assert score.losses == 0
    assert score.wins >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    "opponent",
    [ForgetfulBot(1.0), TincBot(), TincBot(overlooks=0.2), SearchBot(simulations=60)],
    ids=["grows", "itself", "overlooks", "searches"],
)
def test_it_never_loses(opponent: TincBot) -> None:
    assert match("tinc", Player(MASTER, 1), Player(opponent, 0.05), 2, seed=2).losses == 0


@pytest.mark.slow
@pytest.mark.parametrize("games", [3, pytest.param(12, marks=pytest.mark.deep)])
@pytest.mark.parametrize("weighs", [False, True], ids=["one line", "several"])
def test_as_o_it_beats_who_builds_and_never_minds_the_edge(games: int, *, weighs: bool) -> None:
    """Each of them has a ready line turn after turn, for as long as nobody breaks off the race."""
    builder = CarelessBuilder(weighs=weighs, whims=0.0)
    score = total(of_one_game("tinc", MASTER, builder, Side.O, f"{seed}") for seed in range(games))
    assert score == MatchResults(games, 0, 0)


@pytest.mark.parametrize("games", [10, pytest.param(30, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "who", ["blocks what is nearly ready", "presses, blocks and makes threats"]
)
def test_it_beats_most_who_also_block_its_lines(who: str, games: int) -> None:
    builder = CARELESS_BUILDERS[who]
    score = total(of_one_game("tinc", MASTER, builder, Side.O, f"{seed}") for seed in range(games))
    assert score.losses == 0
    assert score.wins >= 0.8 * games


def test_as_o_it_begins_with_two_corners_at_any_side() -> None:
    turns = {MASTER.choose(after("a1"), 1, Random(seed)).move for seed in range(60)}
    assert turns == {"a1+c1", "a3+c3", "a1+a3", "c1+c3"}


def test_as_x_it_replies_to_two_corners_with_a_line_that_is_ready() -> None:
    turns = {MASTER.choose(after("a1", "a1+c1"), 1, Random(seed)).move for seed in range(60)}
    assert turns == {"b3+d3", "c2+c4"}


def test_a_grid_wider_than_any_page_takes_no_longer() -> None:
    rng = Random(1)
    cells = {(rng.randint(-999, 999), rng.randint(-999, 999)): Side.X for _ in range(100)}
    row = {(column, 7): Side.O for column in range(-999, 1000)}
    position = TincPosition(Side.X, 1000, Symbols({**cells, **row}), None, ())
    start = time.thread_time()
    choice = MASTER.choose(position, 1, rng)
    assert time.thread_time() - start < 1
    then = position.play(choice.move)
    assert then.reach == 1001, "O is about to fill row 7, counted from the first cell"
