"""What players write, and their favourites, as a feature."""

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.schema.social import (
    annotated_games,
    comments,
    favourites,
    introductions,
    messages,
    notes,
)
from capsule.feature import Feature
from capsule.social import line_queries, queries
from capsule.social.pages import (
    introductions as introduction_pages,
    messages as message_pages,
    notes as note_pages,
    relations,
)


def on_ban(_context: AppContext, connection: sa.Connection, player: Player) -> None:
    """Erase what the player says about themselves; their notes on games are private again."""
    queries.erase_introduction(connection, player.id)
    line_queries.set_published(connection, player.id, is_shown=False)


FEATURE = Feature(
    (*note_pages.ROUTES, *relations.ROUTES, *introduction_pages.ROUTES, *message_pages.ROUTES),
    (introductions, favourites, messages, comments, notes, annotated_games),
    # A comment of an erased player is not counted.
    erase=lambda _, connection, player: line_queries.discount_comments(connection, player.id),
    on_ban=on_ban,
)
