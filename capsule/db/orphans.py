"""Finding rows that refer to missing rows, in every table."""

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from capsule.db.postgresql import lift_limit
from capsule.db.schema import metadata
from capsule.languages.numbers import counted


@dataclass(frozen=True)
class Orphans:
    """Rows of a table whose column refers to rows of another that are missing."""

    table: str
    column: str
    parent: str
    rows: int

    def __str__(self) -> str:
        are, their = ("is an orphan", "its") if self.rows == 1 else ("are orphans", "their")
        return (
            f"{counted(self.rows, 'row')} of {self.table} {are}: "
            f"{self.parent} has nothing for {their} {self.column}"
        )


def orphans(connection: sa.Connection) -> Iterator[Orphans]:
    """Yield what refers to nothing, by table and column; nothing if all is well.

    Databases keep references whole by themselves; a damaged file, or one that was changed without
    them, need not be.
    """
    # Whole tables are read, which may take longer than any page should.
    lift_limit(connection)
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            parent = key.column.table.alias()
            referred = parent.c[key.column.name]
            statement = (
                sa.select(sa.func.count())
                .select_from(table.outerjoin(parent, key.parent == referred))
                .where(sa.and_(key.parent.is_not(None), referred.is_(None)))
            )
            rows = connection.execute(statement).scalar_one()
            if rows:
                yield Orphans(table.name, key.parent.name, key.column.table.name, rows)
