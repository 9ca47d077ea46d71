"""The speed of the engine: random games and perft, for each variant.

    python -m tests.bench.engine [--seconds S] [--seed N] [--json]

Both are measured through the public contract alone: `start`, `legal_moves`, `random_move`, `play`
and `outcome`. A random game of tinc, which may never end, is left after 60 turns.

Perft plays every move of every sequence up to a length, none is only counted. Its nodes are the
positions that it comes to.
"""

import argparse
import json
import os
import platform
import sys
import time
from random import Random
from typing import NamedTuple

from engine import VARIANTS, Position, Variant

MAX_MOVES = 60
"""Moves after which a game that may never end is left."""

PERFT_LENGTH = 3
"""The length of a perft's sequences: one round of it takes a small part of a second."""


class Speed(NamedTuple):
    """The measurements of one variant."""

    variant: str
    games_per_second: float
    moves_per_second: float
    moves_per_game: float
    perft_length: int
    perft_nodes: int
    nodes_per_second: float


def random_game(variant: Variant, random: Random) -> int:
    """Play a random game and return how many moves it took."""
    position = variant.start
    moves = 0
    while position.outcome is None and not (variant.may_never_end and moves == MAX_MOVES):
        position = position.play(position.random_move(random))
        moves += 1
    return moves


def perft(position: Position, length: int) -> int:
    """Play every sequence of `length` moves and return how many positions that came to."""
    if length == 0:
        return 0
    return sum(1 + perft(position.play(move), length - 1) for move in list(position.legal_moves()))


def measured(variant: Variant, seconds: float, seed: int) -> Speed:
    """Return the speed of a variant, measured for `seconds` of games and as many of perft."""
    random = Random(seed)
    games = moves = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds or not games:
        moves += random_game(variant, random)
        games += 1
    nodes = rounds = 0
    start = time.perf_counter()
    while (spent_on_perft := time.perf_counter() - start) < seconds or not rounds:
        nodes += perft(variant.start, PERFT_LENGTH)
        rounds += 1
    return Speed(
        variant=variant.key,
        games_per_second=games / spent,
        moves_per_second=moves / spent,
        moves_per_game=moves / games,
        perft_length=PERFT_LENGTH,
        perft_nodes=nodes // rounds,
        nodes_per_second=nodes / spent_on_perft,
    )


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }


def table(speeds: list[Speed]) -> str:
    """Return the figures as aligned columns."""
    head = ("variant", "games/s", "moves/s", "moves/game", "perft", "nodes", "nodes/s")
    rows = [
        (
            speed.variant,
            f"{speed.games_per_second:,.1f}",
            f"{speed.moves_per_second:,.0f}",
            f"{speed.moves_per_game:.1f}",
            str(speed.perft_length),
            f"{speed.perft_nodes:,}",
            f"{speed.nodes_per_second:,.0f}",
        )
        for speed in speeds
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return "\n".join(
        f"{name:<{widths[0]}}  "
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        for name, *cells in (head, *rows)
    )


def main(arguments: list[str] | None = None) -> None:
    """Measure every variant and print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.engine", description="Measure how fast the engine is."
    )
    parser.add_argument(
        "--seconds", type=float, default=2, help="for each variant's games, and again for its perft"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the random games")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if not options.json:
        print(", ".join(f"{name}: {value}" for name, value in machine().items()), end="\n\n")
        sys.stdout.flush()
    speeds = [measured(variant, options.seconds, options.seed) for variant in VARIANTS.values()]
    if options.json:
        facts = {"machine": machine(), "seconds": options.seconds, "seed": options.seed}
        print(json.dumps({**facts, "variants": [speed._asdict() for speed in speeds]}, indent=2))
    else:
        print(table(speeds))


if __name__ == "__main__":
    main()
