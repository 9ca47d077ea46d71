"""Matches between bots: sides alternate, openings come in pairs, and a score has its interval."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from engine import VARIANTS, Side
from engine.bots.hosting.match import MAX_MOVES
from engine.bots.registry import bots_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position
    from engine.bots import Bot


class Player(NamedTuple):
    """A bot and the seconds that it may think about each move."""

    bot: Bot
    seconds: float


class Score(NamedTuple):
    """The games that were won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def share(self) -> float:
        """A draw counts half, whatever points it gives."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 % for the share."""
        number, share, z = self.games, self.share, 1.96
        middle = share + z * z / (2 * number)
        half = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number**2))
        whole = 1 + z * z / number
        return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)

    def __str__(self) -> str:
        low, high = self.interval
        games = f"{self.won} won, {self.drawn} drawn, {self.lost} lost"
        return f"{self.share:6.1%}  [{low:.1%}, {high:.1%}]  {games}"


def opening(variant: str, random: Random) -> list[str]:
    """Return the random moves that a game of a variant starts with, those of a ladder."""
    position: Position = VARIANTS[variant].start
    moves = []
    for _ in range(bots_of(variant).openings):
        moves.append(random.choice(list(position.legal_moves())))
        position = position.play(moves[-1])
    return moves


def game(variant: str, x: Player, o: Player, moves: Sequence[str], random: Random) -> list[str]:
    """Return the moves of a game that goes on from `moves`, left after `MAX_MOVES` if need be."""
    position = VARIANTS[variant].replay(moves)
    moves = [*moves]
    while position.outcome is None and not (position.may_never_end and len(moves) >= MAX_MOVES):
        bot, seconds = x if position.turn is Side.X else o
        moves.append(bot.choose(position, seconds, random).move)
        position = position.play(moves[-1])
    return moves


def match(variant: str, one: Player, other: Player, games: int, seed: int = 1) -> Score:
    """Return how `one` did: games 2n and 2n + 1 share an opening, with the sides exchanged."""
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for number in range(games):
        moves = opening(variant, Random(f"{seed} opening {number // 2}"))
        side = Side.X if number % 2 == 0 else Side.O
        x, o = (one, other) if side is Side.X else (other, one)
        moves = game(variant, x, o, moves, Random(f"{seed} game {number}"))
        outcome = VARIANTS[variant].replay(moves).outcome
        winner = outcome and outcome.winner
        counts["drawn" if winner is None else "won" if winner is side else "lost"] += 1
    return Score(**counts)
