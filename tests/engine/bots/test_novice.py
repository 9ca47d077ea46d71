"""The novice of each game: a child beats it, and it is a little better than who plays at random."""

from random import Random

import pytest

from engine import VARIANTS, Position
from engine.bots import level
from engine.bots.bot import Choice
from engine.bots.handicaps import BewilderedBot, IndulgentBot
from engine.bots.means import Means
from tests.bench.characters import played
from tests.support.engine.simple_players import who_plays_at_random, who_takes_a_win

each_game = pytest.mark.parametrize("key", VARIANTS)
each_number = pytest.mark.parametrize("games", [60, pytest.param(200, marks=pytest.mark.deep)])
"""So few that a score may be off by 7 or 13 %; `tests.bench.bots` measures it with more games."""


@each_game
@each_number
def test_the_novice_is_little_better_than_chance(key: str, games: int) -> None:
    games = games if key != "tinc" else games // 4
    score = played(key, level(key, "novice").bot, who_plays_at_random(), games, "novice")
    assert 0.43 < score.score < 0.7


@each_game
@each_number
def test_who_takes_a_win_beats_the_novice(key: str, games: int) -> None:
    games = games if key != "tinc" else games // 4
    score = played(key, level(key, "novice").bot, who_takes_a_win(key), games, "novice")
    assert score.score < 0.42


class TestIndulgent:
    def test_it_leaves_a_win_where_it_can(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=5", "b1=4"])  # 6 in c1 would make 15
        for seed in range(10):
            after = position.play(IndulgentBot().choose(position, 1, Random(seed)).move)
            assert any(after.play(reply).outcome for reply in after.legal_moves())

    def test_it_leaves_the_win_among_as_many_other_moves_as_it_can(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=5", "b1=2", "b2=7", "a3=8"])

        def wins(move: str) -> float:
            after = position.play(move)
            replies = list(after.legal_moves())
            return sum(after.play(reply).outcome is not None for reply in replies) / len(replies)

        shares = [wins(move) for move in position.legal_moves() if not position.play(move).outcome]
        chosen = IndulgentBot().choose(position, 1, Random(1)).move
        assert wins(chosen) == min(share for share in shares if share)


class Same:
    """Plays the same move wherever it is."""

    def __init__(self, move: str) -> None:
        self.move = move

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        return Choice(self.move, 0.5)

    def with_means(self, means: Means) -> "Same":
        return Same(f"{self.move} with {means.memory} MB")


def test_a_bewildered_bot_looks_only_where_there_are_few_moves() -> None:
    bot = BewilderedBot(settled=Same("few"), lost=Same("many"), few=9)
    ultimate = VARIANTS["ultimate"].start
    assert bot.choose(ultimate, 1, Random(1)).move == "many"
    assert bot.choose(ultimate.play("e5"), 1, Random(1)).move == "few"
