"""Starting a game: the choice of a variant, of an opponent and of the terms."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.names import NAME_PATTERN
from capsule.accounts.pages.devices import link_path
from capsule.errors import OutdatedAction
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.quota import TooManyGames
from capsule.games.reading import find_stored
from capsule.play import challenges, starting, terms
from capsule.play.beginnings import Beginning, beginning_of
from capsule.play.pages import waiting
from capsule.play.pages.refusals import too_many_games
from capsule.play.terms import SideChoice
from capsule.ui import query_terms, responses
from capsule.ui.routes import ANY, KEY, VARIANT, cacheable, one_of
from engine import VARIANTS, Side
from engine.bots import levels_of
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.context import AppContext
    from capsule.games.listing import ListedGame
    from capsule.gemini.types import Request, Response, Wait
    from capsule.play.terms import GameTerms
    from capsule.ui.routes import Routes
    from engine import Message, Variant


SUBJECT = "new game"
"""The subject of the action keys on these pages."""

MAX_WAITING = 5
"""Games to join that the page lists."""


QUICK_LEVEL = "club"
"""The level of the bots against which one link starts a game: the one in the middle."""

_OPPONENT = re.compile(f"with=({NAME_PATTERN})(?:&|$)")


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """The page on which a game of a variant is started, with the terms chosen there.

    `key` lets the visitor start a game, `levels` maps the bots' levels to their descriptions, and
    `waiting` are games with an open seat. `opponent` is the name of the player to challenge, if the
    visitor has come from that player's page, and `beginning` is the game's first position.
    `is_newcomer` says that games against bots are casual until the visitor has ended one.
    """

    variant: Variant
    terms: GameTerms
    key: str
    opponent: str | None
    levels: Mapping[str, Message]
    waiting: Sequence[ListedGame]
    is_newcomer: bool
    beginning: Beginning

    @property
    def own_side(self) -> Side | None:
        """The side that the visitor will have, None if the sides are drawn."""
        side = self.terms.side
        return None if side.is_random else Side(side.upper())

    @property
    def base(self) -> str:
        """The address of the page without its terms."""
        return f"/play/new/{self.variant.key}"

    def address(self, way: str) -> str:
        """Return the address that starts a game in one of the `starting.WAYS`."""
        return f"{self.base}/{self.key}/{way}{_query_string(self.terms)}"

    @property
    def challenge_address(self) -> str:
        """The address that challenges the opponent or, if there is none, asks for a name.

        The terms are in its path, since its query is the name.
        """
        terms = f"{self.terms.query}/" if self.terms.query else ""
        name = f"?{self.opponent}" if self.opponent else ""
        return f"{self.base}/{self.key}/{terms}challenge{name}"

    @property
    def other_sides(self) -> Mapping[SideChoice, str]:
        """The addresses of the page with each other choice of side, by that choice."""
        return {
            side: self._page(replace(self.terms, side=side))
            for side in SideChoice
            if side is not self.terms.side
        }

    @property
    def other_days(self) -> Mapping[int | None, str]:
        """The addresses of the page with each other number of days per move, None for no limit."""
        return {
            days: self._page(replace(self.terms, days=days))
            for days in (*DAYS_PER_MOVE, None)
            if days != self.terms.days
        }

    @property
    def other_listing(self) -> str:
        """The address of the page with the game listed if it is unlisted here, or vice versa."""
        return self._page(replace(self.terms, listed=not self.terms.listed))

    @property
    def other_rating(self) -> str:
        """The address of the page with the game rated if it is casual here, or vice versa."""
        return self._page(replace(self.terms, rated=not self.terms.rated))

    def _page(self, terms: GameTerms) -> str:
        opponent = f"with={self.opponent}" if self.opponent else ""
        query = "&".join(filter(None, (opponent, terms.query)))
        return f"{self.base}?{query}" if query else self.base


@dataclass(frozen=True, slots=True)
class ChooseVariantPage:
    """The page with the variants to choose from; each has a link that starts a game at once.

    `key` lets the visitor start a game. `opponent` is the name of the player to challenge; if there
    is none, the links are for games against bots, and `is_newcomer` says that they are casual until
    one has ended.
    """

    key: str
    opponent: str | None
    is_newcomer: bool

    @property
    def level(self) -> str:
        """The level of the bots."""
        return QUICK_LEVEL

    @property
    def at_once(self) -> Mapping[Variant, str]:
        """The addresses that start a game on the usual terms, by variant."""
        way = f"challenge?{self.opponent}" if self.opponent else f"{starting.BOT}{self.level}"
        return {
            variant: f"/play/new/{variant.key}/{self.key}/{way}" for variant in VARIANTS.values()
        }

    @property
    def on_other_terms(self) -> Mapping[Variant, str]:
        """The addresses of the pages on which opponents and terms are chosen, by variant."""
        query = f"?with={self.opponent}" if self.opponent else ""
        return {variant: f"/play/new/{variant.key}{query}" for variant in VARIANTS.values()}


@cacheable
def choose_variant(context: AppContext, request: Request) -> Response:
    """Return the page with the variants to choose from."""
    visitor = identity.signed_in(context, request)
    opponent, _ = _opponent_in(request.query)
    return responses.page(
        visitor.preferences,
        "play/choose_variant.gmi",
        page=ChooseVariantPage(
            visitor.account_key(context, SUBJECT),
            opponent,
            is_newcomer=starting.is_newcomer(context, visitor.player),
        ),
        link=link_path(context, visitor),
    )


@cacheable
def choose_way(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page with the ways to start a game of a variant, on the terms in the query.

    The terms, and the opponent before them, are in the addresses alone: nothing is stored until a
    game starts. Terms that cannot be read are ignored.
    """
    visitor = identity.signed_in(context, request)
    opponent, query = _opponent_in(request.query)
    try:
        chosen = terms.read(query)
        beginning = beginning_of(context, VARIANTS[variant], chosen)
    except query_terms.TermsRefused:
        chosen, beginning = terms.DEFAULT_TERMS, Beginning(VARIANTS[variant])
    page = NewGamePage(
        variant=VARIANTS[variant],
        terms=chosen,
        key=visitor.account_key(context, SUBJECT),
        opponent=opponent,
        beginning=beginning,
        levels={name: each.description for name, each in levels_of(variant).items()},
        waiting=()
        if chosen.start
        else starting.seats_to_take(context, visitor.player, variant, MAX_WAITING).games,
        is_newcomer=starting.is_newcomer(context, visitor.player),
    )
    return responses.page(
        visitor.preferences, "play/new_game.gmi", page=page, link=link_path(context, visitor)
    )


