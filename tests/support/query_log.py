"""What the database is asked meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capsule.gemini.types import Certificate
    from tests.support.client import Client


@contextmanager
def noted(client: Client) -> Iterator[list[tuple[str, Any]]]:
    """Note every statement and its values."""
    asked: list[tuple[str, Any]] = []

    def note(*arguments: object) -> None:
        asked.append((str(arguments[2]), arguments[3]))

    event.listen(client.database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(client.database.engine, "before_cursor_execute", note)


def queries(client: Client, url: str, who: Certificate | None = None) -> Sequence[tuple[str, Any]]:
    """Return the SQL that a page reads with, and its values."""
    with noted(client) as asked:
        client.get(url, who)
    return [each for each in asked if each[0].startswith("SELECT")]
