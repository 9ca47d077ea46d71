"""Ratings: a player's strength as a number with an uncertainty, and the effect of a game on it.

The model is the Bradley–Terry model of Weng and Lin, "A Bayesian Approximation Method for Online
Ranking", Journal of Machine Learning Research 12 (2011), Algorithm 1, as the library openskill
computes it. Between two players it is Elo's model with an uncertainty for each.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from openskill.models import BradleyTerryPart

from engine import Side

INITIAL_RATING = 1500
"""The rating of a player about whom nothing is known."""

POINTS_PER_MU = 30
"""Rating points per unit of openskill's mean, which give a difference its meaning in Elo's scale.

Openskill expects a player who is d stronger to score 1 / (1 + exp(−d / c)), where c is √2 · 25/6
between players with little uncertainty; Elo expects 1 / (1 + 10^(−D / 400)). So D is 29.5 d.
"""

PROVISIONAL_ABOVE = 300
"""A rating is provisional while its uncertainty exceeds this: for about a dozen games."""

NEEDED_OPPONENTS = 3
"""A player's rating is provisional before games against this many different players or bots."""


def _full_learning(*_: object) -> float:
    return 1.0


# Between two players, partial and full pairing are the same. But openskill's model of full pairing
# is meant to even out the changes of tied players. In 6.2 that has no effect yet; if it had, a draw
# against a stronger player would be worth nothing.
_MODEL = BradleyTerryPart(
    mu=25.0,
    sigma=25.0 / 3.0,
    beta=25.0 / 6.0,
    # Added to the uncertainty before each game. With openskill's default of 25/300, the rating of a
    # player with many games hardly moves; with this, a win against an equal remains worth seven or
    # eight points.
    tau=0.25,
    # The paper's γ, which slows the shrinking of the uncertainty if it is below 1. At 1 the
    # uncertainty shrinks as fast as the games allow, and its interval still contains the true
    # strength as often as it claims.
    gamma=_full_learning,
)


