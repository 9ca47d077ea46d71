"""Computing the facts about a variant from their sources."""

from engine.facts.model import RANDOM, Facts, FirstMoves
from engine.facts.progress import Progress, unobserved
from engine.facts.samples import sample
from engine.facts.sequences import first_moves, sequences
from engine.facts.sources import SOURCES, FactSources

SEED = 1
"""The seed of the games that are sampled."""

LEVEL, LEVEL_GAMES = "club", 200
"""The level of bots that play each other, and how many games."""


def compute(variant: str, progress: Progress = unobserved) -> Facts:
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


def beginnings(sources: FactSources) -> tuple[FirstMoves, ...]:
    """Return the first moves of a variant, those that a symmetry makes the same together."""
    start = sources.variant.start
    kinds: list[FirstMoves] = []
    for moves in first_moves(start):
        after = start.play(moves[0])
        if sources.reply_values is None:
            kinds.append(FirstMoves(moves, sum(1 for _ in after.legal_moves())))
        else:
            values = sources.reply_values(after)
            best = min(values)
            kinds.append(FirstMoves(moves, len(values), best, values.count(best)))
    return tuple(kinds)
