"""Publishing and reading the operator's news."""

from collections.abc import Sequence

import sqlalchemy as sa

from capsule.context import AppContext, Transaction
from capsule.moderation import queries as moderation_queries
from capsule.moderation.actions import OperatorRefused
from capsule.moderation.model import ActionKind
from capsule.news import queries
from capsule.news.queries import ON_HOME_FOR, Announcement
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind
from capsule.ui.user_text import TextRefused, clean_line
from engine.game import Message, message

PAGE_SIZE = 20
"""The number of announcements on one page."""


def page_of_news(
    transaction: Transaction, number: int | None
) -> tuple[Sequence[Announcement], int | None, int | None]:
    """Return announcements, the newest first, and the numbers at which their neighbours begin.

    They begin with a number, or with the newest. Of the neighbours, the newer page comes first: it
    is the first page if its number is 0. None says that there is none.
    """
    connection = transaction.connection
    found = queries.newest(connection, PAGE_SIZE + 1, number)
    after = () if number is None else queries.numbers_after(connection, number, PAGE_SIZE + 1)
    newer = None
    if after:
        newer = after[PAGE_SIZE - 1] if len(after) > PAGE_SIZE else 0
    older = found[PAGE_SIZE].number if len(found) > PAGE_SIZE else None
    return found[:PAGE_SIZE], newer, older


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


def publish(context: AppContext, text: str) -> int:
    """Publish news, and return their number."""
    text = _fit_text(text)
    with context.database.writing() as connection:
        number = queries.publish(connection, text, context.clock())
        _record(context, connection, f"published number {number}")
    return number


def edit(context: AppContext, number: int, text: str) -> None:
    """Give news another text; their number and their date stay."""
    text = _fit_text(text)
    with context.database.writing() as connection:
        if not queries.edit(connection, number, text):
            raise _no_such_news(number)
        _record(context, connection, f"edited number {number}")


def withdraw(context: AppContext, number: int) -> None:
    """Withdraw news from all pages and feeds, and from the disk."""
    with context.database.erasing() as connection:
        if not queries.withdraw(connection, number):
            raise _no_such_news(number)
        _record(context, connection, f"withdrew number {number}")


def _record(context: AppContext, connection: sa.Connection, detail: str) -> None:
    now = context.clock()
    moderation_queries.record_action(connection, now, ActionKind.NEWS, None, detail)


def _no_such_news(number: int) -> OperatorRefused:
    return OperatorRefused(f"There is no news number {number}.")


def _fit_text(text: str) -> str:
    try:
        return clean_line(text)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the news. {error}.") from error
