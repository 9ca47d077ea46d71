"""Triggers that note changes in the table `changes`, for migrations.

From release 0.2.0 on, migrations that have landed depend on this: it is not changed any more.
"""

from __future__ import annotations

from alembic import op


def note(table: str, event: str, columns: str, *rows: str) -> None:
    """Have each change of a table's rows noted: the columns of `changes`, and queries of its rows.

    Queries may refer to the rows OLD and NEW.
    """
    name = f"{table}_{event.lower()}_noted"
    if _is_sqlite():
        body = " ".join(f"INSERT INTO changes ({columns}) {row};" for row in rows)
        op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {body} END")
        return
    body = " ".join(
        f"INSERT INTO changes (transaction_id, {columns})"  # noqa: S608 - constants
        f" SELECT pg_current_xact_id()::text::bigint, noted.* FROM ({row}) AS noted;"
        for row in rows
    )
    op.execute(
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
        f" AS $$ BEGIN {body} RETURN NULL; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
    )


def differs() -> str:
    """Return the operator that says whether two values differ, of which each may be NULL."""
    return "IS NOT" if _is_sqlite() else "IS DISTINCT FROM"


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
