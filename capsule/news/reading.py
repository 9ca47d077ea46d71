"""The news as pages and feeds show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.news import queries
from capsule.news.model import ON_HOME_FOR
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind
from engine.game import Message, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import Transaction
    from capsule.news.model import Announcement


PAGE_SIZE = 20
"""The number of announcements on one page."""


@dataclass(frozen=True, slots=True)
class NewsPage:
    """Announcements, the newest first, and the numbers at which its neighbours begin.

    None stands for no older page. The newer page is the first one if `newer` is 0, and None says
    that there is none.
    """

    announcements: Sequence[Announcement]
    newer: int | None
    older: int | None


def page_of_news(transaction: Transaction, number: int | None) -> NewsPage:
    """Return the page that begins with a number, or with the newest announcement."""
    connection = transaction.connection
    found = queries.newest(connection, PAGE_SIZE + 1, number)
    after = () if number is None else queries.numbers_after(connection, number, PAGE_SIZE + 1)
    newer = None
    if after:
        newer = after[PAGE_SIZE - 1] if len(after) > PAGE_SIZE else 0
    older = found[PAGE_SIZE].number if len(found) > PAGE_SIZE else None
    return NewsPage(found[:PAGE_SIZE], newer, older)


def news_on_home(transaction: Transaction) -> Announcement | None:
    """Return the newest announcement if it is not older than a week."""
    found = queries.newest(transaction.connection, 1)
    is_recent = found and transaction.now - found[0].published_at < ON_HOME_FOR
    return found[0] if is_recent else None


def feed(transaction: Transaction) -> Feed:
    """Return the feed of the news."""
    found = queries.newest(transaction.connection, MAX_ENTRIES)
    return Feed(
        FeedKind.NEWS,
        path="/news/feed",
        home="/news",
        title=message("Oxonaut: news"),
        entries=[
            Entry(each.path, each.published_at, Message("{text}", {"text": each.text}))
            for each in found
        ],
    )
