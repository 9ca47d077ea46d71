"""Tournaments as a feature."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.schema.tournaments import tournament_seats, tournaments
from capsule.feature import Feature
from capsule.games.model import EndReason
from capsule.tournaments import actions, feed, queries
from capsule.tournaments.pages import announcement, tournament


def erase(context: AppContext, connection: Connection, player: Player) -> None:
    """End the player's games, and leave their tournaments."""
    actions.end_games(context, connection, player, EndReason.ERASED)


def on_ban(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase the titles that the player gave to tournaments."""
    queries.erase_titles(connection, player.id)


FEATURE = Feature(
    (*tournament.ROUTES, *announcement.ROUTES),
    (tournaments, tournament_seats),
    erase=erase,
    sweep=((actions.start_and_end_due, "Tournaments could not be started or ended"),),
    on_ban=on_ban,
    public_entries=feed.public_entries,
    private_entries=feed.private_entries,
)
