"""Starting a game: which one, against whom, and on which terms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.devices import link_path
from capsule.errors import OutdatedAction
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.quota import TooManyGames
from capsule.play import challenges, starting, terms
from capsule.play.terms import SideChoice
from capsule.ui import query_terms, responses
from capsule.ui.routes import KEY, VARIANT, one_of
from engine import VARIANTS
from engine.bots import LEVELS, level
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Request, Response
    from capsule.play.terms import GameTerms
    from capsule.ui.routes import Routes
    from engine import Message, Variant


SUBJECT = "new game"
"""What the keys on these pages are for."""

MAX_WAITING = 5
"""Games to join that the page shows."""


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """The page on which a game of a variant is started, with the terms that are chosen on it.

    `key` lets the visitor start a game, `levels` are the bots with a line on how each plays, and
    `waiting` are games with a seat to take.
    """

    variant: Variant
    terms: GameTerms
    key: str
    levels: Mapping[str, Message]
    waiting: Sequence[StoredGame]

    @property
    def base(self) -> str:
        """The address of the page without its terms."""
        return f"/play/new/{self.variant.key}"

    def address(self, way: str) -> str:
        """Return the address that starts a game in a way."""
        return f"{self.base}/{self.key}/{way}{_with_mark(self.terms)}"

    @property
    def challenge_address(self) -> str:
        """The address that asks whom to challenge: its query is the name, so terms are in its path."""
        terms = f"{self.terms.query}/" if self.terms.query else ""
        return f"{self.base}/{self.key}/{terms}challenge"

    @property
    def other_sides(self) -> Mapping[SideChoice, str]:
        """The addresses of the page with another side, by that side."""
        return {
            side: self._page(replace(self.terms, side=side))
            for side in SideChoice
            if side is not self.terms.side
        }

    @property
    def other_days(self) -> Mapping[int | None, str]:
        """The addresses of the page with another number of days a move, None for no limit."""
        return {
            days: self._page(replace(self.terms, days=days))
            for days in (*DAYS_PER_MOVE, None)
            if days != self.terms.days
        }

    @property
    def other_listing(self) -> str:
        """The address of the page with the game listed where it is not, and the other way round."""
        return self._page(replace(self.terms, listed=not self.terms.listed))

    @property
    def other_rating(self) -> str:
        """The address of the page with the game rated where it is casual, and the other way round."""
        return self._page(replace(self.terms, rated=not self.terms.rated))

    def _page(self, terms: GameTerms) -> str:
        return f"{self.base}{_with_mark(terms)}"


def choose_variant(context: AppContext, request: Request) -> Response:
    """Return the page that offers the variants."""
    visitor = identity.signed_in(context, request)
    return responses.page(
        visitor.reader,
        "play/choose_variant.gmi",
        link=link_path(context, visitor),
        variants=VARIANTS.values(),
    )


def choose_way(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page that offers the ways to play one variant, on the terms of the query.

    The terms stand in the addresses of the page alone: nothing is kept until a game starts. Terms
    that cannot be read are ignored.
    """
    visitor = identity.signed_in(context, request)
    try:
        chosen = terms.read(request.query)
    except query_terms.TermsRefused:
        chosen = terms.DEFAULT_TERMS
    page = NewGamePage(
        variant=VARIANTS[variant],
        terms=chosen,
        key=visitor.account_key(context, SUBJECT),
        levels={name: level(variant, name).description for name in LEVELS},
        waiting=starting.games_to_join(context, visitor.player, variant, limit=MAX_WAITING),
    )
    return responses.page(
        visitor.reader, "play/new_game.gmi", page=page, link=link_path(context, visitor)
    )


def start(context: AppContext, request: Request, variant: str, key: str, way: str) -> Response:
    """Start a game and go to it.

    A page that has been used leads to a fresh one, and so do terms that cannot be read: no game
    starts on other terms than were chosen.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"/play/new/{variant}")
    try:
        chosen = terms.read(request.query)
        player = identity.player_of(context, visitor)
        game_id = starting.start(context, player, VARIANTS[variant], way, chosen)
    except (OutdatedAction, query_terms.TermsRefused):
        return responses.redirect(f"/play/new/{variant}")
    except TooManyGames as error:
        return responses.page(visitor.reader, "play/too_many_games.gmi", most=error.most)
    if way.startswith(starting.BOT):
        # Where the bot is X, the page that follows may show its first move already.
        context.bots.request_move(game_id, 0, player.id)
    return responses.redirect(f"/play/{game_id}")


def challenge(
    context: AppContext, request: Request, variant: str, key: str, written: str | None
) -> Response:
    """Ask whom to challenge; with a name, start the game and go to it.

    The terms are in the path, since the query is what is typed.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"/play/new/{variant}")
    ask = message("The name of the player whom you challenge:")
    try:
        chosen = terms.read(written)
        if not request.query:
            return responses.prompt(ask)
        # Asked first: a wrong name makes nobody a player, and the key fits the next attempt.
        challenges.require_challengeable(context, visitor.player, request.query)
        player = identity.player_of(context, visitor)
        game_id = challenges.challenge(context, player, VARIANTS[variant], request.query, chosen)
    except challenges.ChallengeRefused as error:
        return responses.prompt_again(error.message, ask)
    except (OutdatedAction, query_terms.TermsRefused):
        return responses.redirect(f"/play/new/{variant}")
    except TooManyGames as error:
        return responses.page(visitor.reader, "play/too_many_games.gmi", most=error.most)
    return responses.redirect(f"/play/{game_id}")


def _with_mark(chosen: GameTerms) -> str:
    return f"?{chosen.query}" if chosen.query else ""


ROUTES: Routes = (
    ("/play/new/", choose_variant),
    (f"/play/new/{VARIANT}", choose_way),
    (f"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}", start),
    (f"/play/new/{VARIANT}/{KEY}/(?:(?P<written>[^/]+)/)?challenge", challenge),
)
