"""Games that are played to be counted, between random players and between bots of a level."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from engine.bots.registry import level
from engine.facts.model import RANDOM, Sample
from engine.facts.progress import Progress, unobserved
from engine.game import Position, Side
from engine.variants import VARIANTS

Player: TypeAlias = Callable[[Position, Random], str]

MAX_TURNS = 60
"""The number of moves after which a game that may never end is left."""

_SECONDS = 600.0
"""More than any move takes: the time must not decide what is played."""


def sample(
    variant: str, players: str, games: int, seed: int, progress: Progress = unobserved
) -> Sample:
    """Return what becomes of games between two players of a kind: `RANDOM`, or a level of bots.

    Each game has its own generator, made from the seed and the game's number. A level must not
    be one that thinks for as long as it may, or the games will depend on the machine.
    """
    player = _player(variant, players)
    start = VARIANTS[variant].start
    limit = MAX_TURNS if start.may_never_end else None
    lengths: list[int] = []
    winners: Counter[Side | None] = Counter()
    points = (0.0, 0.0)
    for number in progress(range(games), f"games of {players} players"):
        rng = Random(f"{variant} {players} {seed} {number}")
        position, length = start, 0
        while position.outcome is None and length != limit:
            position = position.play(player(position, rng))
            length += 1
        lengths.append(length)
        if position.outcome is not None:
            winners[position.outcome.winner] += 1
            x, o = position.outcome.points
            points = points[0] + x, points[1] + o
    return Sample(
        players=players,
        seed=seed,
        games=games,
        limit=limit,
        x_wins=winners[Side.X],
        o_wins=winners[Side.O],
        draws=winners[None],
        moves=sum(lengths),
        shortest=min(lengths),
        longest=max(lengths),
        points=points,
    )


def _player(variant: str, players: str) -> Player:
    if players == RANDOM:
        return lambda position, rng: position.random_move(rng)
    bot = level(variant, players).bot
    return lambda position, rng: bot.choose(position, _SECONDS, rng).move
