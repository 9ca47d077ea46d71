"""Reporting the opponent of a game to the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.moderation import reports
from capsule.social import panel as social_panel
from capsule.social.pages.panel import SUBJECT, visitor_and_game
from capsule.ui import responses
from capsule.ui.routes import GAME, KEY
from capsule.ui.user_text import MAX_TEXT_LENGTH, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def report(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask what happened; with an answer, report it to the operator and say so."""
    visitor, game = visitor_and_game(context, request, game_id)
    to_game = responses.redirect(f"/play/{game_id}")
    player = visitor.player
    opponent = social_panel.opponent_of(game, player)
    if player is None or not visitor.may_act(context, SUBJECT, key):
        return to_game
    if opponent is None or not opponent.name:
        return to_game
    ask = message("What should the operator know about {name}?", name=opponent.name)
    if not request.query:
        return responses.prompt(message("At most {count} characters.", count=MAX_TEXT_LENGTH), ask)
    try:
        reports.report(context, player, game_id, opponent, request.query)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return to_game
    return responses.page(
        visitor.preferences, "moderation/reported.gmi", name=opponent.name, game_id=game_id
    )


ROUTES: Routes = ((f"/play/{GAME}/{KEY}/report", report),)
