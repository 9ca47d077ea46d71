"""A cache of positions, so that a page of a long game need not replay it from the start.

Where others wait for each answer, only a few moves of a short game may be replayed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from capsule.blocking import require_worker
from capsule.games import queries as game_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame, StoredMove
    from engine import Position


MAX_TURNS = 2_000
"""Positions kept at most; the least recently used goes first."""


MAX_MOVES_A_TURN = 2
"""The most moves one side makes in a row: in extreme with a bonus, in quantum after a choice."""

CHECKPOINT_INTERVAL = 32
"""On the way to a later position, every position after a multiple of this many moves is kept."""

MAX_REPLAYED = 100
"""The most moves that are replayed while others wait."""

MAX_PLY = 400
"""The most moves to a position that is shown while others wait: large grids take time to draw."""


@dataclass(frozen=True)
class Replayed:
    """The position to which a game's moves lead, and the last few of them, the oldest first.

    `before_turn` is the position before the first of the last moves that one side made in a row;
    None if it is not known.
    """

    position: Position
    recent: Sequence[StoredMove]
    before_turn: Position | None = None


def require_short(ply: int, replayed: int = 0) -> None:
    """Raise `WouldBlock` where others wait, if a position is too far on or takes too many moves.

    It is the position after `ply` moves, of which `replayed` have to be replayed.
    """
    if ply > MAX_PLY or replayed > MAX_REPLAYED:
        require_worker()


class ReplayCache:
    """Positions of games by turn counter; safe to share between threads.

    Every change of a game's moves raises its turn counter, so cached positions never become stale.
    """

    def __init__(self, max_turns: int = MAX_TURNS) -> None:
        self._max_turns = max_turns
        self._kept: OrderedDict[tuple[str, int], Replayed] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str, turn_counter: int, replay: Callable[[], Replayed]) -> Replayed:
        """Return the game's position at that turn, from `replay` if it is not cached."""
        key = (game_id, turn_counter)
        with self._lock:
            cached = self._kept.get(key)
            if cached is not None:
                self._kept.move_to_end(key)
                return cached
        replayed = replay()
        self.put(game_id, turn_counter, replayed)
        return replayed

    def find(self, game_id: str, turn_counter: int) -> Replayed | None:
        """Return the game's position at that turn, None if it is not cached."""
        with self._lock:
            return self._kept.get((game_id, turn_counter))

    def put(self, game_id: str, turn_counter: int, replayed: Replayed) -> None:
        """Cache the game's position at that turn."""
        with self._lock:
            self._kept[(game_id, turn_counter)] = replayed
            if len(self._kept) > self._max_turns:
                self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Replay:
    """The way to the position after `ply` moves of a game, from an earlier `position` on.

    The last `recent` moves are wanted, too.
    """

    game: StoredGame
    ply: int
    recent: int
    start: int
    position: Position

    @property
    def moves_after(self) -> int:
        """The number of the move after which moves have to be read."""
        return min(self.start, max(self.ply - self.recent, 0))

    def go(self, cache: ReplayCache, moves: Sequence[StoredMove]) -> Replayed:
        """Return where these moves lead, and cache some positions on the way."""
        position, game = self.position, self.game
        before_turn, mover = None, None
        for move in moves:
            if move.ply <= self.start:
                continue
            if move.side is not mover or move.ply == game.start_ply + 1:
                before_turn, mover = position, move.side
            position = position.play(move.move)
            if move.ply % CHECKPOINT_INTERVAL == 0 and move.ply < self.ply:
                cache.put(_history(game), move.ply, Replayed(position, ()))
        played = [move for move in moves[-self.recent :] if move.ply > game.start_ply]
        return Replayed(position, played, before_turn if played else None)


def replay(
    cache: ReplayCache, connection: Connection, game: StoredGame, ply: int, recent: int
) -> Replayed:
    """Return the position after the first `ply` moves of a game, with the last `recent` of them.

    Moves that led to the position from which the game was played are not among these. Raises
    `WouldBlock` where that takes too long.

    Some positions on the way are cached, so that stepping through a long game, as readers and
    crawlers do, does not trigger a full replay for each page.
    """
    way = _way(cache, game, ply, recent)
    return way.go(
        cache, game_queries.moves_of(connection, game.id, after=way.moves_after, up_to=ply)
    )


def replay_all(
    cache: ReplayCache, connection: Connection, games: Sequence[StoredGame], recent: int
) -> Sequence[Replayed]:
    """Return the positions of games after all their moves, from the cache if they are there.

    The moves of the others are read at once. Raises `WouldBlock` as `replay` does.
    """
    ways = {
        game.id: _way(cache, game, game.ply, recent)
        for game in games
        if cache.find(game.id, game.turn_counter) is None
    }
    moves = game_queries.moves_of_games(
        connection, {game_id: (way.moves_after, way.ply) for game_id, way in ways.items()}
    )

    def replay_one(game: StoredGame) -> Replayed:
        if game.id in ways:
            return ways[game.id].go(cache, moves[game.id])
        # It has left the cache meanwhile.
        return replay(cache, connection, game, game.ply, recent)

    return [cache.get(game.id, game.turn_counter, partial(replay_one, game)) for game in games]


def _way(cache: ReplayCache, game: StoredGame, ply: int, recent: int) -> _Replay:
    """Return the shortest way to a position; raises `WouldBlock` where it is too long."""
    start, position = 0, game.variant.start
    last_checkpoint = (ply - MAX_MOVES_A_TURN) // CHECKPOINT_INTERVAL * CHECKPOINT_INTERVAL
    for checkpoint in range(last_checkpoint, 0, -CHECKPOINT_INTERVAL):
        cached = cache.find(_history(game), checkpoint)
        if cached is not None:
            start, position = checkpoint, cached.position
            break
    require_short(ply, ply - start)
    return _Replay(game, ply, recent, start, position)


def _history(game: StoredGame) -> str:
    # This difference changes only when moves are taken back: then later moves follow another
    # history.
    return f"{game.id}/{game.turn_counter - game.ply}"
