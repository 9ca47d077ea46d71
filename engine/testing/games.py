"""Random games for laws to look at, the same ones in every run."""

import copy
import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import ClassVar, NamedTuple, TypeVar

from engine.game import IllegalMove, MoveError, Position, Variant

T = TypeVar("T")

_LEFT_AFTER = 12
"""The moves after which a game that may never end is left."""


class Playout(NamedTuple):
    """A random game: its moves, and its positions from the start to where it was left."""

    moves: Sequence[str]
    positions: Sequence[Position]

    @property
    def last(self) -> Position:
        """The position where the game ended or was left."""
        return self.positions[-1]


def some_moves(position: Position) -> list[str]:
    """Return the legal moves; if they are countless, the first and a few far apart."""
    moves = iter(position.legal_moves())
    return list(chain(islice(moves, 170), islice(moves, 0, 20_000, 997)))


def is_legal(position: Position, move: str) -> bool:
    """Return whether a move in canonical notation may be played."""
    try:
        position.play(move)
    except IllegalMove:
        return False
    return True


def refusal(attempt: Callable[[str], object], move: str) -> MoveError | None:
    """Return the error that an attempt at a move ends in, if any."""
    try:
        attempt(move)
    except MoveError as error:
        return error
    return None


class RandomGames:
    """The random games of a variant, which laws look at; a subclass names its variant.

    Attributes:
        variant: the variant, which need not be registered.
        longest: the most moves that a game can take, None if one may never end.
        symmetries: how many images each move has, itself included.
        endings: X's and O's points in each way that random games end, None if they are left.
        loser_points: what the loser of a game may have.
        can_change_turn: whether `with_turn` knows every position with the other side to move.
        nonsense: texts that are no moves.
        seeds: the seeds of the random games.
    """

    variant: ClassVar[Variant]
    longest: ClassVar[int | None] = None
    symmetries: ClassVar[int] = 1
    endings: ClassVar[Collection[tuple[float, float] | None]] = ((1, 0), (0, 1), (0.5, 0.5))
    loser_points: ClassVar[Collection[float]] = (0,)
    can_change_turn: ClassVar[bool] = False
    nonsense: ClassVar[Sequence[str]] = ("", "z", "z99")
    seeds: ClassVar[Sequence[int]] = range(25)

    def random_move(self, position: Position, random: Random) -> str:
        """Return a move of a random game; override it if few such games would ever end."""
        return position.random_move(random)

    def few_moves(self, position: Position) -> Sequence[str]:
        """Return the legal moves, or, if they are countless, those that symmetries map."""
        return list(position.legal_moves())

    def notations(self, position: Position) -> Sequence[str]:
        """Return moves that can be written, whether they may be played in this position or not."""
        del position
        return list(dict.fromkeys(chain(*map(some_moves, self.games()[0].positions))))

    def games(self) -> Sequence[Playout]:
        """Return the random games that the laws look at."""
        laws = type(self)
        if laws not in _played:
            _played[laws] = [self.playout(Random(seed)) for seed in self.seeds]
        return _played[laws]

    def playout(self, random: Random) -> Playout:
        """Return a random game, to its end or, if it may never end, for a few moves."""
        moves: list[str] = []
        positions = [self.variant.start]
        is_endless = self.variant.may_never_end
        while positions[-1].outcome is None and not (is_endless and len(moves) == _LEFT_AFTER):
            moves.append(self.random_move(positions[-1], random))
            positions.append(positions[-1].play(moves[-1]))
        return Playout(moves, positions)

    def games_with_luck(self) -> Iterator[tuple[Playout, Random]]:
        """Yield the random games, each with a source of choices for its law."""
        return ((game, Random(seed)) for seed, game in zip(self.seeds, self.games(), strict=True))


_played: dict[type[RandomGames], Sequence[Playout]] = {}
"""The random games of each subclass, played once."""


def copies(value: T) -> tuple[T, T]:
    """Return a value as another process has it, and a copy."""
    return pickle.loads(pickle.dumps(value)), copy.deepcopy(value)
