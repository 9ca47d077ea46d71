"""The speed of the engine: random games and perft, for each variant.

    python -m tests.bench.engine [--seconds S] [--seed N]

Both are measured through the public contract alone: `start`, `legal_moves`, `random_move`, `play`
and `outcome`. A random game of tinc, which may never end, is left after 60 turns.

Perft plays every move of every sequence up to a length, none is only counted. Its nodes are the
positions that it comes to.
"""

import argparse
import os
import platform
import time
from random import Random

from engine import VARIANTS, Position, Variant

MAX_MOVES = 60
"""Moves after which a game that may never end is left."""

PERFT_LENGTH = 3
"""The length of a perft's sequences: one round of it takes a small part of a second."""


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


def measured(variant: Variant, seconds: float, seed: int) -> str:
    """Return a line on a variant, measured for `seconds` of games and as many of perft."""
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
    return (
        f"{variant.key:<9} {games / spent:9,.1f} games/s  {moves / spent:9,.0f} moves/s"
        f"  {moves / games:5.1f} moves a game"
        f"  perft({PERFT_LENGTH}) of {nodes // rounds:>9,} nodes: {nodes / spent_on_perft:9,.0f}/s"
    )


def machine() -> str:
    """Return what the figures depend on."""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    )


def main() -> None:
    """Measure every variant and print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.engine", description="Measure how fast the engine is."
    )
    parser.add_argument(
        "--seconds", type=float, default=2, help="for each variant's games, and again for its perft"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the random games")
    options = parser.parse_args()
    print(machine(), flush=True)
    for variant in VARIANTS.values():
        print(measured(variant, options.seconds, options.seed), flush=True)


if __name__ == "__main__":
    main()
