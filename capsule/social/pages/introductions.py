"""Writing a line about oneself, and naming one's website."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.pages.account import HERE as ACCOUNT
from capsule.accounts.pages.account import SUBJECT
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.social import introductions
from capsule.social.introductions import MAX_LINE_LENGTH
from capsule.social.websites import MAX_BYTES
from capsule.ui.routes import ANY, KEY
from capsule.ui.typed_words import NONE, naming
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from capsule.accounts.model import Player
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.social.model import Introduction
    from capsule.ui.routes import Routes
    from engine import Message


def _part(
    name: str,
    limits: Message,
    ask: Message,
    with_text: Callable[[Introduction, str], Introduction],
) -> Action:
    """Return the action that changes a part of an introduction, given its limits and its prompt."""

    def asks(transaction: Transaction, attempt: Attempt) -> tuple[Message, Message]:
        introductions.require_voice(transaction, attempt.player)
        return naming(limits, NONE), ask

    return Action(
        name=name,
        counter=ActionsOf(SUBJECT),
        back=_own_page,
        asks=asks,
        does=lambda transaction, attempt: introductions.change(
            transaction, attempt.player, with_text, attempt.text
        ),
        # The word that removes things is no text of anybody's.
        quotes=lambda attempt: not introductions.is_removal(attempt.text),
    )


def own_page(player: Player) -> str:
    """Return the address of the player's page where they see what is about themselves."""
    return f"/play/players/{player.name}"


def _own_page(attempt: Attempt) -> str:
    player = attempt.visitor.player
    return ACCOUNT if player is None else own_page(player)


LINE = _part(
    "line",
    message(
        "At most {count} characters (about 100 in Chinese). Everybody can read it. Type {word} to "
        "remove it.",
        count=MAX_LINE_LENGTH,
    ),
    message("Your line about yourself"),
    introductions.with_line,
)

WEBSITE = _part(
    "website",
    message(
        "It begins with gemini://, gopher://, https:// or mailto: and has at most {count} bytes. "
        "Everybody can read it. Type {word} to remove it.",
        count=MAX_BYTES,
    ),
    message("The address of your website"),
    introductions.with_website,
)

ROUTES: Routes = (
    (f"/play/me/{KEY}/line", LINE, ANY),
    (f"/play/me/{KEY}/website", WEBSITE, ANY),
)
