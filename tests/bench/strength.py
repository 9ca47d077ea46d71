"""The masters of ultimate and extreme against a search that knows only the rules.

Each two games in a row begin with the same four random moves, with the sides exchanged. Both bots
have the same processor time for a move.
"""

from collections.abc import Sequence

from capsule.cli.arena_report import results_of
from engine.bots.hosting.match import MatchGame, MatchTerms, played
from engine.bots.means import Timepiece

PLAIN = "engine.bots.mcts:SearchBot"
"""The search that plays any variant: it changes only with the rules."""

OPENINGS = 4
SECONDS = 0.1
"""Seconds for a move."""


def against_plain(variant: str, games: int, seconds: float, seed: int) -> str:
    """Return a line on how the master of a variant did."""
    terms = MatchTerms(
        variant,
        ("master", PLAIN),
        games,
        seconds=seconds,
        seed=seed,
        openings=OPENINGS,
        clock=Timepiece.PROCESSOR,
    )
    return (
        f"{variant:<9} master against the plain search {score(list(played(terms)))}"
        f"  ({seconds:g} s of the processor a move, seed {seed})"
    )


def score(games: Sequence[MatchGame]) -> str:
    """Return the score of a match's first bot in words."""
    results = results_of(games)
    low, high = results.interval()
    return (
        f"{results.score:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  +{results.wins} ={results.draws} -{results.losses}"
    )
