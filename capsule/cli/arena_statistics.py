"""The statistics of a match: points, intervals, differences and times."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.bots.hosting.match import MatchGame


_95 = 1.959964
"""The number of standard deviations to either side that cover 95 % of a normal distribution."""


@dataclass(frozen=True)
class MatchResults:
    """The results of some games from A's point of view.

    >>> MatchResults(6, 2, 2).score
    0.7
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The number of games that A won, with draws counted as half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """A's share of the points, from 0 to 1; at least one game must have been played."""
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the score.

        It is Wilson's (E. B. Wilson, "Probable inference, the law of succession, and statistical
        inference", Journal of the American Statistical Association 22, 1927, pages 209 to 212),
        which is valid even for few games and one-sided results. A draw counts as half a win and
        half a loss, which makes the interval wider than necessary if there are many draws.

        >>> [round(end, 3) for end in MatchResults(8, 0, 2).interval()]
        [0.49, 0.943]
        >>> [round(end, 3) for end in MatchResults(10, 0, 0).interval()]
        [0.722, 1.0]
        """
        games, share, square = self.games, self.score, _95**2
        centre = share + square / (2 * games)
        half = _95 * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
        whole = 1 + square / games
        # For a score of 0 or 1 the interval ends exactly there: rounding errors must not move it.
        low = (centre - half) / whole if share > 0 else 0.0
        high = (centre + half) / whole if share < 1 else 1.0
        return low, high


def elo_difference(share: float) -> float:
    """Return the Elo difference at which a player is expected to score `share`.

    It is the logistic form, in which every 400 points multiply the odds by ten (A. E. Elo, "The
    Rating of Chessplayers, Past and Present", 1978); it is infinite for a share of 0 or 1.

    >>> round(elo_difference(0.75), 1), elo_difference(0.5), elo_difference(0)
    (190.8, 0.0, -inf)
    """
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def results_of(games: Sequence[MatchGame], x: int | None = None) -> MatchResults:
    """Return the results of games: all of them, or those in which bot `x`, 0 or 1, had X."""
    winners = Counter(game.winner for game in games if x is None or game.x == x)
    return MatchResults(winners[0], winners[None], winners[1])


BEGINNING = 4
"""The number of first moves that distinguish one beginning of a game from another."""


def beginnings(games: Sequence[MatchGame]) -> int:
    """Return in how many ways games began: by their first `BEGINNING` moves, random ones too."""
    return len({game.moves[:BEGINNING] for game in games})


@dataclass(frozen=True)
class Thinking:
    """A bot's thinking time over all its moves; `simulations` is 0 if the bot counts none."""

    moves: int
    seconds: float
    longest: float
    simulations: int

    @property
    def seconds_a_move(self) -> float:
        """The mean time per move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def simulations_a_move(self) -> float:
        """The mean number of simulations per move."""
        return self.simulations / self.moves if self.moves else 0.0

    @property
    def simulations_a_second(self) -> float:
        """The mean number of simulations per second."""
        return self.simulations / self.seconds if self.seconds else 0.0


def thinking(games: Sequence[MatchGame], bot: int) -> Thinking:
    """Return the thinking time of a bot, 0 or 1, in some games."""
    seconds = [each for game in games for each in game.seconds[bot]]
    simulations = sum(game.simulations[bot] for game in games)
    return Thinking(len(seconds), sum(seconds), max(seconds, default=0.0), simulations)
