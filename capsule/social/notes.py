"""Players' notes, private until they are published, on their own games and on others'."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.action_keys import NONE_YET
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

    from capsule.accounts.model import Player
    from capsule.context import Transaction
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


def add(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Note something on a game.

    Raises `TextRefused` if the text is unfit or there are too many notes, and `OutdatedAction` if
    there is no such game.
    """
    connection, now = transaction.connection, transaction.now
    game = _game_to_change(transaction, game_id)
    line = clean_line(text)
    if len(_notes_of(transaction, player, game_id)) >= MAX_NOTES_PER_GAME:
        raise TextOverLimit(
            message(
                "You have {count} notes on this game, which is the limit. Clear them first",
                count=MAX_NOTES_PER_GAME,
            )
        )
    reason = DAILY_LIMIT.refusal(connection, player, note_queries.times_by(player.id), now)
    if reason is not None:
        raise TextOverLimit(reason)
    note_queries.add_note(connection, game_id, player.id, NewNote(line, now, ply_of(line, game)))


def clear(transaction: Transaction, player: Player, game_id: str) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` if there are none."""
    _game_to_change(transaction, game_id)
    if not _notes_of(transaction, player, game_id):
        raise OutdatedAction
    annotation_queries.hide(transaction.connection, game_id, player.id)
    note_queries.clear_notes(transaction.connection, game_id, player.id, transaction.now)
    transaction.erases_words()


def _notes_of(transaction: Transaction, player: Player, game_id: str) -> Sequence[StoredNote]:
    return written_notes(note_queries.notes_of(transaction.connection, game_id, player.id))


def _game_to_change(transaction: Transaction, game_id: str) -> StoredGame:
    game = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if game is None:
        raise OutdatedAction
    return game
