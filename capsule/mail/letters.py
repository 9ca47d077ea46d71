"""The texts and the headers of letters."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from functools import partial
from itertools import chain
from typing import TypeAlias
from urllib.parse import quote

from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.games.reading import load_game
from capsule.languages.addresses import address_in
from capsule.languages.model import chosen_language, override_language, page_language
from capsule.mail.model import Letter, Notification, PendingAddress, Subscription
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
        game = load_game(transaction, stored)
        boards[key] = Block(game.position.view(style=style, latest=game.latest).drawing)
    return boards


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
            "address": partial(address_in, page_language()),
            "others": len(notifications) - len(named),
        }
        subject, context = subject_of(notifications), transaction.context
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
    with override_language(chosen_language(player.settings.language)):
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
    stop = address_in(page_language(), f"/mail/{recipient.stop_key}/stop")
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
