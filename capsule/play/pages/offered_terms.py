"""The terms on which a page offers games, and the page on which they are changed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from capsule.accounts import identity, players
from capsule.accounts.model import Player
from capsule.accounts.names import NAME_PATTERN
from capsule.accounts.queries import player_called
from capsule.context import Transaction, reading
from capsule.games import rated
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.visibility import Listing, usual_listing
from capsule.gemini.types import Request, Response
from capsule.play import starting, terms
from capsule.play.pages.answers import no_opponent
from capsule.play.terms import DEFAULT_TERMS, Beginning, GameTerms, SideChoice, beginning_of
from capsule.ui import responses
from capsule.ui.paging import TermsRefused
from capsule.ui.routes import VARIANT, Routes, cacheable
from engine import VARIANTS, Side, Variant

WITH_PATTERN = f"with={NAME_PATTERN}"
"""The regular expression of an opponent's name in a query."""

OFFER_PATTERN = rf"(?:{WITH_PATTERN}&?)?{terms.TERMS_PATTERN}"
"""The regular expression of a query with an opponent's name, terms, or both."""

_LISTINGS = (Listing.ALL, Listing.WITH_PEOPLE, Listing.NONE)
"""The listings that a page offers to everybody."""

_OPPONENT = re.compile(f"with=({NAME_PATTERN})(?:&|$)")


class RatedAgainst(Enum):
    """The opponents against whom a game is rated."""

    EVERYBODY = auto()
    PEOPLE = auto()
    NOBODY = auto()


@dataclass(frozen=True, slots=True)
class OfferedTerms:
    """The terms on which a page offers games of a variant, against people and against bots.

    `opponent` is the name of the player to challenge, if the visitor has come from that player's
    page, and `beginning` is the game's first position. Against bots a game is rated by default if
    the visitor has set `rates_bots`, and can only be if they `may_rate_bots`: a newcomer may not.
    `usual_listing` is what the visitor has set. A game with the opponent `is_surplus` if enough
    others have begun today, so that it does not count even if its terms let it.
    """

    variant: Variant
    beginning: Beginning
    against_people: GameTerms
    against_bots: GameTerms
    opponent: str | None
    rates_bots: bool
    may_rate_bots: bool
    usual_listing: Listing
    is_surplus: bool = False

    @property
    def own_side(self) -> Side | None:
        """The side that the visitor will have, None if the sides are drawn."""
        side = self.against_people.side
        return None if side.is_random else Side(side.upper())

    @property
    def rated_against(self) -> RatedAgainst:
        """The opponents against whom games are rated on these terms."""
        if self.against_bots.rated:
            return RatedAgainst.EVERYBODY
        return RatedAgainst.PEOPLE if self.against_people.rated else RatedAgainst.NOBODY

    @property
    def base(self) -> str:
        """The address of the page that starts games, without terms."""
        return f"/play/new/{self.variant.key}"

    @property
    def page(self) -> str:
        """The address of the page that starts games on these terms."""
        return self._page(self.against_people)

    @property
    def levels(self) -> str:
        """The address of the page with all levels of bots, on these terms."""
        return f"{self.base}/bots?{self._query(self.against_people)}"

    @property
    def change(self) -> str:
        """The address of the page on which they are changed."""
        return f"{self.base}/terms?{self._query(self.against_people)}"

    @property
    def other_sides(self) -> Mapping[SideChoice, str]:
        """The addresses of the page with each other choice of side, by that choice."""
        chosen = self.against_people
        return {
            side: self._page(replace(chosen, side=side))
            for side in SideChoice
            if side is not chosen.side
        }

    @property
    def other_days(self) -> Mapping[int | None, str]:
        """The addresses of the page with each other number of days per move, None for no limit."""
        chosen = self.against_people
        return {
            days: self._page(replace(chosen, days=days))
            for days in (*DAYS_PER_MOVE, None)
            if days != chosen.days
        }

    @property
    def other_listings(self) -> Mapping[Listing, str]:
        """The addresses of the page with games listed against others, by these."""
        chosen = self.against_people
        offered = dict.fromkeys((self.usual_listing, *_LISTINGS))
        return {
            listing: self._page(replace(chosen, listed=listing))
            for listing in offered
            if listing is not chosen.listed
        }

    @property
    def other_ratings(self) -> Mapping[RatedAgainst, str]:
        """The addresses of the page with games rated against others; none for a board's games."""
        if self.beginning.board:
            return {}
        common = self._page(self.against_people, is_rated_said=False)
        ways = {RatedAgainst.NOBODY: f"{common}&rated=no"}
        if self.may_rate_bots:
            ways[RatedAgainst.EVERYBODY] = f"{common}&rated=yes"
        if not (self.may_rate_bots and self.rates_bots):
            ways[RatedAgainst.PEOPLE] = common
        return {way: page for way, page in ways.items() if way is not self.rated_against}

    def _page(self, chosen: GameTerms, *, is_rated_said: bool | None = None) -> str:
        return f"{self.base}?{self._query(chosen, is_rated_said=is_rated_said)}"

    def _query(self, chosen: GameTerms, *, is_rated_said: bool | None = None) -> str:
        """Return the query of a page with terms.

        It says whether games are rated unless that depends on the opponent, or as asked for.
        """
        if is_rated_said is None:
            is_rated_said = self.rated_against is not RatedAgainst.PEOPLE
        opponent = f"with={self.opponent}&" if self.opponent else ""
        return opponent + (chosen.query if is_rated_said else chosen.query_without_rated)


