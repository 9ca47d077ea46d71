"""Letters: the notifications in them, which are derived from the stored state, and their texts.

Outdated notifications are not sent: of a turn that was played, a challenge that was answered, a
message that the operator removed, or a game that the player has viewed since.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from itertools import chain
from typing import TypeAlias
from urllib.parse import quote

from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.games import deadlines, list_queries, reading
from capsule.games.clock import DAY, HOUR
from capsule.games.feed_entries import FollowedGame, end_address, has_entries, own_result
from capsule.games.model import OVER
from capsule.languages.addresses import address_in
from capsule.languages.model import chosen_language, override_language
from capsule.lobby import queries as lobby_queries
from capsule.mail import model, queries
from capsule.mail.model import Letter, MailKind, Notification, Subscription, TurnMail
from capsule.play.desk import GameEntry, Offer, desk_of
from capsule.social import line_queries
from capsule.ui.columns import wrapped
from capsule.ui.render import Block, render, translate
from engine import Message, message, plural

LAST_HOURS = 3
"""The hours left to move when a player gets the last reminder."""

MAX_AGE = 30 * DAY
"""The maximum age of a notification that no player or opponent waits for, such as a result."""

MAX_OF_A_KIND = 50
"""The most results that are read, and the most messages: the newest of each."""

_OFFERS = {
    Offer.CHALLENGE: message("{opponent} challenges you: {variant}"),
    Offer.REMATCH: message("{opponent} offers a rematch: {variant}"),
    Offer.DRAW: message("{opponent} offers a draw: {variant}"),
    Offer.TAKEBACK: message("{opponent} asks for a takeback: {variant}"),
}


def new_notifications(
    transaction: Transaction, player: Player, subscription: Subscription
) -> Sequence[Notification]:
    """Return a player's notifications that were neither seen nor sent, the oldest first."""
    unseen = _unseen(transaction, player, subscription)
    sent = queries.already_sent(transaction.connection, player.id, [each.key for each in unseen])
    return sorted((each for each in unseen if each.key not in sent), key=lambda each: each.at)


def current_notifications(
    transaction: Transaction, player: Player, subscription: Subscription, letter_id: int
) -> Sequence[Notification]:
    """Return those notifications of a letter that still hold and were not seen, turns first."""
    keys = queries.contents(transaction.connection, letter_id)
    unseen = _unseen(transaction, player, subscription)
    current = (each for each in unseen if each.key in keys)
    return sorted(current, key=lambda each: (not each.is_turn, each.at))


def _unseen(
    transaction: Transaction, player: Player, subscription: Subscription
) -> Sequence[Notification]:
    found = [*_all(transaction, player, subscription)]
    views = queries.views_of(transaction.connection, player.id)
    return [each for each in found if not _is_seen(each, views)]


def _all(
    transaction: Transaction, player: Player, subscription: Subscription
) -> Iterator[Notification]:
    since = max(subscription.confirmed_at, transaction.now - MAX_AGE)
    yield from _of_waiting_games(transaction, player, subscription)
    if MailKind.MESSAGES in subscription.kinds:
        yield from _messages(transaction, player, since)
    if MailKind.RESULTS in subscription.kinds:
        yield from _results(transaction, player, since)
    if MailKind.EVENTS in subscription.kinds:
        yield from _events(transaction, player, since)


def _of_waiting_games(
    transaction: Transaction, player: Player, subscription: Subscription
) -> Iterator[Notification]:
    for entry in desk_of(transaction, player):
        if not has_entries(entry.stored):
            continue
        if entry.is_your_turn and subscription.turns is not TurnMail.OFF:
            yield _turn(entry, subscription.turns.delay)
        if entry.is_your_turn and not entry.is_time_up and MailKind.TIME in subscription.kinds:
            yield from _reminders(entry)
        if entry.offer is not None and MailKind.OFFERS in subscription.kinds:
            yield _offer(entry, entry.offer)


