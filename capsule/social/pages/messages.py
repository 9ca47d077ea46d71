"""Messages under a game: sending them, reading them all, and letting visitors read them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from capsule.accounts import action_keys, identity
from capsule.errors import NotFound, OutdatedAction
from capsule.games import reading
from capsule.social import messages
from capsule.social import panel as social_panel
from capsule.social.pages.panel import (
    SUBJECT,
    message_key,
    shown_messages,
    social_section,
    visitor_and_game,
)
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.user_text import ROOM_FOR_TEXT, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def say(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a message to the opponent; with one, send it and go to the game."""
    visitor, game = visitor_and_game(context, request, game_id)
    player = visitor.player
    opponent = social_panel.opponent_of(game, player)
    agreement = social_panel.agreement_of(game, player)
    to_game = responses.redirect(f"/play/{game_id}")
    if player is None or opponent is None or agreement is None:
        return to_game
    panel = social_panel.find_panel(context, game, player)
    fits = action_keys.fits(key, message_key(visitor, context, game_id, panel.last_sent))
    if not fits or messages.refusal(game, player, opponent, panel) is not None:
        return to_game
    ask = (
        message("Your message to {name}, which visitors can read too:", name=opponent.name)
        if agreement.is_mutual
        else message("Your message to {name}:", name=opponent.name)
    )
    if not request.query:
        reason = messages.too_soon(context, player, game_id)
        if reason is not None:
            return responses.prompt_again(reason, ask)
        return responses.prompt(ROOM_FOR_TEXT, ask)
    try:
        with suppress(OutdatedAction):
            messages.send(context, player, game_id, panel.last_sent, request.query)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    return to_game


def share(context: AppContext, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Let visitors read the messages (`show`) or no longer (`hide`), and go to the game."""
    visitor, _ = visitor_and_game(context, request, game_id)
    if visitor.player and visitor.may_act(context, SUBJECT, key):
        with suppress(OutdatedAction):
            messages.let_visitors_read(context, visitor.player, game_id, agrees=verb == "show")
    return responses.redirect(f"/play/{game_id}")


def all_messages(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the messages of a game, page by page, for those who may read them.

    The query is the number of the message with which a page begins, so that its address is
    permanent. A player also finds there who else may read them, and what to do about the opponent.
    """
    visitor = identity.visitor_of(context, request)
    game = reading.find_game(context, game_id)
    if game is None:
        raise NotFound
    wanted = request.query or ""
    first = int(wanted) if re.fullmatch(_NUMBER, wanted) else None
    page = messages.page(context, game, visitor.player, first)
    panel = social_panel.find_panel(context, game, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/messages.gmi",
        game=game,
        messages=shown_messages(game, page.messages),
        page=page,
        social=social_section(context, game, visitor, panel),
        may_read=social_panel.may_read_messages(game, visitor.player),
        is_between_people=game.stored.is_between_people,
        has_certificate=visitor.certificate is not None,
    )


_NUMBER = "[1-9][0-9]{0,8}"

ROUTES: Routes = (
    (f"/play/{GAME}/messages", all_messages, _NUMBER),
    (f"/play/{GAME}/{KEY}/say", say, ANY),
    (f"/play/{GAME}/{KEY}/(?P<verb>show|hide)", share),
)
