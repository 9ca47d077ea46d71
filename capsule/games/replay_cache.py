"""What was replayed before, so that a page of a long game need not replay it again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from capsule.games import queries as game_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame, StoredMove
    from engine import Position


MAX_TURNS = 2_000
"""Turns kept at most; the one unused for longest goes first."""


STRIDE = 32
"""Every position whose number of moves this divides is kept on the way to a later one."""


@dataclass(frozen=True)
class Replayed:
    """The position that a game's moves lead to, and the last few of them, the oldest first.

    `before` is the position before the last move, None where there is none.
    """

    position: Position
    recent: Sequence[StoredMove]
    before: Position | None = None


class ReplayCache:
    """What the turns of games led to; safe to share between threads.

    A game's turn counter goes up with each change of its moves, so that what is kept stays true.
    """

    def __init__(self, largest: int = MAX_TURNS) -> None:
        self._largest = largest
        self._kept: OrderedDict[tuple[str, int], Replayed] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str, turn_counter: int, replay: Callable[[], Replayed]) -> Replayed:
        """Return where the game was at that turn, from `replay` where it is not kept."""
        key = (game_id, turn_counter)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        replayed = replay()
        self.put(game_id, turn_counter, replayed)
        return replayed

    def find(self, game_id: str, turn_counter: int) -> Replayed | None:
        """Return where the game was at that turn, None where it is not kept."""
        with self._lock:
            return self._kept.get((game_id, turn_counter))

    def put(self, game_id: str, turn_counter: int, replayed: Replayed) -> None:
        """Keep where the game was at that turn."""
        with self._lock:
            self._kept[(game_id, turn_counter)] = replayed
            if len(self._kept) > self._largest:
                self._kept.popitem(last=False)


def replay(
    cache: ReplayCache, connection: Connection, game: StoredGame, ply: int, recent: int
) -> Replayed:
    """Return where the first `ply` moves of a game led, with the last `recent` of them.

    Some positions on the way are kept, so that stepping through a long game, as readers and
    crawlers do, does not trigger a full replay for each page.
    """
    # Moves alone leave this difference as it is; taking some back, which changes what came before
    # the moves that follow, does not.
    history = f"{game.id}/{game.turn_counter - game.ply}"
    known, position = 0, game.variant.start
    for kept in range((ply - 1) // STRIDE * STRIDE, 0, -STRIDE):
        found = cache.find(history, kept)
        if found is not None:
            known, position = kept, found.position
            break
    moves = game_queries.moves_of(
        connection, game.id, after=min(known, max(ply - recent, 0)), up_to=ply
    )
    before = None
    for each in moves:
        if each.ply <= known:
            continue
        before, position = position, position.play(each.move)
        if each.ply % STRIDE == 0 and each.ply < ply:
            cache.put(history, each.ply, Replayed(position, ()))
    return Replayed(position, moves[-recent:], before)
