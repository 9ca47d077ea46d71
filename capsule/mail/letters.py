"""Letters as they are sent: plain text of 72 columns, with boards in ASCII, and their headers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

from capsule.games.reading import load_game
from capsule.ui.columns import wrapped
from capsule.ui.language_addresses import address_in
from capsule.ui.languages import chosen, speaking, speech
from capsule.ui.render import Block, render, translate
from engine.game import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from email.policy import Policy

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.mail.model import Letter, Occasion, PendingAddress, Subscription
    from engine import Message


COLUMNS = 72
"""The greatest width of a letter, apart from addresses that are longer."""

MAX_BOARDS = 10
"""Games whose boards a letter shows; of further ones it has the titles."""

MAX_OCCASIONS = 50
"""Occasions that a letter names; it counts the rest."""

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
    """An occasion in a letter, its page, and the board of a game in which the player is to move."""

    occasion: Occasion
    path: str
    board: Block | None


def items_of(
    context: AppContext, connection: Connection, player: Player, occasions: Sequence[Occasion]
) -> Sequence[Item]:
    """Return occasions with the boards of the first games, each once, as their player draws it."""
    style = replace(player.settings, unicode_boards=False, narrow=False).style
    drawn: set[str] = set()
    items = []
    for each in occasions:
        board = None
        stored = each.game
        is_new = stored is not None and each.is_turn and stored.id not in drawn
        if stored is not None and is_new and len(drawn) < MAX_BOARDS:
            drawn.add(stored.id)
            game = load_game(context, connection, stored)
            board = Block(game.position.view(style=style, latest=game.latest).drawing)
        items.append(Item(each, address_in(speech(), each.path), board))
    return items


def subject_of(occasions: Sequence[Occasion]) -> Message:
    """Return the subject of a letter.

    It counts the games in which it is the player's turn. Without one, it is the only occasion, or
    counts them all.
    """
    turns = {each.game.id for each in occasions if each.is_turn and each.game is not None}
    if turns:
        return plural(
            "Your turn in {count} game at Oxonaut",
            "Your turn in {count} games at Oxonaut",
            count=len(turns),
        )
    if len(occasions) == 1:
        return message("{title} (Oxonaut)", title=occasions[0].title)
    return message("News from Oxonaut")


def news_letter(  # noqa: PLR0913, PLR0917 - all that a letter is made of
    context: AppContext,
    connection: Connection,
    letter: Letter,
    player: Player,
    subscription: Subscription,
    told: Sequence[Occasion],
) -> Prepared:
    """Return a letter that tells a player these things; of very many it counts the last ones."""
    occasions = _one_of_each_turn(told)
    with speaking(chosen(player.settings.language)):
        items = items_of(context, connection, player, occasions[:MAX_OCCASIONS])
        values = {"player": player, "items": items, "others": len(occasions) - len(items)}
        subject = subject_of(occasions)
        return _prepared(context, letter, subscription, subject, "mail/news.gmi", values)


def _one_of_each_turn(occasions: Sequence[Occasion]) -> Sequence[Occasion]:
    """Return occasions with one line of each turn: the last one, of the least time left."""
    last = {each.game.id: each.key for each in occasions if each.is_turn and each.game is not None}
    return [
        each
        for each in occasions
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
