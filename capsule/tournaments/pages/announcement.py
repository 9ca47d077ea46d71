"""Announcing a tournament: the page on which its terms are chosen, and the action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from capsule.accounts import identity, players
from capsule.accounts.pages.devices import link_path
from capsule.errors import OutdatedAction
from capsule.games.clock import DAYS_PER_MOVE
from capsule.tournaments import actions
from capsule.tournaments.actions import MAX_TITLE_LENGTH, TournamentRefused
from capsule.tournaments.model import bots_for
from capsule.tournaments.pages.tournament import refusal
from capsule.tournaments.terms import AT_ONCE, DAYS_UNTIL_START, SEAT_COUNTS, TournamentTerms
from capsule.ui import responses
from capsule.ui.query_terms import TermsRefused
from capsule.ui.render import translate
from capsule.ui.routes import ANY, KEY
from capsule.ui.user_text import TextRefused
from engine import VARIANTS
from engine.bots.levels import MAIN_LEVELS
from engine.bots.registry import levels_of
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Variant

Value = TypeVar("Value")


SUBJECT = "tournaments"
"""The subject of the keys for announcements."""

PATH = "/play/tournaments/new"

DEFAULT_LEVEL = "club"
"""The level of the first bot if a tournament is to start at once and none was chosen."""

DEFAULT_SEATS_AT_ONCE = 4
"""The most seats of a tournament that starts at once, unless more are chosen: with three bots."""


@dataclass(frozen=True, slots=True)
class AnnouncementPage:
    """The page on which the terms of a tournament are chosen, under a title that it proposes.

    `key` is for the announcement; `link` is where a certificate that is new here can be added to a
    player instead, None for other visitors.
    """

    terms: TournamentTerms
    title: str
    key: str
    link: str | None

    @property
    def variant(self) -> Variant:
        """The variant that is chosen."""
        return VARIANTS[self.terms.variant]

    @property
    def action(self) -> str:
        """The address that announces the tournament, under the name in its query."""
        return self._action(self.terms)

    @property
    def action_now(self) -> str:
        """The address that announces the tournament and starts it at once, with bots."""
        return self._action(_at_once(self.terms))

    @property
    def bots_now(self) -> Sequence[str]:
        """The levels of the bots that play if it starts at once."""
        at_once = _at_once(self.terms)
        return bots_for(at_once.variant, at_once.fill_level, at_once.seat_count - 1)

    @property
    def variants(self) -> Mapping[Variant, str]:
        """The address of this page with each other variant; so the properties that follow."""
        return self._others(
            {variant: replace(self.terms, variant=key) for key, variant in VARIANTS.items()}
        )

    @property
    def starts(self) -> Mapping[int | None, str]:
        """The other days until the start, None for a start when the tournament is full."""
        # Without a day there is nothing for bots to fill.
        when_full = replace(self.terms, starts_in=None, fill_level=None)
        days = {days: replace(self.terms, starts_in=days) for days in DAYS_UNTIL_START}
        return self._others({AT_ONCE: _at_once(self.terms), **days, None: when_full})

    @property
    def fill_levels(self) -> Mapping[str | None, str]:
        """The other levels of bots that fill seats, None for no bots; none at all without a day."""
        if self.terms.starts_in is None:
            return {}
        no_bots = () if self.terms.starts_at_once else (None,)
        return self._others(
            {level: replace(self.terms, fill_level=level) for level in (*no_bots, *MAIN_LEVELS)}
        )

    @property
    def seat_counts(self) -> Mapping[int, str]:
        """The other numbers of seats: at once, those for one person and a bot of each level."""
        most = 1 + len(levels_of(self.terms.variant))
        counts = [count for count in SEAT_COUNTS if count <= most or not self.terms.starts_at_once]
        return self._others({count: replace(self.terms, seat_count=count) for count in counts})

    @property
    def paces(self) -> Mapping[int, str]:
        """The other numbers of days per move."""
        return self._others(
            {days: replace(self.terms, days_per_move=days) for days in DAYS_PER_MOVE}
        )

    @property
    def ratings(self) -> Mapping[bool, str]:
        """Rated games instead of casual ones, or the other way round."""
        return self._others({rated: replace(self.terms, rated=rated) for rated in (True, False)})

    def _action(self, terms: TournamentTerms) -> str:
        written = f"/{terms.query}" if terms.query else ""
        return f"/play/tournaments/{self.key}{written}/announce"

    def _others(self, terms: Mapping[Value, TournamentTerms]) -> Mapping[Value, str]:
        return {value: _path_of(other) for value, other in terms.items() if other != self.terms}


def _at_once(terms: TournamentTerms) -> TournamentTerms:
    """Return the terms with a start at once and a moderate number of games against bots."""
    if terms.starts_at_once:
        return terms
    return replace(
        terms,
        starts_in=AT_ONCE,
        fill_level=terms.fill_level or DEFAULT_LEVEL,
        seat_count=min(terms.seat_count, DEFAULT_SEATS_AT_ONCE),
    )


def _path_of(terms: TournamentTerms) -> str:
    return f"{PATH}?{terms.query}" if terms.query else PATH


def choose_terms(context: AppContext, request: Request) -> Response:
    """Return the page on which the terms of a tournament are chosen.

    The terms are in the query and in the links of the page: nothing is stored before the
    announcement. A query that cannot be read counts as none.
    """
    visitor = identity.signed_in(context, request)
    try:
        terms = TournamentTerms.parse(request.query)
    except TermsRefused:
        terms = TournamentTerms()
    page = AnnouncementPage(
        terms,
        title=_proposed_title(context, visitor, terms),
        key=visitor.account_key(context, SUBJECT),
        link=link_path(context, visitor),
    )
    return responses.page(visitor.preferences, "tournaments/announcement.gmi", page=page)


def _proposed_title(context: AppContext, visitor: Visitor, terms: TournamentTerms) -> str:
    game = VARIANTS[terms.variant].name
    player = visitor.player
    name = player.name if player else players.naming(context, identity.certificate_of(visitor)).name
    if name is None:
        return translate(message("A tournament of {game}", game=game))
    return translate(message("{name}'s {game}", name=name, game=game.lower()))


def announce(context: AppContext, request: Request, key: str, written: str | None) -> Response:
    """Ask for the tournament's name; with one, announce the tournament and go to its page.

    The terms are in the path, as `written`, since the query is what is typed.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(PATH)
    ask = message("The tournament's name, at most {longest} characters:", longest=MAX_TITLE_LENGTH)
    try:
        terms = TournamentTerms.parse(written)
        if not request.query:
            return responses.prompt(ask)
        # Asked before the certificate becomes a player's: an unfit name makes nobody a player.
        title = actions.clean_title(request.query)
        player = identity.player_of(context, visitor)
        tournament_id = actions.announce(context, player, terms, title)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except TournamentRefused as error:
        return refusal(visitor, error, PATH)
    except (OutdatedAction, TermsRefused):
        return responses.redirect(PATH)
    return responses.redirect(f"/play/tournaments/{tournament_id}")


ROUTES: Routes = (
    (PATH, choose_terms, ANY),
    (f"/play/tournaments/{KEY}/(?:(?P<written>[^/]+)/)?announce", announce, ANY),
)
