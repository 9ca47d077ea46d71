"""Comments on listed games that have ended and on everyone's game, for anyone to read.

The key of the link that writes one depends on the last comment that the player has written there,
as with messages. A comment that its author has withdrawn is kept without its text: so each link
still writes only once, and nobody writes more comments by withdrawing some.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import player_queries, relation_queries
from capsule.accounts.action_keys import NONE_YET
from capsule.accounts.model import RelationKind
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.eligibility import is_eligible
from capsule.social import comment_queries
from capsule.social.comment_queries import COMMENTS
from capsule.social.model import NewComment, Person
from capsule.social.panel import NOBODY
from capsule.social.rate_limit import RateLimit, mute_refusal
from capsule.ui.user_text import TextOverLimit, clean_line
from engine import Side
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.games.model import StoredGame
    from capsule.social.model import LinePage
    from engine import Message


DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can write {count} comments a day. Try again on {when}")
)
"""Comments that a player may write on all games."""

PAGE_SIZE = 10


@dataclass(frozen=True)
class CommentPage:
    """Some comments on a game, as one reader is shown them.

    `names` are those of their authors. `last_written` is the number of the reader's own last
    comment on the game, and `refusal` says why they cannot write another, if they cannot.
    """

    page: LinePage
    names: Mapping[int, str]
    last_written: int
    refusal: Message | None


def page(
    transaction: Transaction, game: StoredGame, player: Player | None, first: int | None = None
) -> CommentPage:
    """Return the comments on a game from the number `first` on, or the last ones."""
    connection = transaction.connection
    found = COMMENTS.page(connection, game.id, player.id if player else NOBODY, first, PAGE_SIZE)
    authors = {line.author_id for line in found.lines}
    last = () if player is None else COMMENTS.last_by(connection, player.id, game.id, 1)
    return CommentPage(
        page=found,
        names=player_queries.names_of(connection, tuple(authors)) if authors else {},
        last_written=last[0].id if last else NONE_YET,
        refusal=None if player is None else refusal(transaction, game, player),
    )


def refusal(transaction: Transaction, game: StoredGame, player: Player) -> Message | None:
    """Return why a player cannot comment on a game, None if they can."""
    if not game.has_comments:
        return message("Comments are for public games that are over, and for everyone's game")
    if player.is_program:
        return message("Programs write no comments")
    muted = mute_refusal(player, transaction.now)
    if muted is not None:
        return muted
    if game.comments_closed:
        return message("The players have closed the comments on this game")
    if not is_eligible(transaction.connection, player, transaction.now):
        return message(
            "To comment, first finish a game against a person, or three against bots. You can "
            "comment a day after you first played here"
        )
    return _unwanted(transaction.connection, game, player)


def require_may_write(transaction: Transaction, game: StoredGame, player: Player) -> None:
    """Raise `TextOverLimit` if a player cannot comment on a game at present."""
    times = COMMENTS.times_by(player.id)
    reason = refusal(transaction, game, player) or DAILY_LIMIT.refusal(
        transaction.connection, player, times, transaction.now
    )
    if reason is not None:
        raise TextOverLimit(reason)


def write(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Comment on a game.

    Raises `TextRefused` if the text is unfit or the player cannot comment at present, and
    `OutdatedAction` if there is no such game.
    """
    game = _game_to_change(transaction, game_id)
    require_may_write(transaction, game, player)
    recipients = _recipients(game, player.id)
    comment_queries.add_comment(
        transaction.connection,
        NewComment(game_id, player.id, recipients, clean_line(text), transaction.now),
    )


def author_of(transaction: Transaction, game_id: str, number: int) -> Person | None:
    """Return the author of the comment on a game with this number.

    None if there is no such comment, or if it was removed.
    """
    found = comment_queries.comment_by_id(transaction.connection, game_id, number)
    if found is None:
        return None
    names = player_queries.names_of(transaction.connection, (found.author_id,))
    return Person(found.author_id, names[found.author_id])


def require_own(transaction: Transaction, player: Player, game_id: str, number: int) -> None:
    """Raise `OutdatedAction` unless the comment with a number is there, and the player's own."""
    found = comment_queries.comment_by_id(transaction.connection, game_id, number)
    if found is None or found.author_id != player.id:
        raise OutdatedAction


def withdraw(transaction: Transaction, player: Player, game_id: str, number: int) -> None:
    """Delete the text of a comment of the player's own; raises `OutdatedAction` if it is not."""
    _game_to_change(transaction, game_id)
    require_own(transaction, player, game_id, number)
    comment_queries.withdraw_comment(transaction.connection, game_id, number)
    transaction.erases_words()


def close(transaction: Transaction, player: Player, game_id: str, *, closed: bool) -> None:
    """Close the comments on a game of the player's, or open them again.

    Raises `OutdatedAction` if it is not theirs.
    """
    game = _game_to_change(transaction, game_id)
    if not may_close(game, player):
        raise OutdatedAction
    changed = replace(game, comments_closed=closed)
    game_queries.save_changes(transaction.connection, game, changed)


def may_close(game: StoredGame, player: Player | None) -> bool:
    """Return whether the comments on a game are a player's to close and to open again."""
    return player is not None and game.has_comments and game.has_player(player.id)


def _game_to_change(transaction: Transaction, game_id: str) -> StoredGame:
    game = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if game is None:
        raise OutdatedAction
    return game


def _recipients(game: StoredGame, author_id: int) -> Mapping[Side, int | None]:
    """Return the players of a game who learn of a comment: each once, and not its author."""
    x, o = (None if seat.player_id == author_id else seat.player_id for seat in (game.x, game.o))
    return {Side.X: x, Side.O: None if o == x else o}


def _unwanted(connection: Connection, game: StoredGame, player: Player) -> Message | None:
    """Return that one of a game's players is blocked or has blocked the player, if it is so."""
    for seat in game.seats.values():
        other, name = seat.player_id, seat.name
        if other is None or not relation_queries.are_apart(connection, player.id, other):
            continue
        kind = relation_queries.kind_of_relation(connection, player.id, other)
        if kind is RelationKind.BLOCK:
            return message("You have blocked {name}, so you cannot comment here", name=name)
        return message("You cannot comment on games of {name}", name=name)
    return None
