"""The registry of puzzles: the modules that prove and find those of a game, and their file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class PuzzleSources:
    """The modules behind the puzzles of a game, by name, and the file that has them.

    Modules are imported when they are needed: provers need bots, which take time and memory.

    Attributes:
        prover: the module whose `PROVER` proves the puzzles, as `engine.puzzles.proofs` says.
        file: the puzzles, as `oxonaut puzzles make` writes them; none if there is no such file.
        positions: the module whose `positions(variant, rng)` yields the moves to positions that may
            make puzzles, without end; None if those of bots' games will do.
    """

    prover: str
    file: Path
    positions: str | None = None


_LOCAL_BOARDS = "engine.puzzles.local_boards", "engine.puzzles.local_boards_search"

_sources: dict[str, PuzzleSources] = {
    variant: PuzzleSources(prover, _DATA / f"{variant}.jsonl", positions)
    for variant, (prover, positions) in {
        "ultimate": _LOCAL_BOARDS,
        "numeric": ("engine.puzzles.numeric", None),
        "quantum": ("engine.puzzles.quantum", None),
        "extreme": _LOCAL_BOARDS,
        "tinc": ("engine.puzzles.tinc", "engine.puzzles.tinc_positions"),
    }.items()
}

SOURCES: Mapping[str, PuzzleSources] = _sources
"""The sources of the puzzles of each game that has any, by its key. `register` adds to them."""


def register(variant: str, sources: PuzzleSources) -> None:
    """Register the puzzles of a variant, by its key; raises `ValueError` if it has some already."""
    if variant in _sources:
        raise ValueError(f"There are puzzles of {variant} already")
    _sources[variant] = sources


def unregister(variant: str) -> None:
    """Take back the puzzles that were registered for a variant; `KeyError` if there are none."""
    del _sources[variant]


def sources_of(variant: str) -> PuzzleSources:
    """Return the sources of a game's puzzles, by its key; `ValueError` if it has none."""
    if variant not in _sources:
        raise ValueError(f"There is no prover for {variant!r}; there are {', '.join(_sources)}")
    return _sources[variant]
