"""Export and erasure of a player's part in tournaments."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext, PersonalData
from capsule.db.schema.tournaments import tournament_seats, tournaments
from capsule.games.model import EndReason
from capsule.tournaments.actions import end_games


def erase(context: AppContext, connection: Connection, player: Player) -> None:
    """End the player's games, and leave their tournaments."""
    end_games(context, connection, player, EndReason.ERASED)


PERSONAL_DATA = PersonalData((tournaments, tournament_seats), erase=erase)
