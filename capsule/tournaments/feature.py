"""Tournaments as a feature."""

from capsule.db.schema.tournaments import tournament_seats, tournaments
from capsule.feature import Feature
from capsule.games.model import EndReason
from capsule.tournaments import actions, feed, pages, queries

FEATURE = Feature(
    pages.ROUTES,
    (tournaments, tournament_seats),
    erase=lambda transaction, player: actions.end_games(transaction, player, EndReason.ERASED),
    sweep=((actions.start_and_end_due, "Tournaments could not be started or ended"),),
    on_ban=lambda transaction, player: queries.erase_titles(transaction.connection, player.id),
    public_entries=feed.public_entries,
    private_entries=feed.private_entries,
)
