"""Messages between the two players of a game.

A message does not raise the game's turn counter: it must not outdate a move that is being typed.
The key of the link that sends one depends on the last message that the player has sent there, so
that each link sends only once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.reading import load_game, require_view
from capsule.social import message_queries
from capsule.social import panel as social_panel
from capsule.social.message_queries import MESSAGES
from capsule.social.model import LinePage, NewMessage
from capsule.social.rate_limit import RateLimit, mute_refusal
from capsule.ui.user_text import TextOverLimit, clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.games.game import Game
    from capsule.social.model import IncomingLine, Person, SocialPanel
    from engine import Message


GAME_LIMIT = RateLimit(
    5,
    timedelta(minutes=10),
    message("You can send {count} messages in ten minutes under one game. Try again on {when}"),
)
"""Messages that a player may send under one game."""

DAILY_LIMIT = RateLimit(
    50, timedelta(days=1), message("You can send {count} messages a day. Try again on {when}")
)
"""Messages that a player may send under all games."""

OPEN_AFTER_END = timedelta(days=30)
"""The time after a game's end during which its players may still write to each other."""

RECENT, MAX_RECENT = timedelta(days=3), 5
"""The age up to which a message is recent, and the number of games whose messages are listed."""

PAGE_SIZE = 50


def refusal(game: Game, player: Player, opponent: Person, panel: SocialPanel) -> Message | None:
    """Return why a player cannot write to the opponent under a game, None if they can."""
    if not opponent.name:
        return message("A former player reads no messages")
    if panel.is_opponent_banned:
        return message("{name} is banned and reads no messages", name=opponent.name)
    reason = mute_refusal(player, game.now) or _unwanted(player, opponent, panel)
    ended_at = game.stored.ended_at
    if reason is None and ended_at is not None and game.now >= ended_at + OPEN_AFTER_END:
        days = OPEN_AFTER_END.days
        return message("Messages end {count} days after the game", count=days)
    return reason


def require_addressee(transaction: Transaction, game: Game, player: Player) -> Person:
    """Return the opponent of a game, to whom a player can write there now.

    Raises `TextOverLimit` if they cannot at present, and `OutdatedAction` if there is nobody.
    """
    opponent = social_panel.opponent_of(game, player)
    if opponent is None or social_panel.agreement_of(game, player) is None:
        raise OutdatedAction
    connection, now = transaction.connection, transaction.now
    reason = (
        refusal(game, player, opponent, social_panel.panel_for(connection, game, player))
        or GAME_LIMIT.refusal(
            connection, player, MESSAGES.times_in_game(player.id, game.stored.id), now
        )
        or DAILY_LIMIT.refusal(connection, player, MESSAGES.times_by(player.id), now)
    )
    if reason is not None:
        raise TextOverLimit(reason)
    return opponent


def send(transaction: Transaction, player: Player, game_id: str, text: str) -> None:
    """Send the opponent of a game a message.

    Raises `TextRefused` if the text is unfit or the player can send none at present, and
    `OutdatedAction` if there is nobody to write to.
    """
    game = _load_to_change(transaction, player, game_id)
    opponent = require_addressee(transaction, game, player)
    message_queries.add_message(
        transaction.connection,
        NewMessage(game_id, player.id, opponent.id, clean_line(text), transaction.now),
    )


def let_visitors_read(
    transaction: Transaction, player: Player, game_id: str, *, agrees: bool
) -> None:
    """Store whether a player lets visitors read the messages under their game.

    Raises `OutdatedAction` if they do not play it with another person.
    """
    game = _load_to_change(transaction, player, game_id)
    view = require_view(game, player)
    seat = replace(view.seat, shows_messages=agrees)
    game_queries.save_changes(
        transaction.connection, game.stored, game.stored.with_seat(view.side, seat)
    )


def page(
    transaction: Transaction, game: Game, player: Player | None, first: int | None = None
) -> LinePage:
    """Return the messages of a game from the id `first` on, or the last ones.

    A player who may not read them gets none.
    """
    if not social_panel.may_read_messages(game, player):
        return LinePage()
    reader_id = player.id if player else social_panel.NOBODY
    return MESSAGES.page(transaction.connection, game.stored.id, reader_id, first, PAGE_SIZE)


def recent_messages(transaction: Transaction, player: Player) -> Sequence[IncomingLine]:
    """Return the last message to a player under each game that has recent ones, newest first."""
    if not player.takes_messages:
        return ()
    since = transaction.now - RECENT
    found = message_queries.incoming_messages(transaction.connection, player.id, since, PAGE_SIZE)
    newest = {each.game_id: each for each in reversed(found)}
    return sorted(newest.values(), key=lambda each: each.id, reverse=True)[:MAX_RECENT]


def _unwanted(player: Player, opponent: Person, panel: SocialPanel) -> Message | None:
    name = opponent.name
    if panel.has_blocked:
        return message("You have blocked {name}, so there are no messages between you", name=name)
    if panel.is_blocked:
        return message("You cannot send messages to {name}", name=name)
    if not player.takes_messages:
        return message("You take no messages, so you can send none. Your settings say so")
    if not panel.takes_messages:
        return message("{name} takes no messages", name=name)
    return None


def _load_to_change(transaction: Transaction, player: Player, game_id: str) -> Game:
    """Return a game that the player plays with another person; raises `OutdatedAction`.

    Nobody else changes the game until the transaction ends.
    """
    found = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = load_game(transaction.context, transaction.connection, found)
    if social_panel.agreement_of(game, player) is None:
        raise OutdatedAction
    return game
