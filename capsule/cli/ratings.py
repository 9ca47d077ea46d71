"""`oxonaut ratings`: recompute every rating from the games and bots' first ratings."""

from __future__ import annotations

import secrets
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from capsule.cli.arguments import add_database_arguments
from capsule.cli.refusal import refused
from capsule.db.database import open_database
from capsule.db.engines import CannotOpen
from capsule.db.faults import DatabaseFault
from capsule.games.recomputation import recompute

if TYPE_CHECKING:
    import argparse

    from capsule.config import Config

DESCRIPTION = (
    "Recompute every rating from bots' first ratings and the games, in the order in which they "
    "counted, and store those that differ. The capsule may serve meanwhile."
)
"""The command's description in its help."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="change nothing, and exit with 1 if anything differs",
    )


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Recompute the ratings, print the result and return the exit status.

    With `--check`, nothing is stored, and the status is 1 if a rating differs.
    """
    check: bool = arguments.check
    if not config.has_database:
        return refused(f"there is no database at {config.database_url}")
    try:
        with closing(open_database(config.database_url, secrets.token_bytes)) as database:
            result = recompute(database, check=check)
    except (SQLAlchemyError, CannotOpen, DatabaseFault) as error:
        return refused(error)
    consequence = "; nothing was changed" if check else "; now they are as they should be"
    sys.stdout.write(f"{result}{consequence if result.differing else ''}.\n")
    return 1 if check and result.differing else 0
