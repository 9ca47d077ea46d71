"""Games of two bots against each other, on several cores at once.

Each core plays a game at a time, in which either bot has its own process: the two think in
turn, so that bots never share a core.
"""

import os
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from queue import SimpleQueue
from random import Random
from threading import Event, Lock, Thread

from engine.bots.hosting.course import Forfeit
from engine.bots.hosting.outside import LIMIT, HostedBot
from engine.bots.means import Timepiece
from engine.game import Position, Side
from engine.variants import VARIANTS

MAX_MOVES = 60
"""Moves after which a game that might go on for ever counts as a draw."""

SECONDS = 1.0
"""The time that a bot from outside gets for a move, unless the terms say otherwise."""

_TRIES = 1000


@dataclass(frozen=True)
class MatchTerms:
    """The terms of a match.

    `names` are the bots, A and B, as `engine.bots.hosting.outside` reads them. `seconds` is how
    long either may think for a move; None leaves levels to their own time and gives others
    `SECONDS`. Every two games in a row begin with the same `openings` random moves, with the sides
    exchanged. `first` is the number of the first game: its luck follows from the seed and this
    number, so that a continued match has other games than before. `limit` is how many seconds
    cost a bot its game, as that module says. `clock` counts all of these seconds. `scale` is what
    levels' own time is multiplied by. `memory` is how many megabytes either may think in, None for
    what is its own.
    """

    variant: str
    names: tuple[str, str]
    games: int = 100
    seconds: float | None = None
    seed: int = 1
    openings: int = 0
    first: int = 0
    limit: float = LIMIT
    clock: Timepiece = Timepiece.WALL
    scale: float = 1.0
    memory: float | None = None


@dataclass(frozen=True)
class MatchGame:
    """A game that was played; in each pair A comes first, and a bot's number is 0 or 1.

    `x` is the bot that had X, `winner` the bot that won, None in a draw. `forfeit` is what the
    loser did, if that decided the game. `seconds` are those of each move that a bot made,
    `simulations` how many it made in all.
    """

    number: int
    x: int
    winner: int | None
    moves: tuple[str, ...]
    seconds: tuple[tuple[float, ...], tuple[float, ...]]
    simulations: tuple[int, int]
    forfeit: str | None = None


def opening(variant: str, length: int, rng: Random) -> list[str]:
    """Return the random moves of a game that is not over after them.

    Raises `ValueError` if there seem to be none.

    >>> len(opening("numeric", 2, Random(1)))
    2
    """
    for _ in range(_TRIES):
        position, moves = VARIANTS[variant].start, list[str]()
        while len(moves) < length and position.outcome is None:
            moves.append(position.random_move(rng))
            position = position.play(moves[-1])
        if position.outcome is None:
            return moves
    raise ValueError(f"No game of {variant} is still in progress after {length} random moves")


def played(terms: MatchTerms, cores: int | None = None) -> Generator[MatchGame]:
    """Yield the games of a match as they end, in any order; closing the iterator stops them all.

    `cores` is how many games to play at a time, by default one for each core that may be used.

    Raises `NoSuchBot` if a bot cannot be had, `ValueError` for openings that are too long.
    """
    opening(terms.variant, terms.openings, _luck(terms, 0))
    match = _Match(terms)
    threads = [Thread(target=match.play) for _ in range(min(cores or _cores(), terms.games))]
    try:
        for thread in threads:
            thread.start()
        for _ in range(terms.games):
            result = match.results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        match.stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()


class _Match:
    """The state that the threads of a match share."""

    def __init__(self, terms: MatchTerms) -> None:
        self.results: SimpleQueue[MatchGame | BaseException] = SimpleQueue()
        self._terms = terms
        self._numbers = count(terms.first)
        self._stopping = Event()
        self._bots: list[HostedBot] = []
        self._lock = Lock()

    def play(self) -> None:
        """Play one game after the other, in a separate thread, until there are no more."""
        try:
            with ExitStack() as stack:
                bots = [stack.enter_context(self._bot(name)) for name in self._terms.names]
                while not self._stopping.is_set():
                    with self._lock:
                        number = next(self._numbers)
                    if number >= self._terms.first + self._terms.games:
                        return
                    game = _game(self._terms, number, bots)
                    # A game that ends because the match is stopped is no forfeit.
                    if not self._stopping.is_set():
                        self.results.put(game)
        except Exception as error:  # noqa: BLE001 - raised again where the games are waited for
            self.results.put(error)

    def _bot(self, name: str) -> HostedBot:
        terms = self._terms
        bot = HostedBot(terms.variant, name, terms.limit, terms.clock, terms.memory)
        with self._lock:
            self._bots.append(bot)
        return bot

    def stop(self) -> None:
        """End all games at once."""
        self._stopping.set()
        with self._lock:
            for bot in self._bots:
                bot.kill()


def _game(terms: MatchTerms, number: int, bots: list[HostedBot]) -> MatchGame:
    x = number % 2
    moves = opening(terms.variant, terms.openings, _luck(terms, number))
    position = VARIANTS[terms.variant].replay(moves)
    seconds: tuple[list[float], list[float]] = [], []
    simulations = [0, 0]
    winner, forfeit = None, None
    given = [
        terms.seconds or (SECONDS if bot.seconds is None else bot.seconds * terms.scale)
        for bot in bots
    ]
    for which, bot in enumerate(bots):
        bot.new_game(f"{terms.seed} {number} {which}")
    while _is_in_progress(position, len(moves)):
        mover = x if position.turn is Side.X else 1 - x
        try:
            answer = bots[mover].choose(moves, given[mover])
        except Forfeit as error:
            winner, forfeit = 1 - mover, str(error)
            break
        seconds[mover].append(answer.seconds)
        simulations[mover] += answer.choice.simulations
        moves.append(answer.choice.move)
        position = position.play(answer.choice.move)
    if position.outcome is not None and position.outcome.winner is not None:
        winner = x if position.outcome.winner is Side.X else 1 - x
    return MatchGame(
        number=number,
        x=x,
        winner=winner,
        moves=tuple(moves),
        seconds=(tuple(seconds[0]), tuple(seconds[1])),
        simulations=(simulations[0], simulations[1]),
        forfeit=forfeit,
    )


def _is_in_progress(position: Position, moves: int) -> bool:
    is_too_long = position.may_never_end and moves >= MAX_MOVES
    return position.outcome is None and not is_too_long


def _luck(terms: MatchTerms, number: int) -> Random:
    return Random(f"{terms.seed} {number // 2}")


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Only some systems know which cores this process may use.
        return os.cpu_count() or 1
