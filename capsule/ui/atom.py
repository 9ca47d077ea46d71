"""Feeds: recent events, as a page to subscribe to (gemsub) and as Atom.

A feed is made from stored data, so it changes only when something happens. Readers distinguish
events by their addresses: each has one that never changes, and that no other event has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum, auto

from feedgenerator import Atom1Feed

from capsule.gemini.types import Response
from capsule.languages.addresses import address_in
from capsule.languages.model import active_language, page_language
from capsule.ui import render, responses
from capsule.ui.preferences import Preferences
from engine import Message

ATOM = "application/atom+xml; charset=utf-8"

MAX_ENTRIES = 30
"""The number of entries of a feed, the newest ones."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of the last change of an empty feed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event: its permanent address (a path, perhaps with a query), its time and its title.

    The title describes the event as it was at that time: a seat as it was opened, a game as it
    began, an end as it came, a text as it was published. Later events have their own addresses, and
    never change an entry. An offer that has been answered has no entry.

    Its reader is led to that address, or to `page` if that is given. That differs from the pages of
    the feed's other entries, since readers of gemsub have nothing else to distinguish them.
    """

    path: str
    at: datetime
    title: Message
    page: str | None = None

    @property
    def leads_to(self) -> str:
        """The address to which its reader is led."""
        return self.page or self.path


class FeedKind(StrEnum):
    """The subject of a feed."""

    PUBLIC_GAMES = auto()
    GAME = auto()
    TOURNAMENT = auto()
    PRIVATE = auto()
    DAILY = auto()
    CUPS = auto()
    NEWS = auto()
    EVERYONE = auto()
    ANNOTATED = auto()


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, whose page is at `path`, and whose Atom is at the same path with ".xml".

    `home` is the path of the page that the feed is about. The entries are in order, newest first.
    """

    kind: FeedKind
    path: str
    home: str
    title: Message
    entries: Sequence[Entry]

    @property
    def updated(self) -> datetime:
        """The time of the newest entry: the feed changes at no other time."""
        return self.entries[0].at if self.entries else EPOCH


def with_known_addresses(feed: Feed, upgraded_at: datetime) -> Feed:
    """Return a feed whose entries up to a time lead to the addresses by which readers know them.

    In release 0.1.0, all entries led there.
    """
    entries = [
        replace(entry, page=None) if entry.at <= upgraded_at else entry for entry in feed.entries
    ]
    return replace(feed, entries=entries)


def newest_entries(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Return the newest entries, for a feed; of two at the same time the later one is newer."""
    oldest_first = sorted(entries, key=lambda entry: entry.at)
    return oldest_first[::-1][:MAX_ENTRIES]


def oldest_of(entries: Iterable[Entry]) -> datetime:
    """Return the time before which an entry has no place in a feed that has these."""
    newest = newest_entries(entries)
    return newest[-1].at if len(newest) == MAX_ENTRIES else EPOCH


def feed_response(
    preferences: Preferences,
    feed: Feed,
    form: str | None,
    origin: str,
    upgraded_at: datetime | None = None,
) -> Response:
    """Return a feed as Atom if `form` is ".xml", else as a page.

    `origin` and a path together make an absolute address. Entries up to `upgraded_at` keep their
    addresses of release 0.1.0.
    """
    if upgraded_at is not None:
        feed = with_known_addresses(feed, upgraded_at)
    if form == ".xml":
        return responses.text(to_atom(feed, origin), ATOM)
    return responses.page(preferences, "ui/feed.gmi", feed=feed)


def to_atom(feed: Feed, origin: str) -> str:
    """Return a feed as Atom (RFC 4287), with absolute addresses below `origin`.

    In each language it is the same feed, with the same ids, that leads to that language's pages.
    """
    # What nobody has chosen is for everybody, so readers of feeds need no term.
    public = page_language()._replace(is_carried=False)
    document = _AtomDocument(
        title=render.translate(feed.title),
        link=f"{origin}{address_in(feed.path, public)}",
        description=None,
        language=active_language().tag,
        author_name="Oxonaut",
        author_link=f"{origin}/",
        feed_url=f"{origin}{address_in(feed.path, public)}.xml",
        feed_guid=f"{origin}{feed.path}.xml",
        updated=feed.updated.replace(microsecond=0),
    )
    for entry in feed.entries:
        document.add_item(
            title=render.opening(entry.title),
            link=f"{origin}{address_in(entry.leads_to, public)}",
            description=None,
            unique_id=f"{origin}{entry.path}",
            updateddate=entry.at.replace(microsecond=0),
        )
    return str(document.writeString("utf-8"))


class _AtomDocument(Atom1Feed):
    def latest_post_date(self) -> datetime:
        # The library would date an empty feed today, as if it had changed.
        updated: datetime = self.feed["updated"]
        return updated
