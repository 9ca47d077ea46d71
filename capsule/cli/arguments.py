"""The arguments that several commands have, and the refusal of a command."""

import argparse
import math
import sys


def seconds(text: str) -> float:
    """Return a time to think; raises `ArgumentTypeError` or `ValueError` if the text is none."""
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError("the time must be a positive number of seconds")
    return number


def at_least_one(text: str) -> int:
    """Return a number of things; raises `ArgumentTypeError` or `ValueError` for less than one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("there must be at least one")
    return number


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


def refused(reason: object, status: int = 1) -> int:
    """Print why a command is refused, and return its exit status."""
    sys.stderr.write(f"oxonaut: {reason}\n")
    return status
