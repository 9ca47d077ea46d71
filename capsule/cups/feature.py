"""The monthly cup as a feature."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.cups import course, pages, queries
from capsule.db.schema.tournaments import cup_entries, cup_winners
from capsule.feature import Feature


def withdraw(_context: AppContext, connection: Connection, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay."""
    queries.remove_entries_ahead(connection, player.id)


FEATURE = Feature(
    pages.ROUTES,
    (cup_entries, cup_winners),
    erase=withdraw,
    sweep=((course.advance_cups, "Steps of the cups could not be taken"),),
    on_ban=withdraw,
)
