"""Following a game: its version, by which changes are found, and authors of new messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capsule.db.faults import DatabaseFault
from capsule.games import queries as game_queries
from capsule.games.version import GameVersion, version_of
from capsule.social import message_queries
from capsule.social.panel import NOBODY, may_read_messages

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.game import Game

MAX_NEW_MESSAGES = 20
"""The number of new messages whose authors are looked for."""


class FollowedVersion(NamedTuple):
    """The version of a game that somebody follows, and the id of its newest message, 0 if none."""

    game: GameVersion
    newest_message: int


def followed_versions(
    context: AppContext, game_ids: Collection[str]
) -> Mapping[str, FollowedVersion]:
    """Return the versions of games, without missing ones; none while the database is away."""
    try:
        with context.database.reading() as connection:
            versions = game_queries.versions(connection, game_ids)
            newest = message_queries.newest_messages(connection, game_ids)
    except DatabaseFault:
        return {}
    return {
        game_id: FollowedVersion(version, newest.get(game_id, 0))
        for game_id, version in versions.items()
    }


def followed_version(connection: Connection, game: Game) -> FollowedVersion:
    """Return the version of a game that has been read in this transaction."""
    newest = message_queries.newest_messages(connection, [game.id])
    return FollowedVersion(version_of(game.stored), newest.get(game.id, 0))


def authors_since(
    connection: Connection, game: Game, player: Player | None, message_id: int
) -> Sequence[str]:
    """Return the names of those who have written since a message, other than the reader.

    Only messages that the reader may read count, and nobody whom the reader has muted.
    """
    if not may_read_messages(game, player):
        return ()
    # Spectators are all told the same.
    reader_id = player.id if player is not None and game.stored.has_player(player.id) else NOBODY
    found = message_queries.MESSAGES.from_number(
        connection, game.id, reader_id, message_id + 1, MAX_NEW_MESSAGES
    )
    authors = {message.author_id for message in found if message.author_id != reader_id}
    return [
        seat.name or ""
        for seat in game.stored.seats.values()
        if seat.player_id is not None and seat.player_id in authors
    ]
