"""What a player has written under games and about themselves, and their favourites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.db.schema.social import (
    annotated_games,
    comments,
    favourites,
    introductions,
    messages,
    notes,
)
from capsule.social import comment_queries

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Count the player's comments no longer."""
    comment_queries.discount_comments(connection, player.id)


PERSONAL_DATA = PersonalData(
    (introductions, favourites, messages, comments, notes, annotated_games), erase=erase
)
