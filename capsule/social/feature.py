"""The texts of players, and their favourites, as a feature."""

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.schema import social as tables
from capsule.feature import Feature
from capsule.social import line_queries, queries
from capsule.social.pages import introductions, messages, notes, relations


def on_ban(transaction: Transaction, player: Player) -> None:
    """Erase a banned player's introduction, and make their notes on games private."""
    connection = transaction.connection
    queries.erase_introduction(connection, player.id)
    line_queries.set_published(connection, player.id, is_shown=False)


FEATURE = Feature(
    (*notes.ROUTES, *relations.ROUTES, *introductions.ROUTES, *messages.ROUTES),
    (
        tables.introductions,
        tables.favourites,
        tables.messages,
        tables.comments,
        tables.notes,
        tables.annotated_games,
    ),
    # A comment of an erased player is not counted.
    erase=lambda transaction, player: line_queries.discount_comments(
        transaction.connection, player.id
    ),
    on_ban=on_ban,
)
