"""`oxonaut arena VARIANT --ladder`: each level against the one below, and the resulting ratings.

A level should be a step above the one below, neither level ground nor a cliff: `STEP` says how much
it should score. A match whose score might be outside that is played for twice as many games.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from capsule.cli.arena_report import conditions, conditions_in_json, results_in_json
from capsule.cli.arena_statistics import beginnings, elo_difference, results_of
from capsule.ratings.first_ratings import Scored, first_ratings
from engine.bots.registry import levels_of
from engine.game import Side
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.bots.hosting.match import MatchGame, MatchTerms

STEP = (0.62, 0.88)
"""The lowest and the highest score that a level should have against the one below it."""


def matches(variant: str) -> Sequence[tuple[str, str]]:
    """Return the matches of a variant's ladder, the weakest levels first; A is the stronger one."""
    return [(upper, lower) for lower, upper in pairwise(levels_of(variant))]


class Rung(NamedTuple):
    """A match of a ladder, and the games that have been played of it."""

    terms: MatchTerms
    games: Sequence[MatchGame]

    @property
    def name(self) -> str:
        """The match in words."""
        return " against ".join(self.terms.names)

    @property
    def is_a_step(self) -> bool:
        """Whether the stronger level scored neither too little nor too much."""
        low, high = STEP
        return low <= results_of(self.games).score <= high

    @property
    def is_surely_a_step(self) -> bool:
        """Whether the interval of its score lies within `STEP`."""
        (low, high), (lowest, highest) = results_of(self.games).interval(), STEP
        return lowest <= low and high <= highest


def in_words(rungs: Sequence[Rung]) -> str:
    """Return the report of a ladder as text, for people."""
    terms = rungs[0].terms
    heading = [
        f"{VARIANTS[terms.variant].name}: each level against the one below",
        f"{terms.games} games a match and as many again if the interval leaves {_STEP}",
        conditions(terms),
        *(["each level's own time"] if terms.seconds is None and terms.scale == 1 else []),
    ]
    played = [rung for rung in rungs if rung.games]
    outside = [rung.name for rung in played if not rung.is_a_step]
    width = max(len(rung.name) for rung in rungs)
    lines = [
        ", ".join(heading),
        "",
        f"{'':{width}} {_HEAD}",
        *(_line(rung, width) for rung in played),
        "",
        f"Outside {_STEP}: {', '.join(outside)}" if outside else f"Each scored {_STEP}",
    ]
    found = ratings(rungs)
    if found is not None:
        numbers = ", ".join(f"{level} {number}" for level, number in found.items())
        lines.append(f"First ratings: {numbers}")
    lines += [
        f"{rung.name} was one-sided: rated as if one game more had been drawn"
        for rung in played
        if scored(rung).is_one_sided
    ]
    return "\n".join(lines)


_STEP = "{:.0%} to {:.0%}".format(*STEP)

_HEAD = " score   95 % interval    Elo  won drawn lost beginnings"


def _line(rung: Rung, width: int) -> str:
    total = results_of(rung.games)
    low, high = total.interval()
    interval = f"{low:.1%} to {high:.1%}"
    return (
        f"{rung.name:{width}} {total.score:6.1%} {interval:>15} "
        f"{elo_difference(total.score):+6.0f} {total.wins:4} {total.draws:5} {total.losses:4} "
        f"{beginnings(rung.games):10}"
    )


def in_json(rungs: Sequence[Rung]) -> dict[str, Any]:
    """Return the report of a ladder fit for JSON, as `oxonaut ratings seed` reads it.

    `ratings` is None unless every match was begun. `one_sided` names the levels whose matches
    against the one below were, and which are rated as if they had drawn one game more.
    """
    terms = rungs[0].terms
    return {
        "variant": terms.variant,
        **conditions_in_json(terms),
        "matches": [results_in_json(*rung) for rung in rungs],
        "ratings": ratings(rungs),
        "one_sided": [
            rung.terms.names[0] for rung in rungs if rung.games and scored(rung).is_one_sided
        ],
    }


def ratings(rungs: Sequence[Rung]) -> Mapping[str, int] | None:
    """Return the first ratings that a ladder gives the levels; None if it has not come to all."""
    if not all(rung.games for rung in rungs):
        return None
    levels = [*levels_of(rungs[0].terms.variant)]
    return first_ratings(levels, [scored(rung) for rung in rungs])


def scored(rung: Rung) -> Scored:
    """Return what the stronger level of a match scored, by the points that ratings count.

    They differ from won games if a game has points of its own: half a point's lead in quantum is
    three quarters of a win.
    """
    return Scored(sum(_value(rung.terms.variant, game) for game in rung.games), len(rung.games))


def _value(variant: str, game: MatchGame) -> float:
    """Return A's score in a game, from 0 to 1."""
    if game.forfeit is not None:
        return 1.0 if game.winner == 0 else 0.0
    outcome = VARIANTS[variant].replay(game.moves).outcome
    if outcome is None:
        return 0.5
    return outcome.value_for(Side.X if game.x == 0 else Side.O)
