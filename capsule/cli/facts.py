"""`oxonaut facts VARIANT`: recompute the facts on a game's page."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from capsule.config import Config
from engine.facts.computing import compute
from engine.facts.model import facts_about, to_json, write
from engine.facts.sources import SOURCES

_Step = TypeVar("_Step")

DESCRIPTION = (
    "Compute the facts on a game's page again: the number of sequences of moves, the values of "
    "first moves, and the results of random players and bots. That takes up to ten minutes. The "
    "facts are printed as JSON. If the page says something else, the exit status is 1."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument(
        "variant", metavar="VARIANT", choices=tuple(SOURCES), help=", ".join(SOURCES)
    )
    parser.add_argument("--write", action="store_true", help="put the computed facts on the page")


def run(_config: Config, arguments: argparse.Namespace) -> int:
    """Compute the facts, print or write them, and return the exit status."""
    variant: str = arguments.variant
    facts = compute(variant, _with_bar)
    if arguments.write:
        path = write(facts, data_folder())
        sys.stdout.write(f"The facts are written to {path}.\n")
        return 0
    sys.stdout.write(to_json(facts))
    if facts == facts_about(variant):
        return 0
    sys.stderr.write("oxonaut: The page says something else\n")
    return 1


def data_folder() -> Path:
    """Return the folder of the facts that the pages show."""
    return Path(str(files("engine.facts").joinpath("data")))


def _with_bar(steps: Sequence[_Step], stage: str) -> Iterable[_Step]:
    """Show a bar for a stage of the computation, on a terminal only."""
    return tqdm(steps, desc=stage, disable=None)
