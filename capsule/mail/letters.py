"""Letters: what they say, and writing those that are due."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from functools import partial
from itertools import chain
from urllib.parse import quote

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.activity import ONE_DAY
from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.faults import DatabaseFault, log_failure, retry
from capsule.games.clock import HOUR
from capsule.games.reading import load_game
from capsule.languages.addresses import address_in
from capsule.languages.model import chosen, speaking, speech
from capsule.languages.time_zones import in_zone
from capsule.mail import queries
from capsule.mail.model import (
    MAX_LETTERS_A_DAY,
    Letter,
    LetterKind,
    MailKind,
    NewLetter,
    Notification,
    PendingAddress,
    PendingNotifications,
    Schedule,
    Subscription,
    random_key,
)
from capsule.mail.notifications import news_for
from capsule.ui.columns import wrapped
from capsule.ui.render import Block, render, translate
from engine import Message
from engine.game import message, plural

COLUMNS = 72
"""The greatest width of a letter, apart from addresses that are longer."""

MAX_BOARDS = 10
"""Games whose boards a letter shows; of further ones it has the titles."""

MAX_NOTIFICATIONS = 50
"""Notifications that a letter names; it counts the rest."""

_NO_REPLY = re.compile(r"no-?reply|do-?not-?reply", re.IGNORECASE)


class _UnfoldedHeader(UnstructuredHeader, BaseHeader):
    """A header in one line: folded, a long address would become an encoded word (RFC 2047)."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is sent."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("List-Unsubscribe", _UnfoldedHeader)
_POLICY = SMTP.clone(header_factory=_HEADERS)


@dataclass(frozen=True)
class Prepared:
    """A letter that can be sent, and the address to which it goes."""

    message: EmailMessage
    address: str


@dataclass(frozen=True)
class Item:
    """A notification in a letter, its page, and the board if its player is to move."""

    notification: Notification
    path: str
    board: Block | None


def items_of(
    context: AppContext,
    connection: sa.Connection,
    player: Player,
    notifications: Sequence[Notification],
) -> Sequence[Item]:
    """Return notifications with the boards of the first games, each once, as the player draws."""
    style = replace(player.settings, unicode_boards=False, narrow=False).style
    drawn: set[str] = set()
    items = []
    for each in notifications:
        board = None
        stored = each.game
        is_new = stored is not None and each.is_turn and stored.id not in drawn
        if stored is not None and is_new and len(drawn) < MAX_BOARDS:
            drawn.add(stored.id)
            game = load_game(context, connection, stored)
            board = Block(game.position.view(style=style, latest=game.latest).drawing)
        items.append(Item(each, address_in(speech(), each.path), board))
    return items


def subject_of(notifications: Sequence[Notification]) -> Message:
    """Return the subject of a letter.

    It counts the games in which it is the player's turn. Without one, it is the only notification,
    or counts them all.
    """
    turns = {each.game.id for each in notifications if each.is_turn and each.game is not None}
    if turns:
        return plural(
            "Your turn in {count} game at Oxonaut",
            "Your turn in {count} games at Oxonaut",
            count=len(turns),
        )
    if len(notifications) == 1:
        return message("{title} (Oxonaut)", title=notifications[0].title)
    return message("News from Oxonaut")


def news_letter(  # noqa: PLR0913, PLR0917 - all that a letter is made of
    context: AppContext,
    connection: sa.Connection,
    letter: Letter,
    player: Player,
    subscription: Subscription,
    told: Sequence[Notification],
) -> Prepared:
    """Return a letter with these notifications; of very many it counts the last ones."""
    notifications = _one_of_each_turn(told)
    with speaking(chosen(player.settings.language)):
        items = items_of(context, connection, player, notifications[:MAX_NOTIFICATIONS])
        values = {"player": player, "items": items, "others": len(notifications) - len(items)}
        subject = subject_of(notifications)
        return _prepared(context, letter, subscription, subject, "mail/news.gmi", values)


def _one_of_each_turn(notifications: Sequence[Notification]) -> Sequence[Notification]:
    """Return notifications with one line of each turn: the last one, of the least time left."""
    last = {
        each.game.id: each.key for each in notifications if each.is_turn and each.game is not None
    }
    return [
        each
        for each in notifications
        if each.game is None or not each.is_turn or each.key == last[each.game.id]
    ]


