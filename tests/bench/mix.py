"""The requests of players and visitors on a busy evening, in the order in which they come.

Of a hundred requests, 5 are moves, 40 players' own games, 16 lists of their games (`/play/`), 15
other people's games with a certificate and 10 without, 9 the home page and 5 rules pages, both
without one, as browsers show their certificates below `/play/` only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from capsule.accounts.model import Player
from engine import VARIANTS, Side
from tests.bench.homes import Home, NewGame
from tests.bench.load import Request
from tests.support.wire.identities import Identity, make

PERCENTAGE_OF_MOVES = 5

SHARES: Mapping[str, float] = {
    "own game": 40,
    "own games": 16,
    "another's game": 15,
    "visitor's game": 10,
    "home": 9,
    "rules": 5,
}
"""The proportions of requests that change nothing."""

_LONGEST = 40
"""Moves after which a game that is made up may stop."""


@dataclass(frozen=True)
class _Seated:
    identity: Identity
    player: Player


@dataclass
class _Game:
    path: str
    moves: Sequence[str]
    turns: Sequence[Side]
    seats: dict[Side, _Seated]
    ply: int


class Mix:
    """Players with a certificate each and games between them, in a capsule, and what they ask."""

    def __init__(
        self,
        home: Home,
        identities: Sequence[Identity],
        games: int,
        random: Random,
        shares: Mapping[str, float] = SHARES,
    ) -> None:
        self._home = home
        self._random = random
        self._shares = shares
        self.latest: Sequence[Request] = ()
        seated = [
            _Seated(identity, home.player(identity, f"player{number}"))
            for number, identity in enumerate(identities)
        ]
        variants = list(VARIANTS)
        new, self._games = [], []
        for number in range(games):
            variant = variants[number % len(variants)]
            played, turns = _played(variant, random)
            ply = len(played) // 2
            x, o = random.sample(seated, 2)
            new.append(NewGame(variant, played[:ply], x.player, o.player))
            first = VARIANTS[variant].start.turn
            self._games.append(_Game("", played, turns, {first: x, first.other: o}, ply))
        for game, path in zip(self._games, home.store(new), strict=True):
            game.path = path
        self._own = {
            who.identity: [game for game in self._games if who in game.seats.values()]
            for who in seated
        }
        self._seated = [who for who in seated if self._own[who.identity]]

    def requests(self, number: int) -> Sequence[Request]:
        """Return the next requests; they must be made, since each move follows from the last."""
        moves = max(1, number * PERCENTAGE_OF_MOVES // 100)
        found = [*self.moves(moves), *self.looks(number - moves)]
        self._random.shuffle(found)
        self.latest = found
        return found

    def moves(self, number: int) -> Sequence[Request]:
        """Return requests that make moves, in a game each, since they are made side by side."""
        going_on = [game for game in self._games if game.ply < len(game.moves)]
        return [self._move(game) for game in self._random.sample(going_on, number)]

    def looks(self, number: int) -> Sequence[Request]:
        """Return requests that change nothing."""
        kinds = self._random.choices(list(self._shares), list(self._shares.values()), k=number)
        return [self._look(kind) for kind in kinds]

    def game_of_a_player(self) -> Request:
        """Return the request of one player for the page of a game of theirs."""
        return self._look("own game")

    def _look(self, kind: str) -> Request:
        who = self._random.choice(self._seated)
        match kind:
            case "own game":
                return Request(self._random.choice(self._own[who.identity]).path, who.identity)
            case "own games":
                return Request("/play/", who.identity)
            case "another's game":
                return Request(self._random.choice(self._games).path, who.identity)
            case "visitor's game":
                return Request(self._random.choice(self._games).path)
            case "home":
                return Request("/")
            case _:
                return Request(f"/rules/{self._random.choice(list(VARIANTS))}")

    def _move(self, game: _Game) -> Request:
        mover = game.seats[game.turns[game.ply]]
        move = game.moves[game.ply]
        path = self._home.move(mover.player, game.path, game.ply, move)
        game.ply += 1
        return Request(path, mover.identity, "30")


def bare(requests: Sequence[Request]) -> Sequence[Request]:
    """Return requests for the bare hello, with the same certificates."""
    return [Request("/", request.identity) for request in requests]


def identities(folder: Path, number: int) -> Sequence[Identity]:
    """Make certificates, in a new folder."""
    folder.mkdir()
    return [make(folder, f"player{each}") for each in range(number)]


def _played(variant: str, random: Random) -> tuple[Sequence[str], Sequence[Side]]:
    """Return the moves of a game, and who makes each."""
    position, played, turns = VARIANTS[variant].start, [], []
    while position.outcome is None and len(played) < _LONGEST:
        played.append(position.random_move(random))
        turns.append(position.turn)
        position = position.play(played[-1])
    return played, turns
