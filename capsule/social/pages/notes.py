"""Private notes on a game: adding one, and clearing them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule.accounts import action_keys
from capsule.errors import OutdatedAction
from capsule.social import notes
from capsule.social import panel as social_panel
from capsule.social.pages.panel import note_key, visitor_and_game
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.user_text import ROOM_FOR_TEXT, TextRefused, is_confirmed
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def add(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a note; with one, store it and go to the game."""
    player, newest = _writer_and_newest(context, request, game_id, key)
    if player is None:
        return responses.redirect(f"/play/{game_id}")
    ask = message("Your note, which nobody else sees:")
    if not request.query:
        return responses.prompt(ROOM_FOR_TEXT, ask)
    try:
        with suppress(OutdatedAction):
            notes.add(context, player, game_id, newest, request.query)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    return responses.redirect(f"/play/{game_id}")


def clear(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for the word; with it, clear the player's notes on the game and go there."""
    player, newest = _writer_and_newest(context, request, game_id, key)
    if player is None:
        return responses.redirect(f"/play/{game_id}")
    if not is_confirmed(request.query, "clear"):
        return responses.prompt(message("Type clear to clear your notes on this game:"))
    with suppress(OutdatedAction):
        notes.clear(context, player, game_id, newest)
    return responses.redirect(f"/play/{game_id}")


def _writer_and_newest(
    context: AppContext, request: Request, game_id: str, key: str
) -> tuple[Player | None, int]:
    """Return the player, None if the key does not fit, and the number of their newest note."""
    visitor, game = visitor_and_game(context, request, game_id)
    newest = notes.newest_of(social_panel.find_panel(context, game, visitor.player).notes)
    if not action_keys.fits(key, note_key(visitor, context, game_id, newest)):
        return None, newest
    return visitor.player, newest


ROUTES: Routes = (
    (f"/play/{GAME}/{KEY}/note", add, ANY),
    (f"/play/{GAME}/{KEY}/clear", clear, ANY),
)
