"""Messages under a game: sending them, reading them all, and letting visitors read them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.games import reading
from capsule.social import messages
from capsule.social import panel as social_panel
from capsule.social.pages.panel import (
    LINE_NUMBER,
    SUBJECT,
    message_subject,
    shown_messages,
    social_section,
    visitor_and_game,
    wanted_number,
)
from capsule.social.pages.typed_lines import TypedLine
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def say(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a message to the opponent; with one, send it and go to the game."""
    visitor, game = visitor_and_game(context, request, game_id)
    player = visitor.player
    typed = TypedLine(
        context,
        visitor,
        game_id,
        key,
        request.query or "",
        subject=message_subject(game_id),
        path=f"/play/{game_id}",
        last_by=messages.last_sent_by,
    )
    opponent = social_panel.opponent_of(game, player)
    agreement = social_panel.agreement_of(game, player)
    if player is None or opponent is None or agreement is None:
        return typed.came_late()
    panel = social_panel.find_panel(context, game, player)
    refusal = messages.refusal(game, player, opponent, panel)
    if not typed.follows(panel.last_sent) or refusal is not None:
        return typed.came_late(refusal)
    ask = (
        message("Your message to {name}, which visitors can read too", name=opponent.name)
        if agreement.is_mutual
        else message("Your message to {name}", name=opponent.name)
    )
    return typed.written(
        ask,
        partial(messages.too_soon, context, player, game_id),
        partial(messages.send, context, player, game_id, panel.last_sent),
    )


def share(context: AppContext, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Let visitors read the messages (`show`) or no longer (`hide`), and go to the game."""
    visitor, _ = visitor_and_game(context, request, game_id)
    path, agrees = f"/play/{game_id}", verb == "show"
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        messages.let_visitors_read(context, player, game_id, agrees=agrees)
    except OutdatedAction:
        found = reading.find_game(context, game_id)
        agreement = None if found is None else social_panel.agreement_of(found, visitor.player)
        if agreement is not None and agreement.own is agrees:
            return responses.redirect(path)
        return outdated.attempt(context, request, SUBJECT, key).answer(path)
    return responses.redirect(path)


def all_messages(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the messages of a game, page by page, for those who may read them.

    The query is the number of the message with which a page begins, so that its address is
    permanent. A player also finds there who else may read them, and what to do about the opponent.
    """
    visitor = identity.visitor_of(context, request)
    game = reading.find_game(context, game_id)
    if game is None:
        raise NotFound
    page = messages.page(context, game, visitor.player, wanted_number(request))
    panel = social_panel.find_panel(context, game, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/messages.gmi",
        game=game,
        messages=shown_messages(game, page.lines),
        page=page,
        social=social_section(context, game, visitor, panel),
        may_read=social_panel.may_read_messages(game, visitor.player),
        is_between_people=game.stored.is_between_people,
        has_certificate=visitor.certificate is not None,
    )


ROUTES: Routes = (
    (f"/play/{GAME}/messages", all_messages, LINE_NUMBER),
    (f"/play/{GAME}/{KEY}/say", say, ANY),
    (f"/play/{GAME}/{KEY}/(?P<verb>show|hide)", share),
)
