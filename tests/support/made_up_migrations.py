"""Migrations that are not Oxonaut's, after those that are."""

import shutil
from pathlib import Path

import pytest

from capsule.db import migrating

_MIGRATION = """
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None
{mark}

def upgrade() -> None:
    op.execute("{statement}")
"""


class MadeUpMigrations:
    """Migrations in a separate folder, added for the time of a test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        shutil.copytree(migrating.MIGRATIONS, folder)
        monkeypatch.setattr(migrating, "MIGRATIONS", folder)

    def add(self, statement: str, mark: str = "") -> str:
        """Add a migration that executes a statement, and return its revision."""
        before = migrating.newest_revision()
        revision = f"{int(before) + 1:04}"
        (self._folder / "versions" / f"{revision}_made_up.py").write_text(
            _MIGRATION.format(revision=revision, before=before, statement=statement, mark=mark)
        )
        return revision
