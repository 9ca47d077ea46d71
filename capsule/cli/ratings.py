"""`oxonaut ratings`: recompute every rating, and let bots begin with measured ratings."""

import argparse
import sys
from pathlib import Path

from capsule.cli.command import add_database_arguments, opened_database
from capsule.config import Config
from capsule.games.maintenance import recompute
from capsule.ratings.first_ratings import MeasuredLadder, NotALadder, read_ladder
from capsule.ratings.update import Seeded, seed

DESCRIPTION = (
    "Recompute every rating from bots' first ratings and the games, in the order in which they "
    "counted. Store the ratings that differ. The capsule may serve meanwhile."
)

SEED_DESCRIPTION = (
    "Let bots begin with the ratings of ladders, as `oxonaut arena VARIANT --ladder --json` prints "
    "them. A bot that has already played for its rating keeps it. The capsule may serve meanwhile."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument(
        "--check", action="store_true", help="change nothing, and exit with 1 if anything differs"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    seeding = actions.add_parser(
        "seed", help="let bots begin with measured ratings", description=SEED_DESCRIPTION
    )
    # They may stand after the action too, without undoing those before it.
    add_database_arguments(seeding, default=argparse.SUPPRESS)
    seeding.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a ladder, as JSON")


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Recompute the ratings or seed them, print the result and return the exit status.

    With `--check`, nothing is stored, and the status is 1 if a rating differs.
    """
    check: bool = arguments.check
    ladders = list(map(_ladder, arguments.files)) if arguments.action == "seed" else None
    with opened_database(config) as database:
        if ladders is not None:
            for ladder in ladders:
                sys.stdout.write(f"{ladder.variant}: {_in_words(seed(database, ladder))}\n")
            return 0
        result = recompute(database, check=check)
    consequence = ". Nothing was changed" if check else ". They are now as they should be"
    sys.stdout.write(f"{result}{consequence if result.differing else ''}.\n")
    return 1 if check and result.differing else 0


def _ladder(file: Path) -> MeasuredLadder:
    """Return the ladder in a file; raises `NotALadder` with its name if it has none."""
    try:
        return read_ladder(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, NotALadder) as error:
        raise NotALadder(f"{file}: {error}") from error


def _in_words(seeded: Seeded) -> str:
    begin = [f"{bot.bot} {rating.number}" for bot, rating in seeded.begin.items()]
    keep = [f"{bot.bot} {rating.short}" for bot, rating in seeded.have_played.items()]
    parts = []
    if begin:
        parts.append(f"begin with {', '.join(begin)}")
    if keep:
        parts.append(f"have played and keep {', '.join(keep)}")
    return "; ".join(parts)
