"""The file that was opened as the database, and whether it is still in its place.

SQLite finds its write-ahead log by the name of the database. If another file takes that name while
a capsule serves, connections that are open go on safely on the old file and its log. A new one
would join the new file to the log of the old one, and damage both.
"""

from __future__ import annotations

from dataclasses import dataclass
from glob import escape
from typing import TYPE_CHECKING

from capsule.db.backup import ANY_TIME
from capsule.db.faults import DatabaseDisplaced

if TYPE_CHECKING:
    from pathlib import Path

DISPLACED = ".displaced-"
"""What the name of a copy has between the name of the database and the time."""


@dataclass(frozen=True)
class OpenedFile:
    """A file at a path, as it was opened, and the displaced copies that lay beside it then."""

    path: Path
    device: int
    inode: int
    former_copies: frozenset[Path] = frozenset()

    @classmethod
    def at(cls, path: Path) -> OpenedFile:
        """Return the file that is at a path now; raises `OSError` if there is none."""
        # The working directory may change, but not what the path leads to.
        absolute = path.absolute()
        found = absolute.stat()
        return cls(absolute, found.st_dev, found.st_ino, frozenset(displaced_copies(absolute)))

    @property
    def copy(self) -> Path | None:
        """The copy that was made of the database after the file was displaced, if there is one."""
        new = [copy for copy in displaced_copies(self.path) if copy not in self.former_copies]
        return new[-1] if new else None

    def is_in_place(self) -> bool:
        """Return whether the path still leads to the file."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            # Nobody knows. If the disk fails, SQLite says so.
            return True
        return (found.st_dev, found.st_ino) == (self.device, self.inode)

    def require_in_place(self) -> None:
        """Raise `DatabaseDisplaced` if the path leads to another file, or to none."""
        if not self.is_in_place():
            raise DatabaseDisplaced(f"{self.path} was replaced or removed while a capsule serves")


def displaced_copies(path: Path) -> list[Path]:
    """Return the copies of displaced databases that lie beside a path, the newest last."""
    return sorted(path.parent.glob(f"{escape(path.name)}{DISPLACED}{ANY_TIME}"))
