"""The page of the news, and their feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.news import reading
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, cacheable

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@cacheable
def show(context: AppContext, request: Request) -> Response:
    """Return a page of the news; the query is the number of those with which it begins."""
    number = None if request.query is None else int(request.query)
    page = reading.page_of_news(context, number)
    preferences = identity.preferences_of(context, request)
    return responses.page(preferences, "news/news.gmi", page=page)


def feed(context: AppContext, request: Request, form: str | None) -> Response:
    """Return the feed of the news."""
    preferences = identity.preferences_of(context, request)
    return feed_response(preferences, reading.feed(context), form, context.origin)


ROUTES: Routes = (
    ("/news", show, "[1-9][0-9]{0,8}"),
    (f"/news/{FEED}", feed),
)
