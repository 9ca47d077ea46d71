"""The registry of bots: the levels, the evaluator and the explanations of each variant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bots import levels
from engine.bots.evaluators import Evaluator, searching
from engine.bots.levels import LEVELS, Level, Levels, boards_bot
from engine.bots.local_boards import reasons
from engine.bots.mcts import SearchBot
from engine.bots.solvers import numeric, quantum, tinc
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.game import Message, Position


_SEARCHER = searching(SearchBot)


@dataclass(frozen=True)
class VariantBots:
    """All that plays and judges a variant; a search that knows the rules alone is the default.

    Attributes:
        levels: the opponents, from novice to master; the master also gives hints.
        evaluator: evaluates the games that have been played.
        explain: says why a move may be good, in words that go on from the move, if the bots
            themselves do not.
        warm: thinks over what takes long the first time.
        openings: how many random moves a match of its levels should begin with, if good play
            is always the same.
        ladder: what `oxonaut arena VARIANT --ladder --json` wrote, by which the levels have their
            first ratings; None if nothing has been measured, or a capsule knows it already.
    """

    levels: Levels = levels.ANY_VARIANT
    evaluator: Evaluator = _SEARCHER
    explain: Callable[[Position, str], Message] | None = None
    warm: Callable[[], None] | None = None
    openings: int = 0
    ladder: Path | None = None


_ANY = VariantBots()

_ON_LOCAL_BOARDS = searching(boards_bot)

_bots: dict[str, VariantBots] = {
    "tinc": VariantBots(levels.TINC, tinc.EVALUATOR),
    "ultimate": VariantBots(levels.ULTIMATE, _ON_LOCAL_BOARDS, reasons.reason),
    "numeric": VariantBots(
        levels.NUMERIC,
        numeric.EVALUATOR,
        warm=lambda: levels.perfect_numeric().warm(),
        openings=2,
    ),
    "quantum": VariantBots(
        levels.QUANTUM,
        quantum.EVALUATOR,
        warm=lambda: levels.perfect_quantum().warm(),
        openings=2,
    ),
    "extreme": VariantBots(levels.EXTREME, _ON_LOCAL_BOARDS, reasons.reason),
}


def register(variant: str, bots: VariantBots) -> None:
    """Register the bots that play and judge a variant, given by its key.

    Raises `ValueError` if it has bots already.
    """
    if variant in _bots:
        raise ValueError(f"There are bots for {variant} already")
    _bots[variant] = bots


def unregister(variant: str) -> None:
    """Take back the bots that were registered for a variant; `KeyError` if there are none."""
    del _bots[variant]


def bots_of(variant: str) -> VariantBots:
    """Return the bots of a variant, by its key; `ValueError` if there is no such variant."""
    if variant not in VARIANTS:
        raise ValueError(f"There is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    return _bots.get(variant, _ANY)


def level(variant: str, name: str) -> Level:
    """Return a level of a variant by their keys; the same one each time, with what it remembers.

    Raises `ValueError` if there is no such variant or level.
    """
    found = bots_of(variant).levels
    if name not in LEVELS:
        raise ValueError(f"There is no level {name!r}; there are {', '.join(LEVELS)}")
    return found[LEVELS.index(name)]


def ladders() -> tuple[Path, ...]:
    """Return the files of the ladders that are registered with bots."""
    return tuple(bots.ladder for bots in _bots.values() if bots.ladder is not None)


def warm() -> None:
    """Think over what takes long the first time, before anybody waits for it."""
    for bots in _bots.values():
        if bots.warm is not None:
            bots.warm()
