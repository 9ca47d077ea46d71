"""The facts about a variant: numbers that people quote, with their derivation.

They are computed by `engine.facts.computing`, stored as the package's data, one file a variant, and
read from there.
"""

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

RANDOM = "random"
"""The players who choose evenly among the legal moves; all others are levels of bots."""


@dataclass(frozen=True)
class FirstMoves:
    """First moves that turning and mirroring make the same.

    `value` is what best play brings X less what it brings O, None if nobody knows.
    `best_replies` counts the replies that keep it at that, of `replies` in all.
    """

    moves: tuple[str, ...]
    replies: int
    value: float | None = None
    best_replies: int | None = None


@dataclass(frozen=True)
class Sample:
    """The results of games between two players of one kind, with every turn decided by `seed`.

    `limit` is the number of moves after which a game was left, None if each was played to its
    end. `moves` counts those of all games, `points` are X's and O's in all of them.
    """

    players: str
    seed: int
    games: int
    limit: int | None
    x_wins: int
    o_wins: int
    draws: int
    moves: int
    shortest: int
    longest: int
    points: tuple[float, float]

    @property
    def unfinished(self) -> int:
        """The games that were left."""
        return self.games - self.x_wins - self.o_wins - self.draws

    @property
    def mean_length(self) -> float:
        """The average number of moves of a game."""
        return self.moves / self.games

    @property
    def mean_difference(self) -> float:
        """The average lead of X over O in points a game."""
        x, o = self.points
        return (x - o) / self.games


@dataclass(frozen=True)
class Ply:
    """The sequences of one length: those that leave the game open, and those that end it."""

    open: int
    x_wins: int
    o_wins: int
    draws: int

    @property
    def ended(self) -> int:
        """The number of sequences that end the game with their last move."""
        return self.x_wins + self.o_wins + self.draws

    @property
    def sequences(self) -> int:
        """The number of sequences."""
        return self.open + self.ended


@dataclass(frozen=True)
class EveryGame:
    """All games of a variant, by their length, and all positions that they come to.

    After as many moves every open position must offer as many: that makes the chances of random
    players exact.
    """

    plies: tuple[Ply, ...]
    positions: int
    positions_but_for_symmetry: int

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(ply.ended for ply in self.plies)

    @property
    def x_wins(self) -> int:
        """The number of games that X wins."""
        return sum(ply.x_wins for ply in self.plies)

    @property
    def o_wins(self) -> int:
        """The number of games that O wins."""
        return sum(ply.o_wins for ply in self.plies)

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return sum(ply.draws for ply in self.plies)

    def chance_of(self, result: str) -> Fraction:
        """Return how likely random players are to come to `x_wins`, `o_wins` or `draws`."""
        counts = [getattr(ply, result) for ply in self.plies]
        return sum(
            (count * share for count, share in zip(counts, self._shares(), strict=True)), Fraction()
        )

    @property
    def mean_random_length(self) -> Fraction:
        """The average number of moves in games between random players."""
        lengths = enumerate(zip(self.plies, self._shares(), strict=True), start=1)
        return sum((length * ply.ended * share for length, (ply, share) in lengths), Fraction())

    def _shares(self) -> list[Fraction]:
        """Return for each length how likely random players are to play one certain sequence."""
        shares, before, share = [], 1, Fraction(1)
        for ply in self.plies:
            share *= Fraction(before, ply.sequences)
            shares.append(share)
            before = ply.open
        return shares


@dataclass(frozen=True)
class Growth:
    """The beginning of tinc: the sizes of its grid after three turns, and the quickest wins.

    `sizes` pairs the side of a grid with the number of sequences of three turns that lead to one.
    `wins` counts the sequences of five turns that win.
    """

    sizes: tuple[tuple[int, int], ...]
    wins: int


@dataclass(frozen=True)
class Facts:
    """The facts about a variant.

    `sequences` counts the move sequences of each length from 1 on, those that ended before left
    out. `shortest` is one of the shortest games, `longest` one of the longest, None if a game may
    never end.
    """

    variant: str
    sequences: tuple[int, ...]
    shortest: tuple[str, ...]
    longest: tuple[str, ...] | None
    first_moves: tuple[FirstMoves, ...]
    samples: tuple[Sample, ...]
    every_game: EveryGame | None = None
    growth: Growth | None = None

    def sample(self, players: str) -> Sample:
        """Return the games of players of this kind; `KeyError` if there are none."""
        for sample in self.samples:
            if sample.players == players:
                return sample
        raise KeyError(players)


def to_json(facts: Facts) -> str:
    """Return the facts as text that `from_json` reads."""
    return json.dumps(asdict(facts), indent=1) + "\n"


def from_json(text: str) -> Facts:
    """Return the facts that `to_json` wrote."""
    values = _with_tuples(json.loads(text))
    every_game, growth = values["every_game"], values["growth"]
    values["first_moves"] = tuple(FirstMoves(**each) for each in values["first_moves"])
    values["samples"] = tuple(Sample(**each) for each in values["samples"])
    if every_game is not None:
        plies = tuple(Ply(**ply) for ply in every_game["plies"])
        values["every_game"] = EveryGame(**(every_game | {"plies": plies}))
    if growth is not None:
        values["growth"] = Growth(**growth)
    return Facts(**values)


def _with_tuples(value: Any) -> Any:  # noqa: ANN401 - what JSON gives
    """Return a value from JSON with a tuple for each list in it."""
    if isinstance(value, dict):
        return {name: _with_tuples(part) for name, part in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


@cache
def facts_about(variant: str) -> Facts | None:
    """Return what is known of a variant, by its key, None if nothing has been computed."""
    path = files("engine.facts").joinpath("data", f"{variant}.json")
    return from_json(path.read_text("utf-8")) if path.is_file() else None


def write(facts: Facts, folder: Path) -> Path:
    """Write facts where `facts_about` finds them, if `folder` is `engine/facts/data`."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{facts.variant}.json"
    path.write_text(to_json(facts), "utf-8")
    return path
