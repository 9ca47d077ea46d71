"""The terms of a new game: side, days per move, listed or not, rated or casual."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from capsule.games.clock import DAYS_PER_MOVE, DEFAULT_DAYS_PER_MOVE
from capsule.games.listed import Listing
from capsule.games.model import Seat
from capsule.ui.board_addresses import quoted
from capsule.ui.query_terms import read_choices, write_choices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext


class SideChoice(StrEnum):
    """The side that a player asks for; the values appear in addresses."""

    X = "x"
    O = "o"  # noqa: E741 - the mark's own name
    RANDOM = "draw"

    @property
    def is_random(self) -> bool:
        """Whether the sides are drawn at random."""
        return self is SideChoice.RANDOM


NO_LIMIT = "none"


def pace_of(days: int | None) -> str:
    """Return a time limit for a move as it appears in a URL: a number of days, or "none"."""
    return NO_LIMIT if days is None else str(days)


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms that a player has chosen for a new game.

    `days` is the time limit for a move, None for no limit. `listed` says against whom the game is
    on the public lists once both seats are taken. `rated` lets it count for ratings, unless it is a
    solo game. `start` is the board from which it is played, as the address of the board ends, ""
    for the start of the variant; such a game is casual.
    """

    side: SideChoice = SideChoice.X
    days: int | None = DEFAULT_DAYS_PER_MOVE
    listed: Listing = Listing.NONE
    rated: bool = True
    start: str = ""

    @property
    def query(self) -> str:
        """The terms as they appear in a URL, which says in any case whether it is listed and rated.

        >>> GameTerms().query, GameTerms(side=SideChoice.O, days=None, rated=False).query
        ('listed=no&rated=yes', 'side=o&days=none&listed=no&rated=no')
        >>> GameTerms(side=SideChoice.O, rated=False, start="b2=5,c1=2").query
        'from=b2=5,c1=2&side=o&listed=no&rated=no'
        """
        start = f"{_FROM}{quoted(self.start)}&" if self.start else ""
        return f"{start}{write_choices(_query_values(self), _UNSPOKEN)}"

    @property
    def query_without_rated(self) -> str:
        """The terms as they appear in a URL that leaves open whether the game is rated.

        >>> GameTerms(days=3).query_without_rated
        'days=3&listed=no'
        """
        return self.query.removesuffix(f"&rated={_query_values(self)['rated']}")

    @property
    def pace(self) -> str:
        """The time limit for a move as it appears in a URL: a number of days, or "none"."""
        return pace_of(self.days)


_FROM = "from="

TERMS_PATTERN = rf"(?:{_FROM}[^&]+&?)?(?:[a-z]{{4,6}}=[a-z0-9]{{1,6}}&?){{0,4}}"
"""The regular expression of terms in a query."""

DEFAULT_TERMS = GameTerms()
"""The terms of an address that does not say others."""


def read(query: str | None, defaults: GameTerms = DEFAULT_TERMS) -> GameTerms:
    """Return the terms in a query that `GameTerms.query` wrote, defaults for those missing.

    Raises `TermsRefused` if the query contains anything else, or a term twice.

    >>> read("days=3&side=o")
    GameTerms(side=<SideChoice.O: 'o'>, days=3, listed=<Listing.NONE: 'no'>, rated=True, start='')
    >>> read("from=b2=5").start
    'b2=5'
    """
    beginning, _, others = (query or "").partition("&")
    start = beginning.removeprefix(_FROM) if beginning.startswith(_FROM) else ""
    if start:
        query = others
    values = _query_values(defaults) | read_choices(query, _VALUES)
    days = values["days"]
    return GameTerms(
        side=SideChoice(values["side"]),
        days=None if days == NO_LIMIT else int(days),
        listed=Listing(values["listed"]),
        rated=values["rated"] == "yes" and not start,
        start=start,
    )


_VALUES: Mapping[str, Sequence[str]] = {
    "side": tuple(SideChoice),
    "days": (*(str(days) for days in DAYS_PER_MOVE), NO_LIMIT),
    "listed": tuple(Listing),
    "rated": ("yes", "no"),
}


_UNSPOKEN = {"side": DEFAULT_TERMS.side, "days": DEFAULT_TERMS.pace}
"""The choices that an address leaves out."""


def _query_values(terms: GameTerms) -> dict[str, str]:
    return {
        "side": terms.side,
        "days": terms.pace,
        "listed": terms.listed,
        "rated": "yes" if terms.rated else "no",
    }


def seats_for(
    context: AppContext, side: SideChoice, player: Player, other: Seat
) -> tuple[Seat, Seat]:
    """Return the seats of X and O: the player's on the chosen side, and `other` opposite."""
    is_x = side is SideChoice.X
    if side is SideChoice.RANDOM:
        is_x = context.random_bytes(1)[0] % 2 == 0
    own = Seat(player_id=player.id)
    return (own, other) if is_x else (other, own)
