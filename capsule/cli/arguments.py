"""Arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_database_arguments(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Give a parser the arguments that say which capsule's database is meant."""
    parser.add_argument(
        "--home",
        metavar="DIR",
        default=default,
        help="the folder that the capsule serves with (default: the working directory)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=default,
        help="the SQLAlchemy URL that the capsule serves with (default: oxonaut.db in the home "
        "folder)",
    )
