"""What the two players of a game say to each other under it.

A message does not raise the turn counter: it must not spoil a move that is being typed. So that a
page sends once, its key is made for the number of messages that the player has sent there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action, require_active
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.clock import DAY
from capsule.games.reading import load_game, require_view
from capsule.social import message_queries
from capsule.social import panel as social_panel
from capsule.ui.time_zones import local_time
from capsule.ui.user_text import TextRefused, clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.social.message_queries import IncomingMessage, StoredMessage
    from capsule.social.panel import Person
    from capsule.social.panel_queries import SocialPanel
    from engine import Message


MAX_PER_WINDOW, WINDOW = 5, timedelta(minutes=10)
"""Messages that a player may send under one game, and in how long a time."""

MAX_PER_DAY = 50
"""Messages that a player may send under all games."""

OPEN_AFTER_END = timedelta(days=30)
"""How long after a game's end its players may still write under it."""

RECENT, MAX_RECENT = timedelta(days=3), 5
"""How long a message is news for who it was written to, and under how many games."""

PAGE_SIZE = 50


@dataclass(frozen=True)
class MessagePage:
    """Some messages of a game in order, and the ids at which the pages beside this one begin."""

    messages: Sequence[StoredMessage]
    earlier: int | None
    later: int | None


def why_none(game: Game, player: Player, opponent: Person, known: SocialPanel) -> Message | None:
    """Return why a player cannot write to the opponent under a game; None where they can."""
    if not opponent.name:
        return message("A former player reads no messages")
    if player.silenced_until is not None and player.is_silenced(game.now):
        until = local_time(player.silenced_until, player.time_zone)
        return message("The operator lets you send no messages until {when}", when=until)
    reason = _why_not_wished(player, opponent, known)
    ended_at = game.stored.ended_at
    if reason is None and ended_at is not None and game.now >= ended_at + OPEN_AFTER_END:
        days = OPEN_AFTER_END.days
        return message("Messages end {count} days after the game", count=days)
    return reason


def send(context: AppContext, player: Player, game_id: str, sent: int, text: str) -> None:
    """Send the opponent of a game a message; `sent` is how many the player has sent there so far.

    Raises `TextRefused` where the text is not fit or comes too soon, and `OutdatedAction` where
    another was sent since, or none can be.
    """
    with context.database.writing() as connection:
        require_active(context, connection, player)
        game, opponent = _expect_two(context, connection, player, game_id)
        known = social_panel.panel_for(connection, game, player)
        if known.sent != sent or why_none(game, player, opponent, known) is not None:
            raise OutdatedAction
        line = clean_line(text)
        reason = _why_wait(context, connection, player, game_id)
        if reason is not None:
            raise TextRefused(reason)
        message_queries.add_message(
            connection,
            game_id=game_id,
            player_id=player.id,
            recipient_id=opponent.id,
            text=line,
            sent_at=game.now,
        )


def why_wait(context: AppContext, player: Player, game_id: str) -> Message | None:
    """Return why a player has to wait before the next message; None where it may come now."""
    with context.database.reading() as connection:
        return _why_wait(context, connection, player, game_id)


def let_visitors_read(context: AppContext, player: Player, game_id: str, *, agrees: bool) -> None:
    """Note whether a player agrees to visitors' reading the messages of a game.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        game, _ = _expect_two(context, connection, player, game_id)
        view = require_view(game, player)
        seat = replace(view.seat, shows_messages=agrees)
        game_queries.save_changes(connection, game.stored, game.stored.with_seat(view.side, seat))


def page(
    context: AppContext, game: Game, player: Player | None, first: int | None = None
) -> MessagePage:
    """Return the messages of a game from the id `first` on, or else the last ones.

    There are none for somebody who may not read them.
    """
    if not social_panel.may_read_messages(game, player):
        return MessagePage((), None, None)
    which = (game.stored.id, player.id if player else social_panel.NOBODY)
    with context.database.reading() as connection:
        found: Sequence[StoredMessage] = ()
        if first is not None:
            found = message_queries.messages_from(connection, *which, first, PAGE_SIZE + 1)
        found = found or message_queries.messages_before(connection, *which, None, PAGE_SIZE)
        if not found:
            return MessagePage((), None, None)
        before = message_queries.messages_before(connection, *which, found[0].id, PAGE_SIZE)
    shown, beyond = found[:PAGE_SIZE], found[PAGE_SIZE:]
    return MessagePage(shown, before[0].id if before else None, beyond[0].id if beyond else None)


def recent_messages(
    context: AppContext, connection: Connection, player: Player
) -> Sequence[IncomingMessage]:
    """Return the last message to a player under each game in which somebody wrote lately."""
    if not player.takes_messages:
        return ()
    since = context.clock() - RECENT
    found = message_queries.incoming_messages(connection, player.id, since, PAGE_SIZE)
    newest = {news.game_id: news for news in reversed(found)}
    return sorted(newest.values(), key=lambda news: news.id, reverse=True)[:MAX_RECENT]


def _why_not_wished(player: Player, opponent: Person, known: SocialPanel) -> Message | None:
    name = opponent.name
    if known.has_blocked:
        return message("You have blocked {name}: there are no messages between you", name=name)
    if known.is_blocked:
        return message("No messages can be sent to {name}", name=name)
    if not player.takes_messages:
        return message("You take no messages, so you send none either: your settings say so")
    if not known.takes_messages:
        return message("{name} takes no messages", name=name)
    return None


def _expect_two(
    context: AppContext, connection: Connection, player: Player, game_id: str
) -> tuple[Game, Person]:
    found = game_queries.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = load_game(context, connection, found)
    opponent = social_panel.opponent_of(game, player)
    if opponent is None or not (found.is_between_people and game.view_of(player)):
        raise OutdatedAction
    return game, opponent


def _why_wait(
    context: AppContext, connection: Connection, player: Player, game_id: str
) -> Message | None:
    now = context.clock()
    here = message_queries.sent_since(connection, player.id, now - WINDOW, MAX_PER_WINDOW, game_id)
    if len(here) == MAX_PER_WINDOW:
        return message(
            "Under one game, {count} messages in ten minutes are the most: the next may follow on"
            " {when}",
            count=MAX_PER_WINDOW,
            when=local_time(here[-1] + WINDOW, player.time_zone),
        )
    today = message_queries.sent_since(connection, player.id, now - DAY, MAX_PER_DAY)
    if len(today) == MAX_PER_DAY:
        return message(
            "In a day, {count} messages are the most: the next may follow on {when}",
            count=MAX_PER_DAY,
            when=local_time(today[-1] + DAY, player.time_zone),
        )
    return None
