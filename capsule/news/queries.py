"""Reading and writing the news."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.db.mapper import Mapper
from capsule.db.schema.social import news

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


def publish(connection: sa.Connection, text: str, now: datetime) -> int:
    """Store an announcement, and return its number."""
    statement = sa.insert(news).values(text=text, published_at=now).returning(news.c.number)
    number: int = connection.execute(statement).scalar_one()
    return number


def edit(connection: sa.Connection, number: int, text: str) -> bool:
    """Give an announcement another text; return whether there is one with this number."""
    statement = sa.update(news).where(news.c.number == number).values(text=text)
    return connection.execute(statement).rowcount > 0


def withdraw(connection: sa.Connection, number: int) -> bool:
    """Delete an announcement; return whether there was one with this number."""
    return connection.execute(sa.delete(news).where(news.c.number == number)).rowcount > 0
