"""How strong a player is, as a number with its uncertainty, and what a game does to it.

The model is the Bradley–Terry one of Weng and Lin, "A Bayesian Approximation Method for Online
Ranking", Journal of Machine Learning Research 12 (2011), Algorithm 1, as the library openskill
computes it: between two players it is Elo's with an uncertainty for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from openskill.models import BradleyTerryPart

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine import Side

INITIAL_RATING = 1500
"""The number of a player of whom nothing is known."""

POINTS_PER_MU = 30
"""Points of a number to one of openskill's mean, so that a difference means what it does in Elo's.

Openskill expects 1 / (1 + exp(−d / c)) points of a player who is d better, where c is √2 · 25/6
between players who are known well; Elo's expects 1 / (1 + 10^(−D / 400)). So D is 29.5 d.
"""

PROVISIONAL_ABOVE = 300
"""A rating is provisional while it is less certain than this: for about a dozen games."""


def _full_learning(*_: object) -> float:
    return 1.0


# Partial and full pairing are the same between two players. But in the model of full pairing
# openskill means to even out what it did to those who are tied, which in 6.2 has no effect yet: if
# it had, a draw with somebody stronger would be worth nothing.
_MODEL = BradleyTerryPart(
    mu=25.0,
    sigma=25.0 / 3.0,
    beta=25.0 / 6.0,
    # What is added to the uncertainty before each game. With openskill's own 25/300 who has played
    # much hardly moves any more; with this a win against an equal stays worth seven or eight.
    tau=0.25,
    # The paper's γ, which slows the shrinking of the uncertainty where it is below 1. At 1 it
    # shrinks as fast as the games allow, and still holds the true strength as often as it says.
    gamma=_full_learning,
)


@dataclass(frozen=True)
class Rating:
    """How strong somebody is: the mean and standard deviation of what is known, and from how much.

    >>> Rating().text, Rating(28.7, 1.5, games=80).text
    ('1500? ± 500', '1611 ± 90')
    """

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0

    @property
    def number(self) -> int:
        """The rating as it is shown; 1500 is a new player's, and 200 more wins three of four."""
        return INITIAL_RATING + round(POINTS_PER_MU * (self.mu - INITIAL.mu))

    @property
    def uncertainty(self) -> int:
        """Two standard deviations: 19 times in 20, the strength is not farther from the number."""
        return round(2 * POINTS_PER_MU * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to make much of the number."""
        return self.uncertainty > PROVISIONAL_ABOVE

    @property
    def short(self) -> str:
        """The number alone, with "?" while it is provisional: "1611" or "1500?"."""
        return f"{self.number}?" if self.is_provisional else f"{self.number}"

    @property
    def text(self) -> str:
        """The number and its uncertainty, as it is shown: "1611 ± 90" or "1500? ± 500"."""
        return f"{self.short} ± {self.uncertainty}"


INITIAL = Rating()
"""A new player's rating."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose a rating is: a player's, or that of the bot of a level, in one variant."""

    variant: str
    player_id: int | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a game that counts: whose ratings it changes, and the points of X and O."""

    game_id: str
    holders: Mapping[Side, Holder]
    points: tuple[float, float]
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a game made of the rating of one side; `number` is the game's among those that count."""

    game_id: str
    side: Side
    number: int
    holder: Holder
    rating: Rating


def change(before: Rating, now: Rating) -> str:
    """Return what a game has done to the number, with a sign.

    >>> change(Rating(25.0), Rating(25.4)), change(Rating(25.0), Rating(24.6))
    ('+12', '−12')
    >>> change(INITIAL, INITIAL)
    '±0'
    """
    points = now.number - before.number
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"−{-points}"


def updated(x: Rating, o: Rating, points: tuple[float, float]) -> tuple[Rating, Rating]:
    """Return X's and O's ratings after a game that had these points for X and O.

    The points are a score for X between 0 and 1: 1 for 1 : 0, ½ for a draw, ¾ for quantum's 1 : ½.
    In the paper the mean changes by σ²/c · (score − expected score), where the score is 1, ½ or 0,
    and σ by a factor without the score (Algorithm 1, step 3.1); openskill takes only who came
    first. What is linear in the score is for ¾ halfway between draw and win: so it is put together.

    >>> [rating.text for rating in updated(INITIAL, INITIAL, (1, 0))]
    ['1579? ± 475', '1421? ± 475']
    >>> [rating.number for rating in updated(INITIAL, INITIAL, (1, 0.5))]
    [1540, 1460]
    """
    edge = points[0] - points[1]
    drawn = _after(x, o, [1.0, 1.0])
    if edge == 0:
        return drawn
    won = _after(x, o, [1.0, 2.0] if edge > 0 else [2.0, 1.0])
    share = abs(edge)
    return _between(drawn[0], won[0], share), _between(drawn[1], won[1], share)


def _after(x: Rating, o: Rating, ranks: list[float]) -> tuple[Rating, Rating]:
    teams = [[_MODEL.rating(x.mu, x.sigma)], [_MODEL.rating(o.mu, o.sigma)]]
    (new_x,), (new_o,) = _MODEL.rate(teams, ranks=ranks)
    return (
        Rating(new_x.mu, new_x.sigma, x.games + 1),
        Rating(new_o.mu, new_o.sigma, o.games + 1),
    )


def _between(drawn: Rating, won: Rating, share: float) -> Rating:
    if share == 1:
        return won
    return Rating((1 - share) * drawn.mu + share * won.mu, won.sigma, won.games)
