"""Matches between bots in this process: sides alternate, and openings come in pairs."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from capsule.cli.arena import MatchResults
from engine import VARIANTS, Side
from engine.bots import Bot
from engine.bots.hosting.match import MAX_MOVES, opening
from engine.bots.registry import bots_of


class Player(NamedTuple):
    """A bot and the seconds that it may think about each move."""

    bot: Bot
    seconds: float


def game(variant: str, x: Player, o: Player, moves: Sequence[str], random: Random) -> list[str]:
    """Return the moves of a game that continues from `moves`, left after `MAX_MOVES` if need be."""
    position = VARIANTS[variant].replay(moves)
    moves = [*moves]
    while position.outcome is None and not (position.may_never_end and len(moves) >= MAX_MOVES):
        bot, seconds = x if position.turn is Side.X else o
        moves.append(bot.choose(position, seconds, random).move)
        position = position.play(moves[-1])
    return moves


def result(
    variant: str,
    one: Player,
    other: Player,
    *,
    side: Side,
    random: Random,
    moves: Sequence[str] = (),
) -> MatchResults:
    """Return the result for `one` of a game that continues from `moves`, in which it has `side`."""
    x, o = (one, other) if side is Side.X else (other, one)
    outcome = VARIANTS[variant].replay(game(variant, x, o, moves, random)).outcome
    winner = outcome and outcome.winner
    return MatchResults(winner is side, winner is None, winner is side.other)


def total(results: Iterable[MatchResults]) -> MatchResults:
    """Return the results of several matches together."""
    each = list(results)
    return MatchResults(
        sum(one.wins for one in each),
        sum(one.draws for one in each),
        sum(one.losses for one in each),
    )


def match(variant: str, one: Player, other: Player, games: int, seed: int = 1) -> MatchResults:
    """Return how `one` did: games 2n and 2n + 1 share an opening, with the sides exchanged."""
    length = bots_of(variant).openings
    return total(
        result(
            variant,
            one,
            other,
            side=tuple(Side)[number % 2],
            random=Random(f"{seed} game {number}"),
            moves=opening(variant, length, Random(f"{seed} opening {number // 2}")),
        )
        for number in range(games)
    )
