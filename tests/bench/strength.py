"""The masters of ultimate and extreme against a search that knows only the rules.

    python -m tests.bench.strength VARIANT [--games N] [--seconds S] [--seed N]

Each two games in a row begin with the same four random moves, with the sides exchanged. Either bot
has S seconds of the processor for a move.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from capsule.cli.arena_report import beginnings, results_of
from engine.bots.hosting.match import MatchGame, MatchTerms, played
from engine.bots.means import Timepiece

PLAIN = "engine.bots.mcts:SearchBot"
"""The search that plays any variant: it changes only with the rules."""

OPENINGS = 4
GAMES, SECONDS = 200, 0.1
"""The default number of games, and of seconds for a move."""


def against_plain(variant: str, games: int, seconds: float, seed: int) -> dict[str, Any]:
    """Return how the master of a variant did."""
    terms = MatchTerms(
        variant,
        ("master", PLAIN),
        games,
        seconds=seconds,
        seed=seed,
        openings=OPENINGS,
        clock=Timepiece.PROCESSOR,
    )
    ended = list(played(terms))
    return {
        "variant": variant,
        "games": games,
        **score_row(ended),
        "seconds": seconds,
        "seed": seed,
    }


def score_row(games: Sequence[MatchGame]) -> dict[str, Any]:
    """Return the score of a match's first bot, and in how many ways its games began."""
    score = results_of(games)
    low, high = score.interval()
    return {
        "won": score.wins,
        "drawn": score.draws,
        "lost": score.losses,
        "score": round(score.score, 4),
        "interval": [round(low, 4), round(high, 4)],
        "beginnings": beginnings(games),
    }


def score_words(row: dict[str, Any]) -> str:
    """Return such a score as it is printed.

    >>> score_words({"score": 0.5, "interval": [0.4, 0.6], "won": 1, "drawn": 0, "lost": 1})
    ' 50.0%  [40.0%, 60.0%]  +1 =0 -1'
    """
    low, high = row["interval"]
    return (
        f"{row['score']:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  +{row['won']} ={row['drawn']} -{row['lost']}"
    )


def against_plain_line(row: dict[str, Any]) -> str:
    """Return the line of a match."""
    return (
        f"{row['variant']:<9} master against the plain search {score_words(row)}"
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
    row = against_plain(options.variant, options.games, options.seconds, options.seed)
    print(against_plain_line(row))


if __name__ == "__main__":
    main()
