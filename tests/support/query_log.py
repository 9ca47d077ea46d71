"""The SQL that the database is asked meanwhile, to look at or to count."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import event

from capsule.gemini.types import Certificate
from tests.support.client import Client


class Query(NamedTuple):
    """A statement and its values."""

    sql: str
    values: Any

    @property
    def is_read(self) -> bool:
        """Whether it only reads."""
        return self.sql.startswith("SELECT")


@contextmanager
def recorded_queries(client: Client) -> Iterator[list[Query]]:
    """Give a list that grows by every statement which is executed until the end of the block."""
    recorded: list[Query] = []

    def record(*arguments: object) -> None:
        recorded.append(Query(str(arguments[2]), arguments[3]))

    def begin(*_: object) -> None:
        recorded.append(Query("BEGIN", ()))

    engine = client.database.engine
    event.listen(engine, "begin", begin)
    event.listen(engine, "before_cursor_execute", record)
    try:
        yield recorded
    finally:
        event.remove(engine, "before_cursor_execute", record)
        event.remove(engine, "begin", begin)


def queries_of_page(client: Client, url: str, who: Certificate | None = None) -> list[Query]:
    """Return the statements with which a page reads."""
    with recorded_queries(client) as recorded:
        client.get(url, who)
    return [query for query in recorded if query.is_read]
