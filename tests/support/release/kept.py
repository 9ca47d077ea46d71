"""The files of the releases so far: a database as each wrote it, and its record."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from capsule.gemini.types import Certificate
from tests.support.client import Client
from tests.support.mail import Post

FOLDER = Path(__file__).parents[2] / "data" / "releases"


@dataclass(frozen=True)
class Release:
    """A release by its version: `sql` is its database, `record` what its pages showed."""

    version: str

    def __str__(self) -> str:
        return self.version

    @cached_property
    def sql(self) -> str:
        """The statements that make the database."""
        return (FOLDER / f"{self.version}.sql").read_text(encoding="utf-8")

    @cached_property
    def record(self) -> dict[str, Any]:
        """The record that `recording.recorded` made."""
        data: dict[str, Any] = json.loads(
            (FOLDER / f"{self.version}.json").read_text(encoding="utf-8")
        )
        return data

    @property
    def now(self) -> datetime:
        """The time at which it was recorded."""
        return datetime.fromisoformat(self.record["now"])

    def certificate_of(self, name: str) -> Certificate:
        """Return the certificate that a visitor used at the release."""
        known = self.record["certificates"][name]
        return Certificate(
            known["fingerprint"],
            known["common_name"],
            datetime.fromisoformat(known["not_before"]),
            datetime.fromisoformat(known["not_after"]),
        )

    def put_into(self, home: Path) -> None:
        """Make its database in the home folder of a capsule."""
        file = home / "oxonaut.db"
        file.touch(mode=0o600)
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(self.sql)

    def client(self, home: Path) -> Client:
        """Return the capsule of today, with mail, started on its database in an empty folder."""
        self.put_into(home)
        return Post(Client(home, now=self.now)).client


FIRST = Release("0.1.0")

RELEASES = [Release(path.stem) for path in sorted(FOLDER.glob("*.json"))]
