"""What players note on games, for their own eyes alone: on their own games and on others'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.actions import require_active
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.clock import DAY
from capsule.social import note_queries
from capsule.ui.time_zones import local_time
from capsule.ui.user_text import TextRefused, clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.social.note_queries import StoredNote


MAX_NOTES_PER_GAME = 20
"""Notes of one player on one game."""

MAX_PER_DAY = 100
"""Notes that a player may make on all games."""

NONE_YET = 0
"""What stands for the newest note of somebody who has made none."""


def newest_of(notes: Sequence[StoredNote]) -> int:
    """Return the number of the newest of a player's notes on a game, which only ever rises."""
    return notes[-1].id if notes else NONE_YET


def readable_ones(notes: Sequence[StoredNote]) -> Sequence[StoredNote]:
    """Return the notes that there is something to read in: one that stands for cleared ones not."""
    return [note for note in notes if note.text]


def add(context: AppContext, player: Player, game_id: str, newest: int, text: str) -> None:
    """Note something on a game; `newest` is the number of the player's newest note there.

    Raises `TextRefused` where the text is not fit or one too many, and `OutdatedAction` where the
    notes have changed since.
    """
    with context.database.writing() as connection:
        known = _expect(context, connection, player, game_id, newest)
        line = clean_line(text)
        if len(readable_ones(known)) >= MAX_NOTES_PER_GAME:
            raise TextRefused(
                message(
                    "You have {count} notes on this game, which is as many as there may be: clear"
                    " them first",
                    count=MAX_NOTES_PER_GAME,
                )
            )
        now = context.clock()
        today = note_queries.written_since(connection, player.id, now - DAY, MAX_PER_DAY)
        if len(today) == MAX_PER_DAY:
            raise TextRefused(
                message(
                    "In a day, {count} notes are the most: the next may follow on {when}",
                    count=MAX_PER_DAY,
                    when=local_time(today[-1] + DAY, player.time_zone),
                )
            )
        note_queries.add_note(connection, game_id, player.id, line, now)


def clear(context: AppContext, player: Player, game_id: str, newest: int) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` as `add` does."""
    with context.database.writing() as connection:
        if not readable_ones(_expect(context, connection, player, game_id, newest)):
            raise OutdatedAction
        note_queries.clear_notes(connection, game_id, player.id, context.clock())


def _expect(
    context: AppContext, connection: Connection, player: Player, game_id: str, newest: int
) -> Sequence[StoredNote]:
    require_active(context, connection, player)
    # Two devices of a player wait for each other at the game.
    if game_queries.game_by_id(connection, game_id, to_change=True) is None:
        raise OutdatedAction
    known = note_queries.notes_of(connection, game_id, player.id)
    if newest_of(known) != newest:
        raise OutdatedAction
    return known
