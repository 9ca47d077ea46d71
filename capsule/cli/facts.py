"""`oxonaut facts VARIANT`: recompute the facts on a game's page."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tqdm import tqdm

from engine.facts.computing import compute
from engine.facts.model import facts_about, to_json, write
from engine.facts.sources import SOURCES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

_Step = TypeVar("_Step")

DIFFERENT = 1
"""The exit status if the computed facts differ from those on the pages."""

DESCRIPTION = (
    "Compute again what the page of facts says of a game: how many sequences of moves there are, "
    "what first moves are worth, how random players and bots fare. That takes up to ten minutes. "
    "What was computed is printed as JSON; the exit status is 1 where the pages say otherwise."
)
"""The command's description in its help."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument(
        "variant", metavar="VARIANT", choices=tuple(SOURCES), help=", ".join(SOURCES)
    )
    parser.add_argument(
        "--write", action="store_true", help="let the pages say from now on what was computed"
    )


def run(arguments: argparse.Namespace) -> int:
    """Compute the facts, print or write them, and return the exit status."""
    variant: str = arguments.variant
    facts = compute(variant, _with_bar)
    if arguments.write:
        path = write(facts, data_folder())
        sys.stdout.write(f"{path} has what was computed.\n")
        return 0
    sys.stdout.write(to_json(facts))
    if facts == facts_about(variant):
        return 0
    sys.stderr.write("oxonaut: the pages say otherwise\n")
    return DIFFERENT


def data_folder() -> Path:
    """Return the folder of the facts that the pages show."""
    return Path(str(files("engine.facts").joinpath("data")))


def _with_bar(steps: Sequence[_Step], stage: str) -> Iterable[_Step]:
    """Show a bar for a stage of the computation, on a terminal only."""
    return tqdm(steps, desc=stage, file=sys.stderr, disable=None)
