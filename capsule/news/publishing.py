"""Publishing, editing and withdrawing news, at the operator's console only.

Each is one transaction and is recorded with the operator's other actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.moderation import queries as moderation_queries
from capsule.moderation.model import ActionKind
from capsule.moderation.operator_steps import OperatorRefused
from capsule.news import queries
from capsule.ui.user_text import TextRefused, clean_line

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.context import AppContext


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


def _record(context: AppContext, connection: Connection, detail: str) -> None:
    now = context.clock()
    moderation_queries.record_action(connection, now, ActionKind.NEWS, None, detail)


def _no_such_news(number: int) -> OperatorRefused:
    return OperatorRefused(f"There is no news number {number}.")


def _fit_text(text: str) -> str:
    try:
        return clean_line(text)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the news. {error}.") from error
