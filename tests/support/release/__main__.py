"""Write the files of a release: `python -m tests.support.release 0.4.0`.

Run it once, at the release: what a release has written never changes, so no file is replaced. A
folder after the version is where to write them instead.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.client import Client
from tests.support.full_capsule import OneHint
from tests.support.release.filling import fill
from tests.support.release.kept import FOLDER
from tests.support.release.recording import recorded


def write(release: str, folder: Path = FOLDER) -> None:
    """Fill a capsule, and write its database and its record to a folder."""
    with TemporaryDirectory() as home:
        client = Client(Path(home), bots=lambda _: OneHint())
        filled = fill(client)
        with closing(sqlite3.connect(client.home / "oxonaut.db")) as connection:
            dump = "".join(f"{statement}\n" for statement in in_order(connection.iterdump()))
        record = recorded(client, release, filled)
        client.database.close()
    with (folder / f"{release}.sql").open("x", encoding="utf-8") as file:
        file.write(dump)
    with (folder / f"{release}.json").open("x", encoding="utf-8") as file:
        file.write(json.dumps(record, indent=1) + "\n")


def in_order(statements: Iterable[str]) -> Iterator[str]:
    """Yield the statements of a dump, indexes and triggers by name: SQLite dumps them as made."""
    others, last = list[str](), ""
    for statement in statements:
        if statement == "COMMIT;":
            last = statement
        elif statement.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX", "CREATE TRIGGER")):
            others.append(statement)
        else:
            yield statement
    yield from sorted(others)
    yield last


if __name__ == "__main__":
    write(sys.argv[1], *map(Path, sys.argv[2:]))
