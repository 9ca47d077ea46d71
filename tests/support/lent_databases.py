"""Databases of PostgreSQL that one test after the other is lent: making one costs more than a test.

A database is given back as it was made, unless its tables are others by then.
"""

from sqlalchemy import create_engine, insert, select, text

from capsule.db.schema import metadata
from tests.support.postgresql import Server

_SHAPE = text(
    # Each change of a table leaves its mark in the rows that describe columns, or what they need.
    "SELECT count(*), max(xmin::text::bigint), (SELECT count(*) FROM pg_depend), "
    "(SELECT version_num FROM alembic_version) FROM pg_attribute WHERE attrelid >= 16384"
)

_SEQUENCES = text(
    "SELECT format('SELECT setval(%L, %s, %L)', sequencename, coalesce(last_value, start_value), "
    "last_value IS NOT NULL) FROM pg_sequences"
)

_END_OTHERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class LentDatabase:
    """A database with its tables and its secret, and what else was in it when it was made."""

    def __init__(self, server: Server, name: str) -> None:
        server.make_empty(name)
        self.url = server.url(name)
        self._engine = create_engine(self.url)
        tables = metadata.sorted_tables
        with self._engine.connect() as connection:
            self._shape = connection.execute(_SHAPE).one()
            sequences = connection.execute(_SEQUENCES).scalars()
            # Neither foreign keys nor triggers say anything.
            self._empty = text(
                ";".join(
                    [
                        "SET LOCAL session_replication_role = replica",
                        *(f"DELETE FROM {table.name}" for table in tables),
                        *sequences,
                    ]
                )
            )
            kept = ((table, connection.execute(select(table)).mappings().all()) for table in tables)
            self._rows = {table: [*map(dict, rows)] for table, rows in kept if rows}

    def restore(self) -> bool:
        """Put rows and sequences back; return False if that cannot be done: the tables are others.

        Connections that are left are cut.
        """
        with self._engine.begin() as connection:
            connection.execute(_END_OTHERS)
            if connection.execute(_SHAPE).one() != self._shape:
                return False
            connection.execute(self._empty)
            for table, rows in self._rows.items():
                connection.execute(insert(table), rows)
        return True

    def close(self) -> None:
        """Close the connection to it."""
        self._engine.dispose()


class LentDatabases:
    """The databases of a server that tests are lent, by the names that tests give them."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._made = 0
        self._free: list[LentDatabase] = []
        self._lent: dict[str, LentDatabase] = {}

    def lend(self, name: str) -> tuple[str, bool]:
        """Return the URL of the database with this name, and whether it is lent only now."""
        is_new = name not in self._lent
        if is_new:
            self._lent[name] = self._free.pop() if self._free else self._make()
        return self._lent[name].url, is_new

    def take_back(self) -> None:
        """Take all databases back."""
        for lent in self._lent.values():
            if lent.restore():
                self._free.append(lent)
            else:
                lent.close()
        self._lent.clear()

    def _make(self) -> LentDatabase:
        self._made += 1
        return LentDatabase(self._server, f"lent_{self._made}")
