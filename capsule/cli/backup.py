"""`oxonaut backup`: back up the database while the capsule serves."""

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from capsule.cli.command import add_database_arguments
from capsule.config import Config
from capsule.db import backup, files
from capsule.processes import serving

DESCRIPTION = (
    "Back up the database while it is in use. Nobody waits for it. The backup is checked, and "
    "appears whole or not at all. It holds private messages and notes, so only you can read it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument(
        "target",
        metavar="FILE",
        help="the backup, which replaces one of that name; in a folder, its name is the time",
    )
    parser.add_argument(
        "--keep",
        type=int,
        metavar="N",
        help="keep the newest N backups in the folder FILE, and delete older ones",
    )


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Back the database up, print where and return the exit status."""
    made = _back_up(config, arguments.target, arguments.keep)
    size = made.stat().st_size / files.MEGABYTE
    sys.stdout.write(f"Backed up to {made} ({size:.1f} MB).\n")
    return 0


def _back_up(config: Config, name: str, keep: int | None) -> Path:
    source, target = config.database_file, Path(name)
    if source is None:
        raise backup.BackupRefused("The database is PostgreSQL's: back it up with pg_dump")
    if not config.has_database:
        raise backup.BackupRefused(
            f"There is no database {source}: name the capsule's folder with --home"
        )
    serving.opened_file(config)
    if keep is not None and keep < 1:
        raise backup.BackupRefused("--keep must be 1 or more")
    if keep is not None or target.is_dir() or name.endswith(os.sep):
        return backup.back_up_to_folder(source, target, datetime.now(UTC), keep)
    backup.back_up(source, target)
    return target
