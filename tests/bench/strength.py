"""The masters of ultimate and extreme against what they were in November 2026.

    python -m tests.bench.strength VARIANT [--games N] [--seconds S] [--seed N]

Each two games in a row begin with the same four random moves, with the sides exchanged. Either bot
has so many seconds of the processor for a move.
"""

from __future__ import annotations

import argparse
from typing import Any

from capsule.cli.arena_statistics import beginnings, tally
from engine.bots.hosting.match import MatchTerms, played
from engine.bots.means import Timepiece

FROZEN = "tests.bench.frozen.bot:FrozenMaster"
OPENINGS = 4
GAMES, SECONDS = 200, 0.1
"""What is played where nobody says."""


def against_frozen(variant: str, games: int, seconds: float, seed: int) -> dict[str, Any]:
    """Return how the master of a variant did."""
    terms = MatchTerms(
        variant,
        ("master", FROZEN),
        games,
        seconds=seconds,
        seed=seed,
        openings=OPENINGS,
        clock=Timepiece.PROCESSOR,
    )
    ended = list(played(terms))
    score = tally(ended)
    low, high = score.interval()
    return {
        "variant": variant,
        "games": score.games,
        "won": score.wins,
        "drawn": score.draws,
        "lost": score.losses,
        "score": round(score.score, 4),
        "interval": [round(low, 4), round(high, 4)],
        "beginnings": beginnings(ended),
        "seconds": seconds,
        "seed": seed,
    }


def against_frozen_line(row: dict[str, Any]) -> str:
    """Return the line of a match."""
    low, high = row["interval"]
    return (
        f"{row['variant']:<9} master against that of November 2026 {row['score']:6.1%}"
        f"  [{low:.1%}, {high:.1%}]  +{row['won']} ={row['drawn']} -{row['lost']}"
        f"  ({row['seconds']:g} s of the processor a move, seed {row['seed']})"
    )


def main() -> None:
    """Play, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.strength", description=__doc__)
    parser.add_argument("variant", choices=("ultimate", "extreme"))
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    row = against_frozen(options.variant, options.games, options.seconds, options.seed)
    print(against_frozen_line(row))


if __name__ == "__main__":
    main()
