"""Introductions of players on their pages: one line, and the address of one website.

Everybody can read it. Like a message, it can be reported, and the operator can remove it.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import AddressValueError, IPv6Address

from capsule.accounts.model import Player
from capsule.accounts.pages.account import ACCOUNT_PAGE, SUBJECT
from capsule.accounts.pages.action import Action, ActionsOf, Attempt
from capsule.context import Transaction
from capsule.social import queries, rate_limit
from capsule.ui import typed_words, user_text
from capsule.ui.routes import ANY, KEY, Routes, named
from engine import Message, message

MAX_BYTES = 200
"""Bytes of an address."""

SCHEMES = ("gemini", "gopher", "https", "mailto")
"""The schemes of an address that a page links to."""

_SCHEME_AND_REST = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_CHARACTER = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})"
_AT_HOST = re.compile(
    r"//(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?P<port>[1-9][0-9]{0,4}))?"
    rf"(?:[/?]{_CHARACTER}*)?(?:#{_CHARACTER}*)?"
)
_MAILBOX = re.compile(r"[A-Za-z0-9_+~-]+(?:\.[A-Za-z0-9_+~-]+)*@(?P<host>[A-Za-z0-9.-]+)")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_MAX_PORT = 65535


def clean_website(text: str) -> str:
    """Return a typed address as a page links to it.

    Nothing is repaired, apart from full-width letters and signs and the case of the scheme: what
    two browsers might read in two ways is refused. Raises `TextRefused`.

    >>> clean_website(" Gemini://example.org:1966/~bob/?log#top ")
    'gemini://example.org:1966/~bob/?log#top'
    >>> clean_website("mailto:bob@example.org")
    'mailto:bob@example.org'
    """
    address = unicodedata.normalize("NFKC", text).strip()
    size = len(address.encode())
    if size > MAX_BYTES:
        raise user_text.TextRefused(
            message(
                "Your address has {length} bytes, but only {limit} fit",
                length=size,
                limit=MAX_BYTES,
            )
        )
    parts = _SCHEME_AND_REST.fullmatch(address)
    scheme, rest = (parts[1].lower(), parts[2]) if parts else ("", "")
    if scheme not in SCHEMES:
        raise user_text.TextRefused(
            message(
                "It must begin with gemini, gopher, https or mailto, as in gemini://example.org"
            )
        )
    pattern = _MAILBOX if scheme == "mailto" else _AT_HOST
    found = pattern.fullmatch(rest)
    if found is None or not _is_host(found["host"]):
        raise user_text.TextRefused(
            message("That is not an address that every browser understands")
        )
    if scheme != "mailto" and int(found["port"] or 1) > _MAX_PORT:
        raise user_text.TextRefused(message("A port has a number up to {limit}", limit=_MAX_PORT))
    return f"{scheme}:{rest}"


def _is_host(host: str) -> bool:
    """Return whether a host is a domain name with a dot, or an address in figures."""
    if host.startswith("["):
        try:
            IPv6Address(host[1:-1])
        except AddressValueError:
            return False
        return True
    labels = host.split(".")
    return len(labels) > 1 and all(map(_LABEL.fullmatch, labels))


MAX_LINE_LENGTH = 120
"""Characters of the line."""


@dataclass(frozen=True)
class Part:
    """A part of an introduction, by the name of its field.

    `clean` returns a typed text as everybody reads it, or raises `TextRefused`. The prompt says the
    `limits` of the text before it asks for it.
    """

    name: str
    clean: Callable[[str], str]
    limits: Message
    ask: Message


PARTS = (
    Part(
        "line",
        lambda text: user_text.clean_line(text, MAX_LINE_LENGTH),
        message(
            "At most {count} characters (about 100 in Chinese). Everybody can read it. Type {word} "
            "to remove it.",
            count=MAX_LINE_LENGTH,
        ),
        message("Your line about yourself"),
    ),
    Part(
        "website",
        clean_website,
        message(
            "It begins with gemini://, gopher://, https:// or mailto: and has at most {count} "
            "bytes. Everybody can read it. Type {word} to remove it.",
            count=MAX_BYTES,
        ),
        message("The address of your website"),
    ),
)


def change(transaction: Transaction, player: Player, part: Part, text: str) -> None:
    """Change or remove a part of a player's introduction.

    Raises `TextRefused` if the text is unfit, and `TextOverLimit` if the operator has muted the
    player, who can still remove things.
    """
    cleaned = "" if is_removal(text) else part.clean(text)
    if cleaned:
        rate_limit.require_allowed(rate_limit.mute_refusal(player, transaction.now))
    known = queries.introduction_of(transaction.connection, player.id)
    changed = replace(known, **{part.name: cleaned})
    queries.save_introduction(transaction.connection, player.id, changed)
    transaction.erases_words()


def is_removal(text: str) -> bool:
    """Return whether a typed text removes what is there: it is blank, or the word for nothing."""
    return not text.strip() or typed_words.is_typed(text, typed_words.NONE)


def _action(part: Part) -> Action:
    def asks(transaction: Transaction, attempt: Attempt) -> tuple[Message, Message]:
        rate_limit.require_allowed(rate_limit.mute_refusal(attempt.player, transaction.now))
        return typed_words.naming(part.limits, typed_words.NONE), part.ask

    return Action(
        name=part.name,
        counter=ActionsOf(SUBJECT),
        back=_own_page,
        asks=asks,
        does=lambda transaction, attempt: change(transaction, attempt.player, part, attempt.text),
        # The word that removes a part is no text to quote.
        quotes=lambda attempt: not is_removal(attempt.text),
    )


def _own_page(attempt: Attempt) -> str:
    player = attempt.visitor.player
    return ACCOUNT_PAGE if player is None else f"/play/players/{player.name}"


ROUTES: Routes = named(
    "social.pages.introductions",
    [(f"/play/me/{KEY}/{part.name}", _action(part), ANY) for part in PARTS],
)
