"""Computing the facts about a variant again, from their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts.beginnings import beginnings
from engine.facts.model import RANDOM, Facts
from engine.facts.progress import SILENT
from engine.facts.samples import sample
from engine.facts.sequences import sequences
from engine.facts.sources import SOURCES

if TYPE_CHECKING:
    from engine.facts.progress import Progress

SEED = 1
"""The seed of the games that are sampled."""

LEVEL, LEVEL_GAMES = "club", 200
"""The level of bots that play each other, and how many games."""


def compute(variant: str, progress: Progress = SILENT) -> Facts:
    """Return the facts about one of the variants in `SOURCES`; this takes minutes.

    Raises `KeyError` for any other variant.
    """
    sources = SOURCES[variant]
    every = sources.every_game(progress) if sources.every_game else None
    start = sources.variant.start
    return Facts(
        variant=variant,
        sequences=tuple(
            sequences(start, each, progress) if every is None else every.plies[each - 1].sequences
            for each in range(1, sources.counted + 1)
        ),
        shortest=tuple(sources.shortest.split()),
        longest=None if sources.longest is None else tuple(sources.longest.split()),
        first_moves=beginnings(sources),
        samples=(
            sample(variant, RANDOM, sources.random_games, SEED, progress),
            sample(variant, LEVEL, LEVEL_GAMES, SEED, progress),
        ),
        every_game=every,
        growth=sources.growth() if sources.growth else None,
    )
