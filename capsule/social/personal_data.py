"""What a player has written under games and about themselves, and their favourites."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext, PersonalData
from capsule.db.schema.social import (
    annotated_games,
    comments,
    favourites,
    introductions,
    messages,
    notes,
)
from capsule.social import line_queries


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Count the player's comments no longer."""
    line_queries.discount_comments(connection, player.id)


PERSONAL_DATA = PersonalData(
    (introductions, favourites, messages, comments, notes, annotated_games), erase=erase
)
