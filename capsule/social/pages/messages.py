"""Messages under a game: sending them, reading them all, and letting visitors read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.pages.outdated import NOTHING_SENT
from capsule.context import reading
from capsule.social import messages
from capsule.social import panel as social_panel
from capsule.social.message_queries import MESSAGES
from capsule.social.pages.panel import (
    LINE_NUMBER,
    SUBJECT,
    game_at,
    game_path,
    message_subject,
    shown_messages,
    social_section,
    wanted_number,
)
from capsule.social.texts import TextsUnderGame
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.user_text import ROOM_FOR_TEXT
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    game = game_at(transaction, attempt["game_id"])
    name = messages.require_addressee(transaction, game, attempt.player).name
    agreement = social_panel.agreement_of(game, attempt.player)
    ask = (
        message("Your message to {name}, which visitors can read too", name=name)
        if agreement is not None and agreement.is_mutual
        else message("Your message to {name}", name=name)
    )
    return ROOM_FOR_TEXT, ask


SAY = Action(
    name="say",
    counter=TextsUnderGame(message_subject, MESSAGES.last_by),
    back=game_path,
    asks=_ask,
    does=lambda transaction, attempt: messages.send(
        transaction, attempt.player, attempt["game_id"], attempt.text
    ),
    notice=NOTHING_SENT,
)

SHARE = Action(
    name="share",
    counter=ActionsOf(SUBJECT),
    back=game_path,
    does=lambda transaction, attempt: messages.let_visitors_read(
        transaction, attempt.player, attempt["game_id"], agrees=attempt["verb"] == "show"
    ),
)


@reading
def all_messages(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the messages of a game, page by page, for those who may read them.

    The query is the number of the message with which a page begins, so that its address is
    permanent. A player also finds there who else may read them, and what to do about the opponent.
    """
    visitor = identity.visitor_of(transaction, request)
    game = game_at(transaction, game_id)
    page = messages.page(transaction, game, visitor.player, wanted_number(request))
    panel = social_panel.panel_for(transaction.connection, game, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/messages.gmi",
        game=game,
        messages=shown_messages(game, page.lines),
        page=page,
        social=social_section(transaction.context, game, visitor, panel),
        may_read=social_panel.may_read_messages(game, visitor.player),
        is_between_people=game.stored.is_between_people,
        has_certificate=visitor.certificate is not None,
    )


ROUTES: Routes = (
    (f"/play/{GAME}/messages", all_messages, LINE_NUMBER),
    (f"/play/{GAME}/{KEY}/say", SAY, ANY),
    (f"/play/{GAME}/{KEY}/(?P<verb>show|hide)", SHARE),
)
