"""Arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_database_arguments(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add the arguments that name a capsule's database to a parser."""
    parser.add_argument(
        "--home",
        metavar="DIR",
        default=default,
        help="the capsule's home folder (default: the working directory)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=default,
        help="the SQLAlchemy URL of the database (default: oxonaut.db in the home folder)",
    )
