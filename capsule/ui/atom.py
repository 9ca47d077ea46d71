"""Feeds: what has happened in games, as entries that a browser or a feed reader collects.

Everything here is a function of what is stored, so a feed changes only when something has happened.
Each event has an address of its own for ever, which no other event has:

- the start of a game, that of its first position, `/play/<game>/0`
- a move, that of the position after it, `/play/<game>/<n>`; a move in the place of one that was
  taken back has a query besides, which pages ignore
- the end of a game, that of the game, `/play/<game>`
- a message, that of the messages from it on, `/play/<game>/messages?<number>`
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from feedgenerator import Atom1Feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine import Message


MAX_ENTRIES = 30
"""Entries of a feed: the newest."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed was changed in which nothing has happened yet."""


@dataclass(frozen=True)
class Entry:
    """An event: its address for ever, as a path with a query or without, when it was, and what."""

    path: str
    at: datetime
    title: Message


@dataclass(frozen=True)
class Feed:
    """A feed at `path`, and as Atom at the same with `.xml`; entries stand newest first."""

    path: str
    title: Message
    entries: Sequence[Entry]

    @property
    def updated(self) -> datetime:
        """When the newest entry came in: no other moment changes the feed."""
        return self.entries[0].at if self.entries else EPOCH


def feed(path: str, title: Message, entries: Iterable[Entry]) -> Feed:
    """Return the feed of the newest of these entries; of two at one time the later one is newer."""
    oldest_first = sorted(entries, key=lambda entry: entry.at)
    return Feed(path, title, oldest_first[::-1][:MAX_ENTRIES])


def to_atom(made: Feed, origin: str, words: Callable[[Message], str]) -> str:
    """Return a feed as Atom (RFC 4287).

    `origin` makes its addresses whole; `words` says a message in the reader's language, on one line
    and without characters that XML has no place for.
    """
    document = _Atom(
        title=words(made.title),
        link=f"{origin}{made.path}",
        description=None,
        language="en",
        author_name="Oxonaut",
        author_link=f"{origin}/",
        feed_url=f"{origin}{made.path}.xml",
        feed_guid=f"{origin}{made.path}.xml",
        updated=made.updated.replace(microsecond=0),
    )
    for entry in made.entries:
        document.add_item(
            title=words(entry.title),
            link=f"{origin}{entry.path}",
            description=None,
            unique_id=f"{origin}{entry.path}",
            updateddate=entry.at.replace(microsecond=0),
        )
    return str(document.writeString("utf-8"))


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        # The library would take today for a feed without entries: a change where nothing changed.
        updated: datetime = self.feed["updated"]
        return updated
