"""Starting a game: which one, against whom, and on which terms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.devices import link_path
from capsule.errors import OutdatedAction
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.quota import TooManyGames
from capsule.play import challenges, starting, terms
from capsule.ui import query_terms, responses
from capsule.ui.routes import KEY, VARIANT, one_of
from engine import VARIANTS
from engine.bots.levels import LEVELS, level
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.play.terms import Terms
    from capsule.ui.routes import Routes


SUBJECT = "new game"
"""What the keys on these pages are for."""


def choose_variant(context: AppContext, request: Request) -> Response:
    """Return the page that offers the five games."""
    visitor = identity.signed_in(context, request)
    return responses.page(
        visitor.reader,
        "play/choose_variant.gmi",
        link=link_path(context, visitor),
        variants=VARIANTS.values(),
    )


def choose_way(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page that offers the ways to play one game, on the terms of the query.

    The terms stand in the addresses of the page alone: nothing is kept until a game starts. Terms
    that cannot be read are as if they were not there.
    """
    visitor = identity.signed_in(context, request)
    try:
        chosen = terms.read(request.query)
    except query_terms.TermsRefused:
        chosen = starting.DEFAULT_TERMS
    return responses.page(
        visitor.reader,
        "play/new_game.gmi",
        link=link_path(context, visitor),
        variant=VARIANTS[variant],
        key=visitor.account_key(context, SUBJECT),
        levels={name: level(variant, name).description for name in LEVELS},
        waiting=starting.games_to_join(context, visitor.player, variant, limit=5),
        terms=chosen,
        terms_query=_with_mark(chosen),
        sides={side: _with_mark(replace(chosen, side=side)) for side in terms.SIDES},
        days={days: _with_mark(replace(chosen, days=days)) for days in (*DAYS_PER_MOVE, None)},
        listing={listed: _with_mark(replace(chosen, listed=listed)) for listed in (True, False)},
        rating={rated: _with_mark(replace(chosen, rated=rated)) for rated in (True, False)},
    )


def start(context: AppContext, request: Request, variant: str, key: str, way: str) -> Response:
    """Start a game and go to it; a page that has been used leads to a fresh one of its kind.

    So do terms that cannot be read: no game starts on others than were chosen.
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
    if way.startswith("bot-"):
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


def _with_mark(chosen: Terms) -> str:
    return f"?{chosen.query}" if chosen.query else ""


_WAYS = ("invite", "open", "solo", *(f"bot-{level}" for level in LEVELS))

ROUTES: Routes = (
    ("/play/new/", choose_variant),
    (f"/play/new/{VARIANT}", choose_way),
    (f"/play/new/{VARIANT}/{KEY}/{one_of('way', _WAYS)}", start),
    (f"/play/new/{VARIANT}/{KEY}/(?:(?P<written>[^/]+)/)?challenge", challenge),
)
