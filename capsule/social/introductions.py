"""Introductions of players on their pages: one line, and the address of one website.

Everybody can read it. Like a message, it can be reported, and the operator can remove it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.social import introduction_queries
from capsule.social.rate_limit import mute_refusal
from capsule.social.websites import clean_website
from capsule.ui.typed_words import NONE, is_typed
from capsule.ui.user_text import TextOverLimit, clean_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.social.model import Introduction


MAX_LINE_LENGTH = 120
"""Characters of the line."""


def introduction_of(transaction: Transaction, player: Player) -> Introduction:
    """Return what a player says about themselves."""
    return introduction_queries.introduction_of(transaction.connection, player.id)


def with_line(said: Introduction, text: str) -> Introduction:
    """Return an introduction with the line that was typed; raises `TextRefused` if it is unfit."""
    return replace(said, line="" if is_removal(text) else clean_line(text, MAX_LINE_LENGTH))


def with_website(said: Introduction, text: str) -> Introduction:
    """Return an introduction with the website that was typed; raises `TextRefused` if unfit."""
    return replace(said, website="" if is_removal(text) else clean_website(text))


def change(
    transaction: Transaction,
    player: Player,
    with_text: Callable[[Introduction, str], Introduction],
    text: str,
) -> None:
    """Change what a player says about themselves, by `with_line` or `with_website`.

    Raises `TextRefused` if the text is unfit, and `TextOverLimit` if the operator has muted the
    player, who may remove things still.
    """
    changed = with_text(introduction_of(transaction, player), text)
    if not is_removal(text):
        require_voice(transaction, player)
    introduction_queries.save_introduction(transaction.connection, player.id, changed)
    transaction.erases_words()


def require_voice(transaction: Transaction, player: Player) -> None:
    """Raise `TextOverLimit` if the operator has muted the player."""
    reason = mute_refusal(player, transaction.now)
    if reason is not None:
        raise TextOverLimit(reason)


def is_removal(text: str) -> bool:
    """Return whether a typed text removes what is there: it is blank, or the word for nothing."""
    return not text.strip() or is_typed(text, NONE)
