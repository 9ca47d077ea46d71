"""The registry of bots: the levels, the evaluator and the explanations of each variant."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.bots import levels, reasons
from engine.bots.evaluators import Evaluator, searching
from engine.bots.levels import LEVELS, MAIN_LEVELS, Level, Levels, boards_bot
from engine.bots.mcts import SearchBot
from engine.bots.solvers import numeric, quantum, tinc
from engine.game import Position
from engine.messages import Message
from engine.variants import VARIANTS

_SEARCHER = searching(SearchBot)


@dataclass(frozen=True)
class VariantBots:
    """All that plays and judges a variant; a search that knows the rules alone is the default.

    Attributes:
        levels: the opponents by name, from novice to master; the master also gives hints. Each
            should beat the one below by 62 to 88 %.
        evaluator: evaluates the games that have been played.
        explain: says why a move may be good, in words that continue from the move, if the bots
            themselves do not.
        warm: thinks over what takes long the first time.
        openings: how many random moves a match of its levels should begin with, if good play
            is always the same.
        ladder: what `oxonaut arena VARIANT --ladder --json` wrote, by which the levels have their
            first ratings; None if nothing has been measured, or a capsule knows it already.
    """

    levels: Levels = field(default_factory=lambda: levels.ANY_VARIANT)
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
        levels.NUMERIC, numeric.EVALUATOR, warm=lambda: levels.perfect_numeric().warm(), openings=2
    ),
    "quantum": VariantBots(
        levels.QUANTUM, quantum.EVALUATOR, warm=lambda: levels.perfect_quantum().warm(), openings=2
    ),
    "extreme": VariantBots(levels.EXTREME, _ON_LOCAL_BOARDS, reasons.reason),
}


def register(variant: str, bots: VariantBots) -> None:
    """Register the bots that play and judge a variant, given by its key.

    Raises `ValueError` if it has bots already, if a level that every variant has is missing, and
    if levels are not some of `LEVELS` in their order.
    """
    if variant in _bots:
        raise ValueError(f"There are bots for {variant} already")
    if [name for name in LEVELS if name in {*bots.levels, *MAIN_LEVELS}] != [*bots.levels]:
        raise ValueError(
            f"Levels are {', '.join(MAIN_LEVELS)} and others of {', '.join(LEVELS)}, in this order"
        )
    _bots[variant] = bots


def unregister(variant: str) -> None:
    """Take back the bots that were registered for a variant; `KeyError` if there are none."""
    del _bots[variant]


def bots_of(variant: str) -> VariantBots:
    """Return the bots of a variant, by its key; `ValueError` if there is no such variant."""
    if variant not in VARIANTS:
        raise ValueError(f"There is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    return _bots.get(variant, _ANY)


def levels_of(variant: str) -> Levels:
    """Return the levels of a variant by name, the weakest first; `ValueError` as `bots_of`."""
    return bots_of(variant).levels


def level(variant: str, name: str) -> Level:
    """Return a level of a variant by their keys; the same one each time, with what it remembers.

    Raises `ValueError` if there is no such variant, or if it has no such level.
    """
    found = levels_of(variant)
    if name not in found:
        raise ValueError(f"There is no level {name!r} of {variant}; there are {', '.join(found)}")
    return found[name]


def ladders() -> tuple[Path, ...]:
    """Return the files of the ladders that are registered with bots."""
    return tuple(bots.ladder for bots in _bots.values() if bots.ladder is not None)


def warm() -> None:
    """Think over what takes long the first time, before a player waits for it."""
    for bots in _bots.values():
        if bots.warm is not None:
            bots.warm()
