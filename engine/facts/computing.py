"""Computing the facts about a variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts.beginnings import beginnings
from engine.facts.every_numeric_game import every_game
from engine.facts.growth import growth
from engine.facts.lengths import LONGEST, SHORTEST
from engine.facts.model import RANDOM, Facts
from engine.facts.progress import SILENT
from engine.facts.samples import sample
from engine.facts.sequences import sequences
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.facts.progress import Progress

COUNTED: Mapping[str, int] = {"tinc": 4, "ultimate": 8, "numeric": 9, "quantum": 6, "extreme": 6}
"""The variants whose facts are computed, and how long the sequences are that are counted."""

SEED = 1
"""The seed of every turn of the sampled games."""

RANDOM_GAMES: Mapping[str, int] = {"tinc": 500}
"""The number of games between random players, for variants that differ from the rest."""

MANY_GAMES = 2000
LEVEL, LEVEL_GAMES = "club", 200
"""The level of bots that play each other, and how many games."""


def compute(variant: str, progress: Progress = SILENT) -> Facts:
    """Return the facts about one of the variants in `COUNTED`; this takes minutes.

    Raises `KeyError` for any other variant.
    """
    length = COUNTED[variant]
    every = every_game(progress) if variant == "numeric" else None
    start = VARIANTS[variant].start
    longest = LONGEST[variant]
    return Facts(
        variant=variant,
        sequences=tuple(
            sequences(start, each, progress) if every is None else every.plies[each - 1].sequences
            for each in range(1, length + 1)
        ),
        shortest=tuple(SHORTEST[variant].split()),
        longest=None if longest is None else tuple(longest.split()),
        first_moves=beginnings(variant),
        samples=(
            sample(variant, RANDOM, RANDOM_GAMES.get(variant, MANY_GAMES), SEED, progress),
            sample(variant, LEVEL, LEVEL_GAMES, SEED, progress),
        ),
        every_game=every,
        growth=growth() if variant == "tinc" else None,
    )
