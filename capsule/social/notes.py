"""Players' notes, private until they are published, on their own games and on others'."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.action_keys import NONE_YET
from capsule.accounts.actions import require_active
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.social import annotation_queries, note_queries
from capsule.social.annotating import ply_of
from capsule.social.model import NewNote
from capsule.social.rate_limit import RateLimit
from capsule.ui.user_text import TextOverLimit, clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.social.model import StoredNote


MAX_NOTES_PER_GAME = 20
"""Notes of one player on one game."""

DAILY_LIMIT = RateLimit(
    100, timedelta(days=1), message("You can write {count} notes a day. Try again on {when}")
)
"""Notes that a player may write on all games."""


def newest_of(notes: Sequence[StoredNote]) -> int:
    """Return the number of the newest of a player's notes on a game, which only ever rises."""
    return notes[-1].id if notes else NONE_YET


def written_notes(notes: Sequence[StoredNote]) -> Sequence[StoredNote]:
    """Return a player's notes on a game without those that stand for cleared notes."""
    return [note for note in notes if note.text]


def add(context: AppContext, player: Player, game_id: str, newest: int, text: str) -> None:
    """Note something on a game; `newest` is the number of the player's newest note there.

    Raises `TextRefused` if the text is unfit or there are too many notes, and `OutdatedAction` if
    the player's notes have changed since.
    """
    with context.database.writing() as connection:
        game, known = _load_for_action(context, connection, player, game_id, newest)
        line = clean_line(text)
        if len(written_notes(known)) >= MAX_NOTES_PER_GAME:
            raise TextOverLimit(
                message(
                    "You have {count} notes on this game, which is the limit. Clear them first",
                    count=MAX_NOTES_PER_GAME,
                )
            )
        now = context.clock()
        reason = DAILY_LIMIT.refusal(connection, player, note_queries.times_by(player.id), now)
        if reason is not None:
            raise TextOverLimit(reason)
        note = NewNote(line, now, ply_of(line, game))
        note_queries.add_note(connection, game_id, player.id, note)


def clear(context: AppContext, player: Player, game_id: str, newest: int) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` as `add` does."""
    with context.database.erasing() as connection:
        _, known = _load_for_action(context, connection, player, game_id, newest)
        if not written_notes(known):
            raise OutdatedAction
        annotation_queries.hide(connection, game_id, player.id)
        note_queries.clear_notes(connection, game_id, player.id, context.clock())


def _load_for_action(
    context: AppContext, connection: Connection, player: Player, game_id: str, newest: int
) -> tuple[StoredGame, Sequence[StoredNote]]:
    """Return a game and a player's notes on it, the newest of which has this number.

    Raises `OutdatedAction`.
    """
    require_active(context, connection, player)
    # Holding the game makes two devices of one player wait for each other.
    game = game_queries.game_by_id(connection, game_id, to_change=True)
    if game is None:
        raise OutdatedAction
    known = note_queries.notes_of(connection, game_id, player.id)
    if newest_of(known) != newest:
        raise OutdatedAction
    return game, known
