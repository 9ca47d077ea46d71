"""Messages between the two players of a game.

A message does not raise the game's turn counter: it must not outdate a move that is being typed.
The key of the link that sends one depends on the last message that the player has sent there, so
that each link sends only once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action, require_active
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.point_of_view import view_of
from capsule.games.reading import load_game, require_view
from capsule.social import message_queries
from capsule.social import panel as social_panel
from capsule.social.model import LinePage, NewMessage
from capsule.social.rate_limit import RateLimit, mute_refusal
from capsule.ui.user_text import TextOverLimit, clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.game import Game
    from capsule.social.model import IncomingLine, Person, SocialPanel, StoredLine
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


def send(context: AppContext, player: Player, game_id: str, last_sent: int, text: str) -> None:
    """Send the opponent of a game a message; `last_sent` is the player's last one there so far.

    Raises `TextRefused` if the text is unfit or comes too soon, and `OutdatedAction` if the
    player has sent another since, or cannot send any.
    """
    with context.database.writing() as connection:
        require_active(context, connection, player)
        game, opponent = _load_for_action(context, connection, player, game_id)
        panel = social_panel.panel_for(connection, game, player)
        if panel.last_sent != last_sent or refusal(game, player, opponent, panel) is not None:
            raise OutdatedAction
        line = clean_line(text)
        reason = _too_soon(context, connection, player, game_id)
        if reason is not None:
            raise TextOverLimit(reason)
        message_queries.add_message(
            connection, NewMessage(game_id, player.id, opponent.id, line, game.now)
        )


def last_sent_by(
    context: AppContext, player: Player, game_id: str, limit: int
) -> Sequence[StoredLine]:
    """Return the last messages that a player has sent under a game, newest first."""
    with context.database.reading() as connection:
        return message_queries.MESSAGES.last_by(connection, player.id, game_id, limit)


def too_soon(context: AppContext, player: Player, game_id: str) -> Message | None:
    """Return why a player's next message must wait, None if it may come now."""
    with context.database.reading() as connection:
        return _too_soon(context, connection, player, game_id)


def let_visitors_read(context: AppContext, player: Player, game_id: str, *, agrees: bool) -> None:
    """Store whether a player lets visitors read the messages under their game.

    Raises `OutdatedAction` if the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        game, _ = _load_for_action(context, connection, player, game_id)
        view = require_view(game, player)
        seat = replace(view.seat, shows_messages=agrees)
        game_queries.save_changes(connection, game.stored, game.stored.with_seat(view.side, seat))


def page(
    context: AppContext, game: Game, player: Player | None, first: int | None = None
) -> LinePage:
    """Return the messages of a game from the id `first` on, or the last ones.

    A player who may not read them gets none.
    """
    if not social_panel.may_read_messages(game, player):
        return LinePage()
    reader_id = player.id if player else social_panel.NOBODY
    with context.database.reading() as connection:
        return message_queries.MESSAGES.page(
            connection, game.stored.id, reader_id, first, PAGE_SIZE
        )


def recent_messages(
    context: AppContext, connection: Connection, player: Player
) -> Sequence[IncomingLine]:
    """Return the last message to a player under each game that has recent ones, newest first."""
    if not player.takes_messages:
        return ()
    since = context.clock() - RECENT
    found = message_queries.incoming_messages(connection, player.id, since, PAGE_SIZE)
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


def _load_for_action(
    context: AppContext, connection: Connection, player: Player, game_id: str
) -> tuple[Game, Person]:
    """Return a game that the player plays with another person, who is the second value.

    Nobody else changes the game until the transaction ends. Raises `OutdatedAction`.
    """
    found = game_queries.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = load_game(context, connection, found)
    opponent = social_panel.opponent_of(game, player)
    if opponent is None or not (found.is_between_people and view_of(game, player).is_seated):
        raise OutdatedAction
    return game, opponent


def _too_soon(
    context: AppContext, connection: Connection, player: Player, game_id: str
) -> Message | None:
    now = context.clock()
    here = message_queries.MESSAGES.times_in_game(player.id, game_id)
    anywhere = message_queries.MESSAGES.times_by(player.id)
    return GAME_LIMIT.refusal(connection, player, here, now) or DAILY_LIMIT.refusal(
        connection, player, anywhere, now
    )
