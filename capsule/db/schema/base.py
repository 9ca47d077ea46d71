"""The tables' metadata, and tables of the capsule itself: changes, leases and times."""

import re
from datetime import UTC, datetime
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

AnyRow: TypeAlias = sa.Row[*tuple[Any, ...]]
"""A row of any columns, which are read by name."""


class Moment(sa.TypeDecorator[datetime]):
    """An aware time, stored as UTC without a zone, since SQLite knows no zones."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Return the time as the database stores it."""
        return value and value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Return the time as the capsule uses it."""
        return value and value.replace(tzinfo=UTC)


class WordList(sa.TypeDecorator[tuple[str, ...]]):
    """A few words without spaces, stored in one column."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, _dialect: Dialect) -> str | None:
        """Return the words as the database stores them."""
        return None if value is None else " ".join(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> tuple[str, ...] | None:
        """Return the words as the capsule uses them."""
        return None if value is None else tuple(value.split())


def text(name: str, length: int, **how: Any) -> sa.Column[str]:  # noqa: ANN401
    """Return a column of text that is never NULL; `how` is as for `Column`."""
    return sa.Column(name, sa.String(length), nullable=False, **how)


def reference(name: str, **how: Any) -> sa.Column[str]:  # noqa: ANN401
    """Return a column such as "game_id", which refers to "games"; `how` is as for `Column`."""
    return sa.Column(name, sa.ForeignKey(f"{name.removesuffix('_id')}s.id"), **how)


def flag(name: str, *, default: bool = False, **how: Any) -> sa.Column[bool]:  # noqa: ANN401
    """Return a column that is true or false; `how` is as for `Column`."""
    stored = sa.true() if default else sa.false()
    return sa.Column(
        name, sa.Boolean, nullable=False, default=default, server_default=stored, **how
    )


def words(name: str, length: int, **how: Any) -> sa.Column[str]:  # noqa: ANN401
    """Return a column of text, by default none; `how` is as for `Column`."""
    return text(name, length, default="", server_default="", **how)


def partial_index(name: str, columns: str, *, where: str, unique: bool = False) -> sa.Index:
    """Return an index of the rows that fulfil a condition, in which flags are in braces.

    `columns` are the names of the columns, with spaces between them.

    SQLite uses it only if a query states the condition in exactly the form that it has here.
    """
    return sa.Index(
        name,
        *columns.split(),
        unique=unique,
        sqlite_where=sa.text(re.sub(r"{(\w+)}", r"\1 = 1", where)),
        postgresql_where=sa.text(re.sub(r"{(\w+)}", r"\1", where)),
    )


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table(name: str, *parts: sa.schema.SchemaItem, **how: Any) -> sa.Table:  # noqa: ANN401
    """Return a table of the database; `how` is as for `Table`."""
    return sa.Table(name, metadata, *parts, **how)


changes = table(
    "changes",
    # In SQLite, numbers never recur, and none is left out.
    sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    # In PostgreSQL, the transaction that made the change.
    sa.Column("transaction_id", sa.BigInteger),
    # None if not about a single game, "" if others' pages do not show it.
    sa.Column("game_id", sa.String(10)),
    # The player whose account it concerns: if `game_id` is "", it concerns nothing else.
    sa.Column("player_id", sa.Integer),
    # The players of that game, and the player who is challenged to take its open seat.
    sa.Column("x_player_id", sa.Integer),
    sa.Column("o_player_id", sa.Integer),
    sa.Column("challenged_player_id", sa.Integer),
    sa.Index(
        "ix_changes_transaction",
        "transaction_id",
        sqlite_where=sa.text("transaction_id IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)
"""Notes of changes, written by triggers: see `capsule.db.changes`."""


leases = table(
    "claims",
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("holder", sa.String(32), nullable=False),
    sa.Column("expires_at", Moment, nullable=False),
)


clock = table(
    "clock",
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seen_at", Moment, nullable=False),
    # The start of the machine that saw it, and the seconds for which it had run then.
    sa.Column("boot", sa.String(36), nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    # Whether a clock has been found ahead since.
    sa.Column("was_ahead", sa.Boolean, nullable=False),
    # The time of the last event before the upgrade from release 0.1.0; None if there was none.
    sa.Column("upgraded_at", Moment),
)
"""The newest time that a trusted clock has shown, and that of the upgrade, in one row."""