def offered_terms(
    transaction: Transaction, player: Player | None, variant: Variant, query: str | None
) -> OfferedTerms:
    """Return the terms in a query, the defaults if it cannot be read."""
    opponent, query = opponent_in(query)
    rates_bots = players.rates_bots(player)
    listing = usual_listing(player)
    usual = replace(DEFAULT_TERMS, listed=listing)
    usual_with_bots = replace(usual, rated=rates_bots)
    try:
        against_people, against_bots = terms.read(query, usual), terms.read(query, usual_with_bots)
        beginning = beginning_of(transaction, variant, against_people)
    except TermsRefused:
        against_people, against_bots = usual, usual_with_bots
        beginning = Beginning(variant)
    is_surplus = (
        opponent is not None
        and against_people.rated
        and _is_surplus(transaction, player, variant, opponent)
    )
    may_rate_bots = opponent is None and not starting.is_newcomer(transaction, player)
    if not may_rate_bots:
        against_bots = replace(against_bots, rated=False)
    return OfferedTerms(
        variant,
        beginning,
        against_people,
        against_bots,
        opponent,
        rates_bots,
        may_rate_bots,
        listing,
        is_surplus,
    )


def _is_surplus(
    transaction: Transaction, player: Player | None, variant: Variant, opponent: str
) -> bool:
    if player is None:
        return False
    connection, now = transaction.connection, transaction.now
    other = player_called(connection, opponent, now)
    return other is not None and rated.is_surplus(connection, variant, player.id, other.id, now)


def opponent_in(query: str | None) -> tuple[str | None, str]:
    """Return the opponent whom a query names, None if there is none, and the rest of the query.

    >>> opponent_in("with=bob&days=3"), opponent_in("days=3")
    (('bob', 'days=3'), (None, 'days=3'))
    """
    query = query or ""
    named = _OPPONENT.match(query)
    return (None, query) if named is None else (named[1], query[named.end() :])


@cacheable
@reading
def change_terms(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with a link to the page of a new game for every other choice of a term."""
    visitor = identity.signed_in(transaction, request)
    offered = offered_terms(transaction, visitor.player, VARIANTS[variant], request.query)
    if (refused := no_opponent(transaction, visitor, offered.opponent)) is not None:
        return refused
    return responses.page(visitor.preferences, "play/terms.gmi", offered=offered)


ROUTES: Routes = ((f"/play/new/{VARIANT}/terms", change_terms, OFFER_PATTERN),)
