"""What players note on games, for their own eyes alone: on their own games and on others'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.clock import DAY
from capsule.game import OutdatedAction
from capsule.seating import expect_here
from capsule.store import games as stored_games
from capsule.store import notes as stored
from capsule.time_zones import moment
from capsule.typed import TextRefused, readable
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.notes import StoredNote
    from capsule.store.players import Player

MOST_NOTES = 20
"""Notes of one player on one game."""

MOST_A_DAY = 100
"""Notes that a player may make on all games."""

NONE_YET = 0
"""What stands for the newest note of somebody who has made none."""


def newest_of(notes: Sequence[StoredNote]) -> int:
    """Return the number of the newest of a player's notes on a game, which only ever rises."""
    return notes[-1].id if notes else NONE_YET


def readable_ones(notes: Sequence[StoredNote]) -> Sequence[StoredNote]:
    """Return the notes that there is something to read in: one that stands for cleared ones not."""
    return [note for note in notes if note.text]


def add(site: Site, player: Player, game_id: str, newest: int, text: str) -> None:
    """Note something on a game; `newest` is the number of the player's newest note there.

    Raises `TextRefused` where the text is not fit or one too many, and `OutdatedAction` where the
    notes have changed since.
    """
    with site.store.writing() as connection:
        known = _expect(site, connection, player, game_id, newest)
        line = readable(text)
        if len(readable_ones(known)) >= MOST_NOTES:
            raise TextRefused(
                message(
                    "You have {count} notes on this game, which is as many as there may be: clear"
                    " them first",
                    count=MOST_NOTES,
                )
            )
        now = site.clock()
        today = stored.written_since(connection, player.id, now - DAY, MOST_A_DAY)
        if len(today) == MOST_A_DAY:
            raise TextRefused(
                message(
                    "In a day, {count} notes are the most: the next may follow on {when}",
                    count=MOST_A_DAY,
                    when=moment(today[-1] + DAY, player.time_zone),
                )
            )
        stored.add_note(connection, game_id, player.id, line, now)


def clear(site: Site, player: Player, game_id: str, newest: int) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` as `add` does."""
    with site.store.writing() as connection:
        if not readable_ones(_expect(site, connection, player, game_id, newest)):
            raise OutdatedAction
        stored.clear_notes(connection, game_id, player.id, site.clock())


def _expect(
    site: Site, connection: Connection, player: Player, game_id: str, newest: int
) -> Sequence[StoredNote]:
    expect_here(site, connection, player)
    # Two devices of a player wait for each other at the game.
    if stored_games.game_by_id(connection, game_id, to_change=True) is None:
        raise OutdatedAction
    known = stored.notes_of(connection, game_id, player.id)
    if newest_of(known) != newest:
        raise OutdatedAction
    return known
