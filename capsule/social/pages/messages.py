"""Messages under a game: sending them, reading them all, and letting visitors read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import action_keys, identity
from capsule.accounts.action_keys import REMEMBERED
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.games import reading
from capsule.social import messages
from capsule.social import panel as social_panel
from capsule.social.pages.panel import (
    SUBJECT,
    message_key,
    message_subject,
    shown_messages,
    social_section,
    visitor_and_game,
)
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.user_text import ROOM_FOR_TEXT, TextOverLimit, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


def say(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a message to the opponent; with one, send it and go to the game."""
    visitor, game = visitor_and_game(context, request, game_id)
    late = _LateMessage(context, visitor, game_id, key, request.query or "")
    player = visitor.player
    opponent = social_panel.opponent_of(game, player)
    agreement = social_panel.agreement_of(game, player)
    if player is None or opponent is None or agreement is None:
        return late.answer()
    panel = social_panel.find_panel(context, game, player)
    refusal = messages.refusal(game, player, opponent, panel)
    fits = action_keys.fits(key, message_key(visitor, context, game_id, panel.last_sent))
    if not fits or refusal is not None:
        return late.answer(refusal)
    ask = (
        message("Your message to {name}, which visitors can read too", name=opponent.name)
        if agreement.is_mutual
        else message("Your message to {name}", name=opponent.name)
    )
    if not request.query:
        reason = messages.too_soon(context, player, game_id)
        if reason is not None:
            return responses.prompt_again(reason, ask)
        return responses.prompt(ROOM_FOR_TEXT, ask)
    return _send(late, player, panel.last_sent, ask)


def _send(late: _LateMessage, player: Player, last_sent: int, ask: Message) -> Response:
    try:
        messages.send(late.context, player, late.game_id, last_sent, late.typed)
    except TextOverLimit as error:
        return late.answer(error.message)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return late.answer()
    return responses.redirect(late.path)


@dataclass(frozen=True, slots=True)
class _LateMessage:
    """A message under a game, which may have come too late."""

    context: AppContext
    visitor: Visitor
    game_id: str
    key: str
    typed: str

    @property
    def path(self) -> str:
        """The address of the game's page."""
        return f"/play/{self.game_id}"

    def answer(self, refusal: Message | None = None) -> Response:
        """Return that page, which says that the message was not sent, and perhaps why.

        It does not if this very link has sent that message, as the player's last.
        """
        player = self.visitor.player
        sent = (
            ()
            if player is None
            else messages.last_sent_by(self.context, player, self.game_id, REMEMBERED)
        )
        subject = message_subject(self.game_id)
        late = outdated.late_text(self.context, self.visitor, subject, self.key, sent)
        undone = outdated.NOTHING_SENT
        if refusal is not None:
            undone = outdated.always(message("Nothing was sent. {reason}.", reason=refusal))
        return late.answer(self.path, undone, self.typed)


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
