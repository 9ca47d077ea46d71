"""Messages, comments and notes under a game, and who may read and write them.

Notes are private until their author publishes them, which makes the game an annotated one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player, RelationKind
from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import eligibility, queries as game_queries, reading
from capsule.games.game import Game
from capsule.games.model import StoredGame
from capsule.games.point_of_view import require_view, view_of
from capsule.social import line_queries, model, rate_limit
from capsule.ui.user_text import TextOverLimit, clean_line
from engine import Message, message

MESSAGES_SHOWN = 5
"""The number of latest messages that the page of a game shows."""


def opponent_of(game: Game, player: Player | None) -> model.Person | None:
    """Return the other person in a game in which the player has a seat or could take one.

    None if the player can have no seat, or plays alone or with a bot.
    """
    if player is None:
        return None
    view = view_of(game, player)
    if not (view.is_seated or view.may_answer_challenge or game.stored.open_side):
        return None
    for seat in game.stored.seats.values():
        if seat.player_id is not None and seat.player_id != player.id:
            return model.Person(seat.player_id, seat.player_name or "")
    return None


def agreement_of(game: Game, player: Player | None) -> model.MessagesAgreement | None:
    """Return whether a player and the opponent let visitors read the messages under their game.

    None for spectators, and for a game that is not between two people.
    """
    view = view_of(game, player)
    if not view.is_seated or not game.stored.is_between_people:
        return None
    return model.MessagesAgreement(view.seat.shows_messages, view.opponent.shows_messages)


def may_read_messages(game: Game, player: Player | None) -> bool:
    """Return whether a reader may see the messages: both players may, others if both agree."""
    if not game.stored.is_between_people:
        return False
    both_agree = all(seat.shows_messages for seat in game.stored.seats.values())
    return both_agree or view_of(game, player).is_seated


def panel_for(connection: sa.Connection, game: Game, player: Player | None) -> model.SocialPanel:
    """Return the social panel of a player, or of a visitor without an account, under a game.

    For such visitors, nothing is read unless both players let them read the messages.
    """
    may_read = may_read_messages(game, player)
    if player is None and not may_read:
        return model.SocialPanel()
    opponent = opponent_of(game, player)
    return line_queries.read_panel(
        connection, game, player, opponent, MESSAGES_SHOWN if may_read else 0
    )


GAME_LIMIT = rate_limit.RateLimit(
    5,
    timedelta(minutes=10),
    message("You can send {count} messages in ten minutes under one game. Try again on {when}"),
)
"""Messages that a player may send under one game."""

DAILY_MESSAGES = rate_limit.RateLimit(
    50, timedelta(days=1), message("You can send {count} messages a day. Try again on {when}")
)
"""Messages that a player may send under all games."""

OPEN_AFTER_END = timedelta(days=30)
"""The time after a game's end during which its players may still write to each other."""

RECENT, MAX_RECENT = timedelta(days=3), 5
"""The age up to which a message is recent, and the number of games whose messages are listed."""

PAGE_SIZE = 50
"""The number of messages on a page, and of the last messages searched for recent ones."""


def message_refusal(
    game: Game, player: Player, opponent: model.Person, panel: model.SocialPanel
) -> Message | None:
    """Return why a player cannot write to the opponent under a game, None if they can."""
    if not opponent.name:
        return message("A former player reads no messages")
    if panel.is_opponent_banned:
        return message("{name} is banned and reads no messages", name=opponent.name)
    reason = rate_limit.mute_refusal(player, game.now) or _unwanted_message(player, opponent, panel)
    ended_at = game.stored.ended_at
    if reason is None and ended_at is not None and game.now >= ended_at + OPEN_AFTER_END:
        days = OPEN_AFTER_END.days
        return message("Messages end {count} days after the game", count=days)
    return reason