def start(
    context: AppContext, request: Request, variant: str, key: str, way: str
) -> Response | Wait:
    """Start a game and redirect to it.

    A key that has been used and terms that cannot be read lead to a fresh page: no game starts on
    terms that were not chosen.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"/play/new/{variant}")
    try:
        chosen = terms.read(request.query)
        # Looked at first, so that nobody becomes a player for a board that is not there.
        beginning_of(context, VARIANTS[variant], chosen)
        player = identity.player_of(context, visitor)
        game_id = starting.start(context, player, VARIANTS[variant], way, chosen)
    except (OutdatedAction, query_terms.TermsRefused):
        return responses.redirect(f"/play/new/{variant}")
    except TooManyGames as error:
        return too_many_games(visitor, error, f"/play/new/{variant}")
    if way.startswith(starting.BOT) and (started := find_stored(context, game_id)) is not None:
        # If the bot is X, the next page may already show its first move.
        return waiting.for_bot(context, player, started)
    return responses.redirect(f"/play/{game_id}")


def challenge(
    context: AppContext, request: Request, variant: str, key: str, encoded_terms: str | None
) -> Response:
    """Ask for the name of a player to challenge; given one, start the game and redirect to it.

    The terms are in the path, since the query is what the visitor types.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"/play/new/{variant}")
    ask = message("The name of the player to challenge:")
    try:
        chosen = terms.read(encoded_terms)
        if not request.query:
            return responses.prompt(ask)
        # Checked first: a wrong name makes nobody a player and leaves the key valid.
        challenges.require_challengeable(
            context, visitor.player, VARIANTS[variant], request.query, chosen
        )
        player = identity.player_of(context, visitor)
        game_id = challenges.challenge(context, player, VARIANTS[variant], request.query, chosen)
    except challenges.ChallengeRefused as error:
        return responses.prompt_again(error.message, ask)
    except (OutdatedAction, query_terms.TermsRefused):
        return responses.redirect(f"/play/new/{variant}")
    except TooManyGames as error:
        return too_many_games(visitor, error, f"/play/new/{variant}")
    return responses.redirect(f"/play/{game_id}")


def _opponent_in(query: str | None) -> tuple[str | None, str]:
    """Return the opponent whom a query names, None if there is none, and the rest of the query.

    >>> _opponent_in("with=bob&days=3"), _opponent_in("days=3")
    (('bob', 'days=3'), (None, 'days=3'))
    """
    query = query or ""
    named = _OPPONENT.match(query)
    return (None, query) if named is None else (named[1], query[named.end() :])


def _query_string(chosen: GameTerms) -> str:
    return f"?{chosen.query}" if chosen.query else ""


_WITH = f"with={NAME_PATTERN}"

ROUTES: Routes = (
    ("/play/new/", choose_variant, _WITH),
    (f"/play/new/{VARIANT}", choose_way, rf"(?:{_WITH}&?)?{terms.TERMS_PATTERN}"),
    (f"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}", start, ANY),
    (f"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge", challenge, ANY),
)
