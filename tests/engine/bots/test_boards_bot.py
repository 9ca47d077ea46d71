"""The bot for ultimate and extreme: it plays by the rules, and sees what is to be seen."""

import time
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from engine import VARIANTS, Position, Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.means import Timepiece
from tests.support.engine.playouts import playout
from tests.support.engine.positions import extreme, ultimate

AT_LEISURE = ["ultimate", pytest.param("extreme", marks=pytest.mark.deep)]
LONG = 60.0
"""Seconds that no test takes: what limits the search is something else."""


def random_positions(variant: str, games: int) -> Iterator[LocalBoardsPosition]:
    """Yield the positions of random games that are not over."""
    for seed in range(games):
        for position in playout(VARIANTS[variant], Random(seed)).positions:
            if position.outcome is None:
                yield LocalBoardsPosition.of(position)


def wins_at_once(position: Position) -> list[str]:
    return [
        move
        for move in position.legal_moves()
        if (outcome := position.play(move).outcome) and outcome.winner is position.turn
    ]


# By the rules


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_LEISURE)
def test_it_plays_whole_games_and_beats_chance(variant: str) -> None:
    bot = BoardsBot(nodes=60)
    won = 0.0
    for seed in range(8):
        random = Random(seed)
        side = Side.X if seed % 2 else Side.O
        position = VARIANTS[variant].start
        while position.outcome is None:
            if position.turn is side:
                position = position.play(bot.choose(position, LONG, random).move)
            else:
                position = position.play(random.choice(list(position.legal_moves())))
        won += position.outcome.points[0 if side is Side.X else 1]
    assert won >= 7


# What is to be seen


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_it_takes_a_win_in_one(variant: str) -> None:
    seen = 0
    for position in random_positions(variant, games=15):
        winning = wins_at_once(position)
        if winning:
            seen += 1
            choice = BoardsBot(nodes=1).choose(position, LONG, Random(1))
            assert choice.move in winning
            assert (choice.win_probability, choice.is_exact) == (1, True)
    assert seen > 10


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_it_leaves_no_win_in_one_where_it_can_help_it(variant: str) -> None:
    seen = 0
    for position in random_positions(variant, games=12):
        if wins_at_once(position):
            continue
        safe = {
            move
            for move in position.legal_moves()
            if (after := position.play(move)).turn is position.turn or not wins_at_once(after)
        }
        if safe and len(safe) < len(list(position.legal_moves())):
            seen += 1
            assert BoardsBot(nodes=1).choose(position, LONG, Random(1)).move in safe
    assert seen > 10


def test_it_takes_the_only_cell_that_does_not_lose_ultimate() -> None:
    # O has the top left and top centre boards and would win in the top right one, where g1 h1 lack
    # i1. X must not play to a cell that sends O there: only the middle one of b7 b8 b9 does not.
    boards = {0: "OOO ... ...", 1: "OOO ... ...", 2: "OO. ... ...", 6: "XO. O.. .XX"}
    position = ultimate(boards, sent_to=6)
    move = BoardsBot(nodes=1000).choose(position, LONG, Random(1)).move
    assert "i1" not in position.play(move).legal_moves()


def test_it_wins_with_a_bonus_move_in_extreme() -> None:
    # With d4 X wins the centre board of board 1 and is sent to the top left ones: the bonus move j1
    # wins the one on board 2, and with it the top row.
    boards = {4: ".XX ... ...", 9: ".XX ... ...", 10: "XXX ... ...", 11: "XXX ... ..."}
    position = extreme(boards, sent_to=(4,))
    choice = BoardsBot(nodes=1).choose(position, LONG, Random(1))
    assert (choice.move, choice.win_probability, choice.is_exact) == ("d4", 1, True)


def slow_value(position: Position, known: dict[Position, int]) -> int:
    """Return what a position is worth to the side to move, found by trying everything."""
    if position not in known:
        best = -1
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome:
                value = 1 if after.outcome.winner is position.turn else 0
            else:
                value = slow_value(after, known)
                value = value if after.turn is position.turn else -value
            best = max(best, value)
            if best == 1:
                break
        known[position] = best
    return known[position]


def late_positions(variant: str, number: int) -> list[LocalBoardsPosition]:
    """Return positions of random games from which at most so few moves are left."""
    found: list[LocalBoardsPosition] = []
    for seed in count():
        for position in playout(VARIANTS[variant], Random(seed)).positions:
            assert isinstance(position, LocalBoardsPosition)
            if position.outcome is None and open_cells(position) <= 11:
                found.append(position)
                break
        if len(found) == number:
            break
    return found


def open_cells(position: LocalBoardsPosition) -> int:
    taken = position.x | position.o
    return sum(
        not taken >> 9 * board + place & 1
        for board in range(position.board_count)
        if not position.closed >> board & 1
        for place in range(9)
    )


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_what_it_says_is_proven_is_true(variant: str) -> None:
    known: dict[Position, int] = {}
    for position in late_positions(variant, 12):
        choice = BoardsBot().choose(position, LONG, Random(1))
        value = slow_value(position, known)
        assert choice.is_exact
        assert choice.win_probability == (1 + value) / 2
        after = position.play(choice.move)
        if after.outcome is None:
            mover = 1 if after.turn is position.turn else -1
            assert mover * slow_value(after, known) == value


def test_it_claims_no_proof_for_an_estimate() -> None:
    choice = BoardsBot(nodes=100).choose(VARIANTS["ultimate"].start, LONG, Random(1))
    assert not choice.is_exact
    assert 0.3 < choice.win_probability < 0.8


# Time, luck and levels


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_it_answers_in_time(variant: str) -> None:
    position = VARIANTS[variant].start
    BoardsBot(nodes=1).choose(position, LONG, Random(1))
    late = []
    for number in range(5):
        begin = time.process_time()
        choice = BoardsBot(clock=Timepiece.PROCESSOR).choose(position, 0.05, Random(number))
        late.append(time.process_time() - begin - 0.05)
        position = position.play(choice.move)
    assert min(late) < 0.03


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_the_same_seed_plays_the_same_game(variant: str) -> None:
    start = VARIANTS[variant].start.play("e5")
    bot = BoardsBot(nodes=100)
    choices = [bot.choose(start, LONG, Random(5)) for _ in range(2)]
    # Whatever else it thought of in between.
    bot.choose(start.play(choices[0].move), LONG, Random(6))
    choices.append(bot.choose(start, LONG, Random(5)))
    assert choices[0] == choices[1] == choices[2]


def test_noise_and_slips_make_it_weaker() -> None:
    strong, weak = BoardsBot(nodes=60), BoardsBot(nodes=8, noise=3, opening=81, slips=0.2)
    score = 0.0
    for seed in range(4):
        random = Random(seed)
        side = Side.X if seed % 2 else Side.O
        position = VARIANTS["ultimate"].start
        while position.outcome is None:
            bot = strong if position.turn is side else weak
            position = position.play(bot.choose(position, LONG, random).move)
        score += position.outcome.points[0 if side is Side.X else 1]
    assert score >= 3.5
