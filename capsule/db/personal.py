"""Exporting and erasing rows of players, as their columns say: see `capsule.db.schema.personal`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from capsule.db.schema.personal import Detail, Mention, Owner, personal_columns
from capsule.db.schema.players import players


def export_rows(connection: sa.Connection, table: sa.Table, player_id: int) -> Mapping[str, Any]:
    """Return a player's rows of a table, fit for JSON, by their places in the export.

    There are none if its columns are not exported one by one.
    """
    personal = personal_columns(table)
    shown = [
        (column, how)
        for column, how in personal
        if not isinstance(how, Owner) and how.name is not None
    ]
    owners = [(column, how) for column, how in personal if isinstance(how, Owner)]
    if not shown or not owners:
        return {}
    ((column, owner),) = owners
    statement = sa.select(*(_selected(*each) for each in shown)).where(column == player_id)
    if owner.where is not None:
        statement = statement.where(owner.where(table.c))
    for name in owner.order:
        key = table.c[name.removeprefix("-")]
        statement = statement.order_by(key.desc() if name.startswith("-") else key)
    rows = connection.execute(statement).all()
    hows = [how for _, how in shown]
    if not owner.is_single:
        return {owner.place or "": [_row(hows, row) for row in rows]}
    if owner.place:
        return {owner.place: _row(hows, rows[0]) if rows else None}
    found: Mapping[str, Any] = _row(
        hows, rows[0] if rows else [_default(column) for column, _ in shown]
    )
    return found


def erase_rows(connection: sa.Connection, table: sa.Table, player_id: int) -> None:
    """Delete the rows of a table that go with a player, and what goes in those that stay."""
    personal = personal_columns(table)
    for column, how in personal:
        if isinstance(how, Detail):
            continue
        if not how.stays:
            connection.execute(sa.delete(table).where(column == player_id))
        elif isinstance(how, Owner):
            values = {
                each.name: _default(each)
                for each, detail in personal
                if isinstance(detail, Detail) and detail.is_erased
            }
            if values:
                connection.execute(sa.update(table).where(column == player_id).values(values))


def nested(values: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return values by places such as "puzzles.days" as dictionaries in dictionaries.

    >>> nested([("name", "ada"), ("puzzles.days", []), ("puzzles.rating", None)])
    {'name': 'ada', 'puzzles': {'days': [], 'rating': None}}
    """
    found: dict[str, Any] = {}
    for place, value in values:
        *above, last = place.split(".")
        inner = found
        for name in above:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return found


def _selected(column: sa.Column[Any], how: Detail | Mention) -> sa.ColumnElement[Any]:
    if isinstance(how, Detail):
        return column
    return sa.select(players.c.name).where(players.c.id == column).scalar_subquery()


def _row(hows: Sequence[Detail | Mention], values: Sequence[Any]) -> Any:  # noqa: ANN401 - of JSON
    row = {
        how.name: _value(how, value)
        for how, value in zip(hows, values, strict=True)
        if value is not None or isinstance(how, Mention) or not how.is_optional
    }
    return row.get("", row)


def _value(how: Detail | Mention, value: Any) -> object:  # noqa: ANN401 - of any column
    if isinstance(how, Detail) and how.shown is not None:
        return how.shown(value)
    return value.isoformat() if isinstance(value, date) else value


def _default(column: sa.Column[Any]) -> object:
    if column.nullable:
        return None
    return column.default.arg if isinstance(column.default, ScalarElementColumnDefault) else ""
