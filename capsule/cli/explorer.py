"""`oxonaut explorer`: rebuild the statistics of positions in listed games."""

import argparse
import secrets
import sys
from datetime import UTC, datetime

from tqdm import tqdm

from capsule.app import build_context
from capsule.boards import explorer
from capsule.cli.command import add_database_arguments, opened_database
from capsule.config import Config

DESCRIPTION = (
    "Recount how often each position was reached in finished listed games, in their first "
    f"{explorer.MAX_PLIES} moves. The capsule may serve meanwhile. Moves wait for a moment at the "
    "beginning, and boards show the games counted so far."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument("action", choices=["rebuild"], help="count all games again")


def run(config: Config, _arguments: argparse.Namespace) -> int:
    """Count all games again, print their number and return the exit status."""
    with opened_database(config) as database:
        context = build_context(config, database, lambda: datetime.now(UTC), secrets.token_bytes)
        games = explorer.count_games(context)
        with tqdm(total=games, unit="game", disable=None) as bar:
            explorer.rebuild(context, bar.update)
    sys.stdout.write(f"Games counted: {games}.\n")
    return 0
