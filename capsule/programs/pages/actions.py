"""Actions of programs: the browsers' own, answered with the new state of the game."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from capsule.play import starting
from capsule.play.pages import actions, new_game
from capsule.programs.answers import in_json, refusal
from capsule.programs.pages.games import refusal_of_terms, state
from capsule.ui.query_terms import TermsRefused
from capsule.ui.render import translate
from capsule.ui.routes import ANY, GAME, KEY, VARIANT, one_of
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes

VERBS = tuple(verb for verb in actions.VERBS if verb not in {"hint", "plan", "forget"})
"""The actions of programs in a game: those of people, without hints and notes."""

_VERBS_WITH_TERMS = ("join", "accept", "rematch")

_GAME_PAGE = re.compile(f"/play/{GAME}")


def act(
    context: AppContext, request: Request, game_id: str, key: str, verb: str
) -> Response | Wait:
    """Take an action in a game, as a browser does, and return the new state of the game."""
    if verb in _VERBS_WITH_TERMS:
        try:
            actions.listing_in(request.query)
        except TermsRefused:
            return refusal_of_terms("listed=yes|no")
    done = actions.act(context, request, game_id, key, verb)
    return in_json(done, partial(_state_at, context, request))


def start(
    context: AppContext, request: Request, variant: str, key: str, way: str
) -> Response | Wait:
    """Start a game, as a browser does, and return its state."""
    done = new_game.START(context, request, key, variant=variant, way=way)
    return in_json(done, partial(_state_at, context, request))


def challenge(
    context: AppContext, request: Request, variant: str, key: str, encoded_terms: str | None
) -> Response | Wait:
    """Challenge the player whom the query names, and return the state of the game."""
    named = {"variant": variant, "encoded_terms": encoded_terms}
    done = new_game.CHALLENGE(context, request, key, **named)
    return in_json(done, partial(_state_at, context, request))


def _state_at(context: AppContext, request: Request, address: str) -> Response:
    """Return the state of the game to which a browser would be led."""
    game = _GAME_PAGE.fullmatch(address)
    if game is None:
        return refusal(
            translate(
                message("This address is no longer yours to use: ask for the addresses again")
            )
        )
    return state(context, request, game["game_id"])


ROUTES: Routes = (
    (rf"/play/{GAME}/{KEY}/{one_of('verb', VERBS)}\.json", act, ANY),
    (rf"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}\.json", start, ANY),
    (rf"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge\.json", challenge, ANY),
)
