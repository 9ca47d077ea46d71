"""The operator's news: announcements, which are published, edited, withdrawn and read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.context import Transaction
from capsule.db.mapper import Mapper
from capsule.db.schema.social import news
from capsule.moderation import queries as moderation_queries
from capsule.moderation.actions import OperatorRefused, fit
from capsule.moderation.model import ActionKind

ON_HOME_FOR = timedelta(days=7)
"""The time for which the newest announcement stands on the home page."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A piece of news, by its number; no number is given out twice."""

    number: int
    text: str
    published_at: datetime

    @property
    def path(self) -> str:
        """The permanent address of the page that begins with it."""
        return f"/news?{self.number}"


_ANNOUNCEMENT = Mapper(Announcement, news)
# The home page reads the newest one: the statement is made once.
_NEWEST = _ANNOUNCEMENT.select.order_by(news.c.number.desc()).limit(
    sa.bindparam("limit", type_=sa.Integer)
)
_UP_TO = _NEWEST.where(news.c.number <= sa.bindparam("up_to", type_=sa.Integer))


def newest(
    connection: sa.Connection, limit: int, up_to: int | None = None
) -> Sequence[Announcement]:
    """Return announcements, the newest first: all, or those up to a number."""
    statement = _NEWEST if up_to is None else _UP_TO
    return _ANNOUNCEMENT.fetch_all(connection, statement, {"limit": limit, "up_to": up_to})


def numbers_after(connection: sa.Connection, number: int, limit: int) -> Sequence[int]:
    """Return the numbers of the announcements next after a number, in order."""
    statement = sa.select(news.c.number).where(news.c.number > number).order_by(news.c.number)
    return connection.execute(statement.limit(limit)).scalars().all()


def news_on_home(transaction: Transaction) -> Announcement | None:
    """Return the newest announcement if it is not older than a week."""
    found = newest(transaction.connection, 1)
    is_recent = found and transaction.now - found[0].published_at < ON_HOME_FOR
    return found[0] if is_recent else None


def publish(transaction: Transaction, text: str) -> int:
    """Publish an announcement, and return its number."""
    values = {"text": fit(text, "news"), "published_at": transaction.now}
    added = sa.insert(news).values(values).returning(news.c.number)
    number: int = transaction.connection.execute(added).scalar_one()
    _record(transaction, f"published number {number}")
    return number


def edit(transaction: Transaction, number: int, text: str) -> None:
    """Give an announcement another text; its number and its date stay."""
    _change(transaction, number, sa.update(news).values(text=fit(text, "news")))
    _record(transaction, f"edited number {number}")


def withdraw(transaction: Transaction, number: int) -> None:
    """Withdraw an announcement from all pages and feeds, and from the disk."""
    transaction.erases_words()
    _change(transaction, number, sa.delete(news))
    _record(transaction, f"withdrew number {number}")


def _record(transaction: Transaction, detail: str) -> None:
    moderation_queries.record_action(
        transaction.connection, transaction.now, ActionKind.NEWS, None, detail
    )


def _change(transaction: Transaction, number: int, change: sa.Update | sa.Delete) -> None:
    changed = transaction.connection.execute(change.where(news.c.number == number))
    if not changed.rowcount:
        raise OperatorRefused(f"There is no news number {number}.")
