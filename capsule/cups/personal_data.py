"""Export and erasure of a player's entries to cups."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext, PersonalData
from capsule.cups import queries
from capsule.db.schema.tournaments import cup_entries, cup_winners


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay, a former player's."""
    queries.remove_entries_ahead(connection, player.id)


PERSONAL_DATA = PersonalData((cup_entries, cup_winners), erase=erase)