def _of_game(
    entry: GameEntry, name: str, title: Message, at: datetime, deadline: datetime | None = None
) -> Notification:
    """Return a notification about a game that waits for the player; it is due at once."""
    stored = entry.stored
    return Notification(
        key=f"{name} {stored.id} {stored.turn_counter}",
        at=at,
        due_at=at,
        title=title.filled(opponent=entry.opponent, variant=stored.variant.name),
        path=entry.address,
        game=stored,
        deadline=deadline,
    )


def _turn(entry: GameEntry, delay: timedelta | None) -> Notification:
    moved_at, deadline = entry.stored.moved_at, None if entry.is_time_up else entry.deadline
    title = message("Your turn against {opponent}: {variant}")
    due_at = None if delay is None else moved_at + delay
    return replace(_of_game(entry, "turn", title, moved_at, deadline), due_at=due_at, is_turn=True)


def _reminders(entry: GameEntry) -> Iterator[Notification]:
    clock = entry.clock
    if clock is None:
        return
    quarter = message("A quarter of your time is left against {opponent}: {variant}")
    hours = message("Three hours are left for your move against {opponent}: {variant}")
    for name, title, moment in (
        ("quarter", quarter, clock.quarter_left),
        ("hours", hours, clock.moment_left(LAST_HOURS * HOUR)),
    ):
        yield replace(_of_game(entry, name, title, moment, entry.deadline), is_turn=True)


def _offer(entry: GameEntry, offer: Offer) -> Notification:
    stored = entry.stored
    times = {Offer.DRAW: stored.draw_offered_at, Offer.TAKEBACK: stored.takeback_asked_at}
    at = times.get(offer, stored.created_at) or stored.moved_at
    return _of_game(entry, offer.name.lower(), _OFFERS[offer], at)


def _messages(transaction: Transaction, player: Player, since: datetime) -> Iterator[Notification]:
    if not player.settings.takes_messages:
        return
    for each in line_queries.incoming(
        transaction.connection, line_queries.INCOMING_MESSAGES, player.id, since, MAX_OF_A_KIND
    ):
        yield Notification(
            key=f"message {each.game_id} {each.id}",
            at=each.sent_at,
            due_at=each.sent_at,
            title=message(
                "{author} wrote to you: {variant}", author=each.author, variant=each.variant.name
            ),
            path=f"/play/{each.game_id}/messages?{each.id}",
        )


def _results(transaction: Transaction, player: Player, since: datetime) -> Iterator[Notification]:
    connection = transaction.connection
    found = list_queries.games_of_player(connection, player.id, OVER, MAX_OF_A_KIND)
    recent = [game for game in found if game.moved_at >= since and has_entries(game)]
    moves = lobby_queries.last_moves(connection, [game.id for game in recent], 1)
    for game in deadlines.apply_deadlines(transaction, recent):
        last = moves.get(game.id, ())
        if FollowedGame(player.id, game, last, None, game.moved_at).was_ended_by_player:
            continue
        at = game.ended_at or game.moved_at
        yield Notification(
            key=f"result {game.id}",
            at=at,
            due_at=at,
            title=own_result(game, player.id),
            path=end_address(game),
            game=game,
        )


def _events(transaction: Transaction, player: Player, since: datetime) -> Iterator[Notification]:
    for feature in transaction.context.features:
        for entry in (
            *feature.private_entries(transaction, player),
            *feature.letter_entries(transaction, player),
        ):
            if entry.at >= since:
                key = f"event {entry.path}"
                yield Notification(key, entry.at, entry.at, entry.title, entry.leads_to)


def _is_seen(notification: Notification, views: Mapping[str, datetime]) -> bool:
    """Return whether the player has viewed the game since the time of the notification.

    The page of waiting games, whose key in `views` is "", shows turns and offers, too.
    """
    if notification.game is None:
        return False
    viewed_at = [views.get(notification.game.id)]
    if notification.game.is_running:
        viewed_at.append(views.get(""))
    return any(each is not None and each >= notification.at for each in viewed_at)


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


