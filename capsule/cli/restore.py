"""`oxonaut restore`: put a backup in the place of the database."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from capsule.cli.command import add_database_arguments
from capsule.config import Config
from capsule.db import backup
from capsule.processes import serving

DESCRIPTION = (
    "Check a backup, and put it in the place of the database. The capsule must not be serving."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument("backup", metavar="FILE", help="the backup, which is only read")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="move an existing database aside, under a name with the time",
    )


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Restore the database, print what has been done and return the exit status."""
    target = config.database_file
    if target is None:
        raise backup.BackupRefused(
            "The database is PostgreSQL's: restore it with pg_restore or psql"
        )
    config.home.mkdir(parents=True, exist_ok=True)
    source, now = Path(arguments.backup), datetime.now(UTC)
    with serving.prevented(config.home):
        aside = backup.restore(source, target, now, replace=arguments.replace)
    moved = f" The former database is now {aside}." if aside else ""
    sys.stdout.write(f"Restored {target}.{moved}\n")
    return 0