def code_letter(
    context: AppContext, letter: Letter, player: Player, pending: PendingAddress, code: str
) -> Prepared:
    """Return the letter with the code that confirms an address."""
    subject = message("Your code for mail from Oxonaut")
    values = {"player": player, "code": code}
    with speaking(chosen(player.settings.language)):
        return _prepared(context, letter, pending, subject, "mail/code.gmi", values)


def test_letter(context: AppContext, address: str, key: str, now: datetime) -> EmailMessage:
    """Return a letter that shows the operator that mail arrives; `key` begins its Message-ID."""
    body = render("mail/test.gmi", {"origin": context.origin})
    return _made(context, address, message("A test from Oxonaut"), body, key, now)


def _prepared(  # noqa: PLR0913, PLR0917 - all that a letter is made of
    context: AppContext,
    letter: Letter,
    recipient: Subscription | PendingAddress,
    subject: Message,
    template: str,
    values: Mapping[str, object],
) -> Prepared:
    stop = address_in(speech(), f"/mail/{recipient.stop_key}/stop")
    body = render(template, {**values, "origin": context.origin, "stop": stop})
    made = _made(context, recipient.address, subject, body, letter.message_key, letter.made_at)
    sender = made["From"].addresses[0].addr_spec
    if not _NO_REPLY.search(sender):
        # The key is that of `oxonaut admin mail-stop`: nobody but the operator reads the answer.
        asked = f"{quote(sender, safe='@')}?subject=stop%20{recipient.stop_key}"
        made["List-Unsubscribe"] = f"<mailto:{asked}>"
    return Prepared(made, recipient.address)


def _made(  # noqa: PLR0913, PLR0917 - the headers
    context: AppContext, address: str, subject: Message, body: str, key: str, at: datetime
) -> EmailMessage:
    name, sender = parseaddr(context.mail_from)
    domain = sender.rpartition("@")[2]
    local, _, recipients_domain = address.rpartition("@")
    made = EmailMessage(_POLICY)
    made["From"] = Address(name, addr_spec=sender)
    # As one text, it would have to be ASCII.
    made["To"] = Address(username=local, domain=recipients_domain)
    # A line of text from people. Python reads what looks like an encoded word (RFC 2047), even one
    # of line breaks, which would begin another header.
    made["Subject"] = translate(subject).replace("=?", "= ?")
    made["Date"] = format_datetime(at)
    made["Message-ID"] = f"<{key}@{domain}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(_wrapped(body))
    return made


def _wrapped(text: str) -> str:
    """Return a text whose sentences are wrapped; boards and addresses stay as they are."""
    lines = (
        [line] if line.startswith((" ", "gemini://")) else wrapped(line, COLUMNS) or [""]
        for line in text.splitlines()
    )
    return "\n".join(chain.from_iterable(lines)) + "\n"


MAX_PLAYERS = 200
"""Subscribers who are looked at in one pass."""

MAX_WAITING = 1_000
"""Letters that wait at a time; beyond that, the oldest summaries are dropped first."""

EVENTS_EVERY = HOUR
"""The time after which events are looked for that no change of the player's own announces."""


def write_due(context: AppContext, log: logging.Logger) -> int:
    """Look at the subscribers for whom it is time; return how many letters had to be dropped."""
    for player_id in _players_to_look_at(context):
        try:
            retry(partial(_look_at, context, player_id))
        except DatabaseFault:
            raise
        except Exception as error:  # noqa: BLE001 - the others shall have their letters
            log_failure(log, "A letter could not be written", error)
            retry(partial(_defer, context, player_id))
    return retry(partial(_drop_excess, context))


def _players_to_look_at(context: AppContext) -> Sequence[int]:
    with context.database.reading() as connection:
        noted = queries.noted_players(connection, MAX_PLAYERS)
        now = context.clock()
        scheduled = queries.scheduled_players(connection, now, MAX_PLAYERS)
    return [*dict.fromkeys((*noted, *scheduled))]