def require_addressee(transaction: Transaction, game: Game, player: Player) -> model.Person:
    """Return the opponent to whom a player can write under a game now.

    Raises `TextOverLimit` if they cannot at present, and `OutdatedAction` if there is no opponent.
    """
    opponent = opponent_of(game, player)
    if opponent is None or agreement_of(game, player) is None:
        raise OutdatedAction
    panel = panel_for(transaction.connection, game, player)
    rate_limit.require_allowed(message_refusal(game, player, opponent, panel))
    GAME_LIMIT.require(
        transaction, player, line_queries.MESSAGES.times_in_game(player.id, game.stored.id)
    )
    DAILY_MESSAGES.require(transaction, player, line_queries.MESSAGES.times_by(player.id))
    return opponent


def send_message(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Send the opponent of a game a message.

    Raises `TextRefused` if the text is unfit or the player can send none at present, and
    `OutdatedAction` if there is no opponent to write to.
    """
    game = _load_to_change(transaction, player, game_id)
    opponent = require_addressee(transaction, game, player)
    connection, now = transaction.connection, transaction.now
    line = clean_line(text)
    line_queries.MESSAGES.add(connection, game_id, player.id, line, now, recipient_id=opponent.id)


def let_visitors_read(
    transaction: Transaction, player: Player, game_id: str, *, agrees: bool
) -> None:
    """Store whether a player lets visitors read the messages under their game.

    Raises `OutdatedAction` if the player has no human opponent there.
    """
    game = _load_to_change(transaction, player, game_id)
    view = require_view(game, player)
    seat = replace(view.seat, shows_messages=agrees)
    game_queries.save_changes(
        transaction.connection, game.stored, game.stored.with_seat(view.side, seat)
    )


def recent_messages(transaction: Transaction, player: Player) -> Sequence[model.IncomingLine]:
    """Return the last message to a player under each game that has recent ones, newest first."""
    if not player.settings.takes_messages:
        return ()
    since = transaction.now - RECENT
    found = line_queries.incoming(
        transaction.connection, line_queries.INCOMING_MESSAGES, player.id, since, PAGE_SIZE
    )
    newest = {line.game_id: line for line in reversed(found)}
    return sorted(newest.values(), key=lambda line: line.id, reverse=True)[:MAX_RECENT]


def _unwanted_message(
    player: Player, opponent: model.Person, panel: model.SocialPanel
) -> Message | None:
    name = opponent.name
    if panel.has_blocked:
        return message("You have blocked {name}, so there are no messages between you", name=name)
    if panel.is_blocked:
        return message("You cannot send messages to {name}", name=name)
    if not player.settings.takes_messages:
        return message("You take no messages, so you can send none. Your settings say so")
    if not panel.takes_messages:
        return message("{name} takes no messages", name=name)
    return None


def _load_to_change(
    transaction: Transaction,
    player: Player,
    game_id: str,
    may_change: Callable[[Game, Player], object] = agreement_of,
) -> Game:
    """Lock a game until the transaction ends, and load it.

    Raises `OutdatedAction` unless the player may change something there: by default, if it is a
    game between the player and another person.
    """
    game = reading.load_game(transaction, game_to_change(transaction, game_id))
    if not may_change(game, player):
        raise OutdatedAction
    return game


DAILY_COMMENTS = rate_limit.RateLimit(
    5, timedelta(days=1), message("You can write {count} comments a day. Try again on {when}")
)
"""Comments that a player may write on all games."""


def comment_refusal(transaction: Transaction, game: StoredGame, player: Player) -> Message | None:
    """Return why a player cannot comment on a game, None if they can."""
    if not game.has_comments:
        return message("Comments are for public games that are over, and for everyone's game")
    if player.is_program:
        return message("Programs write no comments")
    muted = rate_limit.mute_refusal(player, transaction.now)
    if muted is not None:
        return muted
    if game.comments_closed:
        return message("The players have closed the comments on this game")
    if not eligibility.is_eligible(transaction.connection, player, transaction.now):
        return message(
            "To comment, first finish a game against a person, or three against bots. You can "
            "comment a day after you first played here"
        )
    return _unwanted_comment(transaction.connection, game, player)


def require_may_comment(transaction: Transaction, game: StoredGame, player: Player) -> None:
    """Raise `TextOverLimit` if a player cannot comment on a game at present."""
    rate_limit.require_allowed(comment_refusal(transaction, game, player))
    DAILY_COMMENTS.require(transaction, player, line_queries.COMMENTS.times_by(player.id))


def write_comment(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Comment on a game.

    Raises `TextRefused` if the text is unfit or the player cannot comment at present, and
    `OutdatedAction` if there is no such game.
    """
    game = game_to_change(transaction, game_id)
    require_may_comment(transaction, game, player)
    line_queries.add_comment(
        transaction.connection, game, player.id, clean_line(text), transaction.now
    )


def comment_author(transaction: Transaction, game_id: str, number: int) -> model.Person | None:
    """Return the author of the comment on a game with this number.

    None if there is no such comment, or if it was removed.
    """
    found = line_queries.COMMENTS.with_number(transaction.connection, game_id, number)
    if found is None:
        return None
    names = account_queries.names_of(transaction.connection, (found.author_id,))
    return model.Person(found.author_id, names[found.author_id])


def require_own_comment(
    transaction: Transaction, player: Player, game_id: str, number: int
) -> None:
    """Raise `OutdatedAction` unless the comment with a number exists and is the player's own."""
    found = line_queries.COMMENTS.with_number(transaction.connection, game_id, number)
    if found is None or found.author_id != player.id:
        raise OutdatedAction


def withdraw_comment(transaction: Transaction, player: Player, game_id: str, number: int) -> None:
    """Delete the text of a player's own comment; raises `OutdatedAction` if it is another's."""
    game_to_change(transaction, game_id)
    require_own_comment(transaction, player, game_id, number)
    line_queries.COMMENTS.empty(transaction.connection, game_id, number, "withdrawn")
    transaction.erases_words()


def close_comments(transaction: Transaction, player: Player, game_id: str, *, closed: bool) -> None:
    """Close the comments on a player's own game, or open them again.

    Raises `OutdatedAction` if it is not their own.
    """
    game = game_to_change(transaction, game_id)
    if not may_close_comments(game, player):
        raise OutdatedAction
    changed = replace(game, comments_closed=closed)
    game_queries.save_changes(transaction.connection, game, changed)


def may_close_comments(game: StoredGame, player: Player | None) -> bool:
    """Return whether a player may close the comments on a game, and open them again."""
    return player is not None and game.has_comments and game.has_player(player.id)


def game_to_change(transaction: Transaction, game_id: str) -> StoredGame:
    """Lock a game until the transaction ends, and return it.

    Raises `OutdatedAction` if there is none.
    """
    game = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if game is None:
        raise OutdatedAction
    return game


def _unwanted_comment(
    connection: sa.Connection, game: StoredGame, player: Player
) -> Message | None:
    """Return the block that forbids a player to comment on a game, as a sentence, or None."""
    for seat in game.seats.values():
        other, name = seat.player_id, seat.name
        if other is None or not account_queries.is_blocked_between(connection, player.id, other):
            continue
        kind = account_queries.kind_of_relation(connection, player.id, other)
        if kind is RelationKind.BLOCK:
            return message("You have blocked {name}, so you cannot comment here", name=name)
        return message("You cannot comment on games of {name}", name=name)
    return None


DAILY_PUBLICATIONS = rate_limit.RateLimit(
    5,
    timedelta(days=1),
    message("You can publish notes on {count} games a day. Try again on {when}"),
)
"""Games whose notes a player may publish for the first time."""


def ply_of(text: str, game: StoredGame) -> int | None:
    """Return the number of the move to which a new note belongs, None for the whole game."""
    number, _ = model.split_number(text)
    if number is not None and number <= game.ply:
        return number
    return game.ply if game.is_running else None


def may_publish_notes(game: Game, player: Player | None) -> bool:
    """Return whether a reader may publish notes: the game is over, and they played it."""
    is_over = not game.is_running and not game.stored.was_aborted
    return is_over and view_of(game, player).is_seated


def own_annotation(
    transaction: Transaction, game: Game, player: Player | None
) -> model.Annotation | None:
    """Return how a player's notes on a game are published, None if they may not publish any."""
    if player is None or not may_publish_notes(game, player):
        return None
    return line_queries.annotation_of(transaction.connection, game.id, player.id)


def publish_notes(transaction: Transaction, player: Player, game_id: str) -> None:
    """Publish a player's notes on a finished game of theirs.

    Raises `Refused` if they may not, and `OutdatedAction` if there is nothing to publish.
    """
    connection, now = transaction.connection, transaction.now
    game = _load_to_change(transaction, player, game_id, may_publish_notes)
    if (reason := _publication_refusal(connection, player, now)) is not None:
        raise Refused(reason)
    known = line_queries.annotation_of(connection, game_id, player.id)
    if not known.private:
        raise OutdatedAction
    if known.number is None:
        times = line_queries.annotation_times_by(player.id)
        DAILY_PUBLICATIONS.require(transaction, player, times)
        line_queries.annotate(connection, game.stored, player.id, now)
    line_queries.set_published(connection, player.id, game_id, is_shown=True)


def _publication_refusal(
    connection: sa.Connection, player: Player, now: datetime
) -> Message | None:
    """Return why a player cannot publish any notes, None if they can."""
    if player.is_program:
        return message("Programs publish no notes")
    if eligibility.is_eligible(connection, player, now):
        return rate_limit.mute_refusal(player, now)
    return message(
        "To publish notes, first finish a game against a person, or three against bots. You can "
        "publish them a day after you first played here"
    )


def unpublish_notes(transaction: Transaction, player: Player, game_id: str) -> None:
    """Make a player's notes on a game private again; raises `OutdatedAction` if none are public."""
    connection = transaction.connection
    _load_to_change(transaction, player, game_id, may_publish_notes)
    if not line_queries.annotation_of(connection, game_id, player.id).public:
        raise OutdatedAction
    line_queries.set_published(connection, player.id, game_id, is_shown=False)


def has_notes(connection: sa.Connection, game: Game, reader: Player | None) -> bool:
    """Return whether a finished game has published notes that a reader is shown."""
    return not game.is_running and line_queries.is_annotated(connection, game.id, reader)


MAX_NOTES_PER_GAME = 20
"""Notes of one player on one game."""

DAILY_NOTES = rate_limit.RateLimit(
    100, timedelta(days=1), message("You can write {count} notes a day. Try again on {when}")
)
"""Notes that a player may write on all games."""


def written_notes(notes: Sequence[model.StoredLine]) -> Sequence[model.StoredLine]:
    """Return a player's notes on a game without those that stand for cleared notes."""
    return [note for note in notes if note.text]


def add_note(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
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
    DAILY_NOTES.require(transaction, player, line_queries.NOTES.times_by(player.id))
    connection, now = transaction.connection, transaction.now
    line_queries.NOTES.add(connection, game_id, player.id, line, now, ply=ply_of(line, game))


def clear_notes(transaction: Transaction, player: Player, game_id: str) -> None:
    """Clear a player's notes on a game; raises `OutdatedAction` if there are none."""
    game_to_change(transaction, game_id)
    if not _notes_of(transaction, player, game_id):
        raise OutdatedAction
    connection = transaction.connection
    line_queries.set_published(connection, player.id, game_id, is_shown=False)
    line_queries.clear_notes(connection, game_id, player.id, transaction.now)
    transaction.erases_words()


def _notes_of(transaction: Transaction, player: Player, game_id: str) -> Sequence[model.StoredLine]:
    return written_notes(line_queries.NOTES.last_by(transaction.connection, player.id, game_id))
