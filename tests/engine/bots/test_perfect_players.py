"""The perfect players of numeric and quantum, and what every bot refuses."""

from random import Random
from types import ModuleType

import pytest

from engine import VARIANTS, Position, Side
from engine.bots import Bot
from engine.bots.handicaps import GlanceBot, IndulgentBot
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.mcts import SearchBot
from engine.bots.solvers import numeric, quantum
from engine.bots.solvers.tinc import TincBot

SOLVERS = {"numeric": numeric, "quantum": quantum}
BOTS: dict[str, Bot] = {"numeric": numeric.PerfectNumeric(), "quantum": quantum.PerfectQuantum()}
OVER = {
    "numeric": "a1=5 b1=2 b2=7 a3=8 c3=3",
    "quantum": "a1+b1 a1+b1 a1 a2+b2 a2+b2 a2 a3+b3 a3+b3 a3",
    "tinc": "a1 a1+c1 b3+d3 b4 a3+e3",
}


def random_line(variant: str, random: Random, count: int) -> tuple[list[str], Position]:
    """Return this many random moves that do not end a game, and the position after them."""
    while True:
        position, moves = VARIANTS[variant].start, list[str]()
        while position.outcome is None and len(moves) < count:
            moves.append(random.choice(list(position.legal_moves())))
            position = position.play(moves[-1])
        if position.outcome is None:
            return moves, position


def worth_of(solver: ModuleType, position: Position, side: Side) -> float:
    worth: float = solver.solve(position)
    return worth if position.turn is side else -worth


@pytest.mark.parametrize(
    ("variant", "bot", "games"),
    [
        ("numeric", BOTS["numeric"], 5),
        ("numeric", numeric.PerfectNumeric(varies=True), 5),
        pytest.param("numeric", BOTS["numeric"], 30, marks=pytest.mark.deep),
        pytest.param("numeric", numeric.PerfectNumeric(varies=True), 30, marks=pytest.mark.deep),
        ("quantum", BOTS["quantum"], 25),
    ],
)
@pytest.mark.parametrize("side", Side)
def test_it_never_gives_anything_away_and_keeps_every_gift(
    side: Side, variant: str, bot: Bot, games: int
) -> None:
    solver = SOLVERS[variant]
    for seed in range(games):
        random, held = Random(seed), -1.0
        _, position = random_line(variant, random, seed % 5)
        while position.outcome is None:
            if position.turn is side:
                assert solver.solve(position) >= held
                held = solver.solve(position)
                choice = bot.choose(position, 1.0, random)
                position = position.play(choice.move)
                assert choice.is_exact
                assert choice.win_probability == (1 + held) / 2
                assert worth_of(solver, position, side) == held
            else:
                position = position.play(random.choice(list(position.legal_moves())))
        assert worth_of(solver, position, side) >= held


@pytest.mark.parametrize("variant", SOLVERS)
@pytest.mark.parametrize("count", range(1, 8))
def test_turned_and_mirrored_positions_are_worth_the_same(variant: str, count: int) -> None:
    moves, known = random_line(variant, Random(count), count)
    worths = SOLVERS[variant].values(known)
    for symmetry in range(8):
        position, turned = VARIANTS[variant].start, list[str]()
        for move in moves:
            turned.append(position.images(move)[symmetry])
            position = position.play(move)
        assert SOLVERS[variant].values(VARIANTS[variant].replay(turned)) == {
            position.images(move)[symmetry]: worth for move, worth in worths.items()
        }


@pytest.mark.parametrize(("variant", "first"), [("numeric", "a1=5"), ("quantum", "a1+b1")])
def test_among_draws_it_sets_the_trap_that_most_replies_fall_into(variant: str, first: str) -> None:
    position, values = VARIANTS[variant].start.play(first), SOLVERS[variant].values
    best = BOTS[variant].choose(position, 1.0, Random(0)).move

    def mistakes(move: str) -> float:
        replies = values(position.play(move))
        return sum(worth < 0 for worth in replies.values()) / len(replies)

    drawing = [move for move, worth in values(position).items() if worth == 0]
    assert mistakes(best) == max(map(mistakes, drawing))


@pytest.mark.parametrize(
    ("variant", "bot"),
    [
        *BOTS.items(),
        ("tinc", TincBot()),
        ("tinc", SearchBot()),
        ("numeric", GlanceBot(ahead=1)),
        ("numeric", IndulgentBot()),
    ],
)
def test_a_game_that_is_over_has_no_move(variant: str, bot: Bot) -> None:
    with pytest.raises(ValueError, match="over"):
        bot.choose(VARIANTS[variant].replay(OVER[variant].split()), 1, Random(1))


@pytest.mark.parametrize("bot", [*BOTS.values(), TincBot(), BoardsBot()])
def test_a_bot_of_one_game_plays_no_other(bot: Bot) -> None:
    other = VARIANTS["tinc" if isinstance(bot, BoardsBot) else "ultimate"].start
    with pytest.raises(TypeError):
        bot.choose(other, 1, Random(1))