@dataclass(frozen=True)
class Rating:
    """A rating: the mean and standard deviation of the strength, and the number of games behind it.

    `opponents` counts the different opponents in these games, up to `NEEDED_OPPONENTS`. It is None
    for holders that need none, such as bots and puzzles.

    >>> Rating().text, Rating(28.7, 1.5, games=80).text
    ('1500? ± 500', '1611 ± 90')
    >>> Rating(28.7, 1.5, games=80, opponents=2).text
    '1611? ± 90'
    """

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    opponents: int | None = None

    @property
    def number(self) -> int:
        """The rating as shown; a new player's is 1500, and a lead of 200 wins three in four."""
        return INITIAL_RATING + round(POINTS_PER_MU * (self.mu - INITIAL.mu))

    @property
    def uncertainty(self) -> int:
        """Two standard deviations: 19 times in 20, the strength is within them of the number."""
        return round(2 * POINTS_PER_MU * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether the number is still too uncertain to mean much, or made with too few others."""
        return self.uncertainty > PROVISIONAL_ABOVE or self.needs_opponents

    @property
    def needs_opponents(self) -> bool:
        """Whether it has met too few different opponents."""
        return self.opponents is not None and self.opponents < NEEDED_OPPONENTS

    def with_opponent(self) -> "Rating":
        """Return the rating after a game against an opponent whom it had not met."""
        if self.opponents is None or not self.needs_opponents:
            return self
        return replace(self, opponents=self.opponents + 1)

    @property
    def short(self) -> str:
        """The number alone, with "?" while it is provisional: "1611" or "1500?"."""
        return f"{self.number}?" if self.is_provisional else f"{self.number}"

    @property
    def text(self) -> str:
        """The number and its uncertainty, as shown: "1611 ± 90" or "1500? ± 500"."""
        return f"{self.short} ± {self.uncertainty}"

    def exported(self) -> Mapping[str, float]:
        """Return the rating's fields in a player's export."""
        return {
            "rating": self.number,
            "uncertainty": self.uncertainty,
            "provisional": self.is_provisional,
            "mu": self.mu,
            "sigma": self.sigma,
        }


INITIAL = Rating()
"""A rating about which nothing is known."""


NEW_PLAYER = Rating(opponents=0)
"""A new player's rating."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a rating: a player, or the bot of a level, in one variant."""

    variant: str
    player_id: int | None
    bot: str | None

    @property
    def beginning(self) -> Rating:
        """The rating with which it begins, unless it is of a bot that was measured."""
        return INITIAL if self.bot is not None else NEW_PLAYER


@dataclass(frozen=True, slots=True)
class FormerBot:
    """A bot that another one of its level has replaced, weaker or stronger.

    `first` is the rating with which it began, and `last_number` the number of the last game that
    could count for it. Later ones count for the bot that has replaced it.
    """

    holder: Holder
    last_number: int
    first: Rating


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a game that counts: the holders of the two ratings, and X's and O's points."""

    game_id: str
    holders: Mapping[Side, Holder]
    points: tuple[float, float]
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of one side after a game; `number` is the game's among those that count."""

    game_id: str
    side: Side
    number: int
    holder: Holder
    rating: Rating


def format_change(before: Rating, after: Rating) -> str:
    """Return the difference that a game has made to the number shown, with a sign.

    >>> format_change(Rating(25.0), Rating(25.4)), format_change(Rating(25.0), Rating(24.6))
    ('+12', '−12')
    >>> format_change(INITIAL, INITIAL)
    '±0'
    """
    points = after.number - before.number
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"−{-points}"


def lead_for(score: float) -> float:
    """Return the lead in points at which a player is expected to score this much, from 0 to 1.

    It is the inverse of the model's expectation (see `POINTS_PER_MU`) between two ratings of
    little uncertainty. Raises `ValueError` for a score of 0, `ZeroDivisionError` for one of 1.

    >>> lead_for(0.5), round(lead_for(0.75)), round(lead_for(0.25))
    (0.0, 194, -194)
    """
    return POINTS_PER_MU * math.sqrt(2) * _MODEL.beta * math.log(score / (1 - score))


def updated(x: Rating, o: Rating, points: tuple[float, float]) -> tuple[Rating, Rating]:
    """Return X's and O's ratings after a game in which they scored these points.

    The points make a score for X between 0 and 1: 1 for 1 : 0, ½ for a draw, ¾ for quantum's 1 : ½.
    In the paper the mean changes by σ²/c · (score − expected score), where the score is 1, ½ or 0,
    and σ by a factor that does not depend on the score (Algorithm 1, step 3.1). Openskill accepts
    only ranks. Since the mean is linear in the score, its change for ¾ lies halfway between those
    for a draw and a win, and is interpolated from them.

    >>> [rating.text for rating in updated(INITIAL, INITIAL, (1, 0))]
    ['1579? ± 475', '1421? ± 475']
    >>> [rating.number for rating in updated(INITIAL, INITIAL, (1, 0.5))]
    [1540, 1460]
    """
    margin = points[0] - points[1]
    drawn = _rate(x, o, [1.0, 1.0])
    if margin == 0:
        return drawn
    decided = _rate(x, o, [1.0, 2.0] if margin > 0 else [2.0, 1.0])
    share = abs(margin)
    return (_interpolate(drawn[0], decided[0], share), _interpolate(drawn[1], decided[1], share))


def _rate(x: Rating, o: Rating, ranks: list[float]) -> tuple[Rating, Rating]:
    teams = [[_MODEL.rating(x.mu, x.sigma)], [_MODEL.rating(o.mu, o.sigma)]]
    (new_x,), (new_o,) = _MODEL.rate(teams, ranks=ranks)
    return (
        replace(x, mu=new_x.mu, sigma=new_x.sigma, games=x.games + 1),
        replace(o, mu=new_o.mu, sigma=new_o.sigma, games=o.games + 1),
    )


def _interpolate(drawn: Rating, decided: Rating, share: float) -> Rating:
    if share == 1:
        return decided
    return replace(decided, mu=(1 - share) * drawn.mu + share * decided.mu)
