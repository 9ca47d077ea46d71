"""The page of the news, and their feed."""

from capsule.accounts import identity
from capsule.context import Transaction, reading
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.news.publishing import feed as feed_of_news, page_of_news
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, Routes, cacheable, named


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return a page of the news; the query is the number of those with which it begins."""
    number = None if request.query is None else int(request.query)
    found, newer, older = page_of_news(transaction, number)
    preferences = identity.visitor_of(transaction, request).preferences
    return responses.page(
        preferences, "news/news.gmi", announcements=found, newer=newer, older=older
    )


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of the news."""
    preferences = identity.visitor_of(transaction, request).preferences
    origin = transaction.context.origin
    return feed_response(preferences, feed_of_news(transaction), form, origin)


ROUTES: Routes = (
    *named("news.pages.news", (("/news", show, "[1-9][0-9]{0,8}"), (f"/news/{FEED}", feed))),
)

FEATURE = Feature(ROUTES)
