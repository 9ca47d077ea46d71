"""The page of the news, and their feed."""

from capsule.accounts import identity
from capsule.context import Transaction, reading
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.news import publishing
from capsule.ui import responses
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind
from capsule.ui.routes import FEED, Routes, cacheable, named
from engine import Message, message

PAGE_SIZE = 20
"""The number of announcements on one page."""


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return a page of the news; the query is the number of those with which it begins.

    It leads to the pages of older and newer announcements; the number 0 stands for the first page.
    """
    connection = transaction.connection
    number = None if request.query is None else int(request.query)
    found = publishing.newest(connection, PAGE_SIZE + 1, number)
    after = () if number is None else publishing.numbers_after(connection, number, PAGE_SIZE + 1)
    newer = None
    if after:
        newer = after[PAGE_SIZE - 1] if len(after) > PAGE_SIZE else 0
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "news/news.gmi",
        announcements=found[:PAGE_SIZE],
        newer=newer,
        older=found[PAGE_SIZE].number if len(found) > PAGE_SIZE else None,
    )


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of the news."""
    found = publishing.newest(transaction.connection, MAX_ENTRIES)
    news = Feed(
        FeedKind.NEWS,
        path="/news/feed",
        home="/news",
        title=message("Oxonaut: news"),
        entries=[
            Entry(each.path, each.published_at, Message("{text}", {"text": each.text}))
            for each in found
        ],
    )
    return identity.feed_page(transaction, request, news, form)


ROUTES: Routes = named(
    "news.pages.news", (("/news", show, "[1-9][0-9]{0,8}"), (f"/news/{FEED}", feed))
)

FEATURE = Feature(ROUTES)
