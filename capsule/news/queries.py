"""Reading and writing the news."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Integer, bindparam, delete, insert, select, update

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
    bindparam("limit", type_=Integer)
)
_UP_TO = _NEWEST.where(news.c.number <= bindparam("up_to", type_=Integer))


def newest(connection: Connection, limit: int, up_to: int | None = None) -> Sequence[Announcement]:
    """Return announcements, the newest first: all, or those up to a number."""
    statement = _NEWEST if up_to is None else _UP_TO
    return _ANNOUNCEMENT.fetch_all(connection, statement, {"limit": limit, "up_to": up_to})


def numbers_after(connection: Connection, number: int, limit: int) -> Sequence[int]:
    """Return the numbers of the announcements next after a number, in order."""
    statement = select(news.c.number).where(news.c.number > number).order_by(news.c.number)
    return connection.execute(statement.limit(limit)).scalars().all()


def publish(connection: Connection, text: str, now: datetime) -> int:
    """Store an announcement, and return its number."""
    statement = insert(news).values(text=text, published_at=now).returning(news.c.number)
    number: int = connection.execute(statement).scalar_one()
    return number


def edit(connection: Connection, number: int, text: str) -> bool:
    """Give an announcement another text; return whether there is one with this number."""
    statement = update(news).where(news.c.number == number).values(text=text)
    return connection.execute(statement).rowcount > 0


def withdraw(connection: Connection, number: int) -> bool:
    """Delete an announcement; return whether there was one with this number."""
    return connection.execute(delete(news).where(news.c.number == number)).rowcount > 0
