"""What the two players of a game say to each other under it.

A message does not raise the turn counter: it must not spoil a move that is being typed. So that a
page sends once, its key is made for the number of messages that the player has sent there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule import manners
from capsule.clock import DAY
from capsule.game import OutdatedAction, game_at
from capsule.seating import count_action, expect_here
from capsule.store import games as stored_games
from capsule.store import messages as stored
from capsule.time_zones import moment
from capsule.typed import TextRefused, readable
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.manners import Person
    from capsule.site import Site
    from capsule.store.manners import Beside
    from capsule.store.messages import News, StoredMessage
    from capsule.store.players import Player
    from engine import Message

MOST_IN_A_WHILE, WHILE = 5, timedelta(minutes=10)
"""Messages that a player may send under one game, and in how long a time."""

MOST_A_DAY = 50
"""Messages that a player may send under all games."""

OPEN_AFTER_THE_END = timedelta(days=30)
"""How long after a game's end its players may still write under it."""

LATELY, MOST_LATELY = timedelta(days=3), 5
"""How long a message is news for who it was written to, and under how many games."""

MESSAGES_A_PAGE = 50


@dataclass(frozen=True)
class Page:
    """Some messages of a game in order, and the ids at which the pages beside this one begin."""

    messages: Sequence[StoredMessage]
    earlier: int | None
    later: int | None


def why_none(game: Game, player: Player, opponent: Person, known: Beside) -> Message | None:
    """Return why a player cannot write to the opponent under a game; None where they can."""
    if not opponent.name:
        return message("A former player reads no messages")
    if player.silenced_until is not None and player.is_silenced(game.now):
        until = moment(player.silenced_until, player.time_zone)
        return message("The operator lets you send no messages until {when}", when=until)
    reason = _why_not_wished(player, opponent, known)
    ended_at = game.stored.ended_at
    if reason is None and ended_at is not None and game.now >= ended_at + OPEN_AFTER_THE_END:
        days = OPEN_AFTER_THE_END.days
        return message("Messages end {count} days after the game", count=days)
    return reason


def say(site: Site, player: Player, game_id: str, sent: int, text: str) -> None:
    """Send the opponent of a game a message; `sent` is how many the player has sent there so far.

    Raises `TextRefused` where the text is not fit or comes too soon, and `OutdatedAction` where
    another was sent since, or none can be.
    """
    with site.store.writing() as connection:
        expect_here(site, connection, player)
        game, opponent = _expect_two(site, connection, player, game_id)
        known = manners.beside(connection, game, player)
        if known.sent != sent or why_none(game, player, opponent, known) is not None:
            raise OutdatedAction
        line = readable(text)
        reason = _why_wait(site, connection, player, game_id)
        if reason is not None:
            raise TextRefused(reason)
        stored.add_message(
            connection,
            game_id=game_id,
            player_id=player.id,
            recipient_id=opponent.id,
            text=line,
            sent_at=game.now,
        )


def why_wait(site: Site, player: Player, game_id: str) -> Message | None:
    """Return why a player has to wait before the next message; None where it may come now."""
    with site.store.reading() as connection:
        return _why_wait(site, connection, player, game_id)


def let_visitors_read(site: Site, player: Player, game_id: str, *, agrees: bool) -> None:
    """Note whether a player agrees to visitors' reading the messages of a game.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        game, _ = _expect_two(site, connection, player, game_id)
        side = game.seats_of(player)[0].value.lower()
        stored_games.change_game(connection, game_id, **{f"{side}_shows_messages": agrees})


def page(site: Site, game: Game, player: Player | None, first: int | None = None) -> Page:
    """Return the messages of a game from the id `first` on, or else the last ones.

    There are none for somebody who may not read them.
    """
    if not manners.may_read_messages(game, player):
        return Page((), None, None)
    which = (game.stored.id, player.id if player else manners.NOBODY)
    with site.store.reading() as connection:
        found: Sequence[StoredMessage] = ()
        if first is not None:
            found = stored.messages_from(connection, *which, first, MESSAGES_A_PAGE + 1)
        found = found or stored.messages_before(connection, *which, None, MESSAGES_A_PAGE)
        if not found:
            return Page((), None, None)
        before = stored.messages_before(connection, *which, found[0].id, MESSAGES_A_PAGE)
    shown, beyond = found[:MESSAGES_A_PAGE], found[MESSAGES_A_PAGE:]
    return Page(shown, before[0].id if before else None, beyond[0].id if beyond else None)


def written_lately(site: Site, player: Player) -> Sequence[News]:
    """Return the last message to a player under each game in which somebody wrote lately."""
    if not player.takes_messages:
        return ()
    since = site.clock() - LATELY
    with site.store.reading() as connection:
        found = stored.news_for(connection, player.id, since, MESSAGES_A_PAGE)
    newest = {news.game_id: news for news in reversed(found)}
    return sorted(newest.values(), key=lambda news: news.id, reverse=True)[:MOST_LATELY]


def _why_not_wished(player: Player, opponent: Person, known: Beside) -> Message | None:
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
    site: Site, connection: Connection, player: Player, game_id: str
) -> tuple[Game, Person]:
    found = stored_games.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = game_at(site, connection, found, found.ply)
    opponent = manners.opponent_of(game, player)
    if opponent is None or not (manners.is_between_people(found) and game.seats_of(player)):
        raise OutdatedAction
    return game, opponent


def _why_wait(site: Site, connection: Connection, player: Player, game_id: str) -> Message | None:
    now = site.clock()
    here = stored.sent_since(connection, player.id, now - WHILE, MOST_IN_A_WHILE, game_id)
    if len(here) == MOST_IN_A_WHILE:
        return message(
            "Under one game, {count} messages in ten minutes are the most: the next may follow on"
            " {when}",
            count=MOST_IN_A_WHILE,
            when=moment(here[-1] + WHILE, player.time_zone),
        )
    today = stored.sent_since(connection, player.id, now - DAY, MOST_A_DAY)
    if len(today) == MOST_A_DAY:
        return message(
            "In a day, {count} messages are the most: the next may follow on {when}",
            count=MOST_A_DAY,
            when=moment(today[-1] + DAY, player.time_zone),
        )
    return None