Prepared: TypeAlias = tuple[EmailMessage, str]
"""A letter that can be sent, and the address to which it goes."""


def _boards(
    transaction: Transaction, player: Player, notifications: Sequence[Notification]
) -> Mapping[str, Block]:
    """Return the boards of the first games in which the player is to move, as the player draws.

    They stand below the notifications of these keys.
    """
    style = replace(player.settings, unicode_boards=False, narrow=False).style
    turns = [(each.key, each.game) for each in notifications if each.is_turn and each.game]
    boards = {}
    for key, stored in turns[:MAX_BOARDS]:
        game = reading.load_game(transaction, stored)
        boards[key] = Block(game.position.view(style=style, latest=game.latest).drawing)
    return boards


def subject_of(notifications: Sequence[Notification]) -> Message:
    """Return the subject of a letter.

    It counts the games in which it is the player's turn. Without one, it is the only notification,
    or counts them all.
    """
    turns = {each.turn_in for each in notifications} - {None}
    if turns:
        return plural(
            "Your turn in {count} game at Oxonaut",
            "Your turn in {count} games at Oxonaut",
            count=len(turns),
        )
    if len(notifications) == 1:
        return message("{title} (Oxonaut)", title=notifications[0].title)
    return message("News from Oxonaut")


def news_letter(
    transaction: Transaction,
    letter: Letter,
    player: Player,
    subscription: Subscription,
    true: Sequence[Notification],
) -> Prepared:
    """Return a letter with these notifications; of very many it counts the last ones."""
    notifications = _one_of_each_turn(true)
    named = notifications[:MAX_NOTIFICATIONS]
    with override_language(chosen_language(player.settings.language)):
        values = {
            "player": player,
            "notifications": named,
            "boards": _boards(transaction, player, named),
            "address": address_in,
            "others": len(notifications) - len(named),
        }
        subject, context = subject_of(notifications), transaction.context
        return _prepared(context, letter, subscription, subject, "mail/news.gmi", values)


def _one_of_each_turn(notifications: Sequence[Notification]) -> Sequence[Notification]:
    """Return notifications with one line of each turn: the last one, of the least time left."""
    last = {each.turn_in: each.key for each in notifications}
    return [
        each for each in notifications if each.turn_in is None or each.key == last[each.turn_in]
    ]


def code_letter(
    context: AppContext, letter: Letter, player: Player, pending: model.PendingAddress, code: str
) -> Prepared:
    """Return the letter with the code that confirms an address."""
    subject = message("Your code for mail from Oxonaut")
    values = {"player": player, "code": code}
    with override_language(chosen_language(player.settings.language)):
        return _prepared(context, letter, pending, subject, "mail/code.gmi", values)


def test_letter(context: AppContext, address: str, key: str, now: datetime) -> EmailMessage:
    """Return a letter that shows the operator that mail arrives; `key` begins its Message-ID."""
    body = render("mail/test.gmi", {"origin": context.origin})
    return _made(context, address, message("A test from Oxonaut"), body, key, now)


def _prepared(  # noqa: PLR0913, PLR0917 - all that a letter is made of
    context: AppContext,
    letter: Letter,
    recipient: Subscription | model.PendingAddress,
    subject: Message,
    template: str,
    values: Mapping[str, object],
) -> Prepared:
    stop = address_in(f"/mail/{recipient.stop_key}/stop")
    body = render(template, {**values, "origin": context.origin, "stop": stop})
    made = _made(context, recipient.address, subject, body, letter.message_key, letter.made_at)
    sender = made["From"].addresses[0].addr_spec
    if not _NO_REPLY.search(sender):
        # The key is that of `oxonaut admin mail-stop`: nobody but the operator reads the answer.
        asked = f"{quote(sender, safe='@')}?subject=stop%20{recipient.stop_key}"
        made["List-Unsubscribe"] = f"<mailto:{asked}>"
    return made, recipient.address


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
