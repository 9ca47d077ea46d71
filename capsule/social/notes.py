"""Players' notes on games: private ones, and annotated games, which are published."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games.eligibility import is_eligible
from capsule.games.game import Game
from capsule.games.model import StoredGame
from capsule.games.point_of_view import view_of
from capsule.games.reading import load_game
from capsule.social import line_queries
from capsule.social.line_queries import NOTES
from capsule.social.messages import game_to_change
from capsule.social.model import Annotation, StoredLine, split_number
from capsule.social.rate_limit import RateLimit, mute_refusal
from capsule.ui.user_text import TextOverLimit, clean_line
from engine.game import Message, message

DAILY_PUBLICATIONS = RateLimit(
    5,
    timedelta(days=1),
    message("You can publish notes on {count} games a day. Try again on {when}"),
)
"""Games whose notes a player may publish for the first time."""


def ply_of(text: str, game: StoredGame) -> int | None:
    """Return the number of the move to which a new note belongs, None for the whole game."""
    number, _ = split_number(text)
    if number is not None and number <= game.ply:
        return number
    return game.ply if game.is_running else None


def may_publish(game: Game, player: Player | None) -> bool:
    """Return whether a reader may publish notes: the game is over, and they played it."""
    is_over = not game.is_running and not game.stored.was_aborted
    return is_over and view_of(game, player).is_seated


def own_annotation(
    transaction: Transaction, game: Game, player: Player | None
) -> Annotation | None:
    """Return how a player's notes on a game are published, None if they may not publish any."""
    if player is None or not may_publish(game, player):
        return None
    return line_queries.annotation_of(transaction.connection, game.id, player.id)


def publish(transaction: Transaction, player: Player, game_id: str) -> None:
    """Publish a player's notes on a finished game of theirs.

    Raises `Refused` if they may not, and `OutdatedAction` if there is nothing to publish.
    """
    connection, now = transaction.connection, transaction.now
    game = _own_game(transaction, player, game_id)
    if (reason := _refusal(connection, player, now)) is not None:
        raise Refused(reason)
    known = line_queries.annotation_of(connection, game_id, player.id)
    if not known.private:
        raise OutdatedAction
    if known.number is None:
        times = line_queries.annotation_times_by(player.id)
        DAILY_PUBLICATIONS.require(transaction, player, times)
        line_queries.annotate(connection, game.stored, player.id, now)
    line_queries.set_published(connection, player.id, game_id, is_shown=True)


def _refusal(connection: sa.Connection, player: Player, now: datetime) -> Message | None:
    """Return why a player cannot publish any notes, None if they can."""
    if player.is_program:
        return message("Programs publish no notes")
    if is_eligible(connection, player, now):
        return mute_refusal(player, now)
    return message(
        "To publish notes, first finish a game against a person, or three against bots. You can "
        "publish them a day after you first played here"
    )


def unpublish(transaction: Transaction, player: Player, game_id: str) -> None:
    """Make a player's notes on a game private again; raises `OutdatedAction` if none are public."""
    connection = transaction.connection
    _own_game(transaction, player, game_id)
    if not line_queries.annotation_of(connection, game_id, player.id).public:
        raise OutdatedAction
    line_queries.set_published(connection, player.id, game_id, is_shown=False)


def _own_game(transaction: Transaction, player: Player, game_id: str) -> Game:
    stored = game_to_change(transaction, game_id)
    game = load_game(transaction, stored)
    if not may_publish(game, player):
        raise OutdatedAction
    return game


def has_notes(connection: sa.Connection, game: Game, reader: Player | None) -> bool:
    """Return whether a finished game has published notes that a reader is shown."""
    return not game.is_running and line_queries.is_annotated(connection, game.id, reader)


MAX_NOTES_PER_GAME = 20
"""Notes of one player on one game."""

DAILY_LIMIT = RateLimit(
    100, timedelta(days=1), message("You can write {count} notes a day. Try again on {when}")
)
"""Notes that a player may write on all games."""


def written_notes(notes: Sequence[StoredLine]) -> Sequence[StoredLine]:
    """Return a player's notes on a game without those that stand for cleared notes."""
    return [note for note in notes if note.text]


def add(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Add a player's note on a game.

    Raises `TextRefused` if the text is unfit or there are too many notes, and `OutdatedAction` if
    there is no such game.
    """
    game = game_to_change(transaction, game_id)
    line = clean_line(text)
    if len(_notes_of(transaction, player, game_id)) >= MAX_NOTES_PER_GAME:
        raise TextOverLimit(
            message(
                "You have {count} notes on this game, which is the limit. Clear them first",
                count=MAX_NOTES_PER_GAME,
            )
        )
    DAILY_LIMIT.require(transaction, player, NOTES.times_by(player.id))
    connection, now = transaction.connection, transaction.now
    NOTES.add(connection, game_id, player.id, line, now, ply=ply_of(line, game))


def clear(transaction: Transaction, player: Player, game_id: str) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` if there are none."""
    game_to_change(transaction, game_id)
    if not _notes_of(transaction, player, game_id):
        raise OutdatedAction
    connection = transaction.connection
    line_queries.set_published(connection, player.id, game_id, is_shown=False)
    line_queries.clear_notes(connection, game_id, player.id, transaction.now)
    transaction.erases_words()


def _notes_of(transaction: Transaction, player: Player, game_id: str) -> Sequence[StoredLine]:
    return written_notes(NOTES.last_by(transaction.connection, player.id, game_id))