def _look_at(context: AppContext, player_id: int) -> None:
    """Write the letter that a subscriber is to have now, if any, and when to look again."""
    now = context.clock()
    with context.database.reading() as connection:
        notes = queries.notes_for(connection, player_id)
        reader = reader_of(context, connection, player_id)
        news = None if reader is None else news_for(context, connection, *reader)
    with context.database.writing() as connection:
        queries.drop_notes(connection, notes)
        schedule = queries.schedule_of(connection, player_id)
        if schedule is None:
            return
        if reader is None or news is None:
            # Until their settings change, or a ban ends.
            queries.save_schedule(
                connection, player_id, Schedule(now + ONE_DAY, schedule.summary_on)
            )
            return
        player, subscription = reader
        local = in_zone(now, player.time_zone)
        if queries.has_waiting(connection, player_id):
            later = Schedule(now + EVENTS_EVERY, schedule.summary_on)
            queries.save_schedule(connection, player_id, later)
            return
        is_summary_due = schedule.summary_on < local.date() and local.hour >= subscription.hour
        day = local.date() if is_summary_due else schedule.summary_on
        kind = LetterKind.SUMMARY if is_summary_due else LetterKind.NEWS
        count = queries.count_of_day(connection, player_id, local.date(), now - ONE_DAY)
        # One of a day's letters is kept for the summary.
        room = MAX_LETTERS_A_DAY - count - (not is_summary_due)
        told = news.until(now) if is_summary_due else news.due(now)
        if told and room > 0:
            message_key, keys = random_key(context.random_bytes), [each.key for each in told]
            queries.add_letter(
                connection, NewLetter(player_id, kind, message_key, local.date(), now, keys)
            )
        look_at = _next_look(local, day, subscription, news)
        queries.save_schedule(connection, player_id, Schedule(look_at, day))


def _defer(context: AppContext, player_id: int) -> None:
    """Postpone a player's notifications after a failure."""
    with context.database.writing() as connection:
        queries.drop_notes(connection, queries.notes_for(connection, player_id))
        queries.look_from(connection, player_id, context.clock() + EVENTS_EVERY)


def reader_of(
    context: AppContext, connection: sa.Connection, player_id: int
) -> tuple[Player, Subscription] | None:
    """Return a player who wants letters, and their subscription; None without one."""
    player = person_of(context, connection, player_id)
    subscription = queries.subscription_of(connection, player_id)
    if player is None or subscription is None or not subscription.wants_letters:
        return None
    return player, subscription


def person_of(context: AppContext, connection: sa.Connection, player_id: int) -> Player | None:
    """Return a player who may be written to: neither a former nor a banned one."""
    player = account_queries.player_by_id(connection, player_id)
    if player is None or not player.is_present(context.clock()):
        return None
    return player


def _next_look(
    local: datetime, day: date, subscription: Subscription, news: PendingNotifications
) -> datetime:
    """Return when to look at a subscriber again, `day` being that of the last summary."""
    times = [_next_summary(local, day, subscription.hour)]
    due = news.next_due(local)
    if due is not None:
        times.append(due)
    if MailKind.EVENTS in subscription.kinds:
        times.append(local + EVENTS_EVERY)
    return min(times)


def _next_summary(local: datetime, day: date, hour: int) -> datetime:
    """Return when the summary after that of `day` is due, in the player's time zone.

    >>> from datetime import UTC, datetime
    >>> evening = datetime(2026, 11, 25, 19, 30, tzinfo=UTC)
    >>> str(_next_summary(evening, evening.date(), 8))
    '2026-11-26 08:00:00+00:00'
    """
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    # After a stop of days, there is one summary for all of them.
    return at + timedelta(days=max((day - local.date()).days, -1) + 1)


def _drop_excess(context: AppContext) -> int:
    """Drop the letters that are too many, and return their number; others may tell the same."""
    with context.database.reading() as connection:
        excess = queries.count_waiting(connection) - MAX_WAITING
    if excess <= 0:
        return 0
    with context.database.writing() as connection:
        for letter_id in queries.oldest_waiting(connection, excess):
            queries.drop_letter(connection, letter_id)
    return excess
