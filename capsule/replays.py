"""What was replayed before, so that a page of a long game need not replay it again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capsule.store.games import StoredMove
    from engine import Position

LARGEST = 2_000
"""Turns kept at most; the one unused for longest goes first."""


@dataclass(frozen=True)
class Replayed:
    """The position that a game's moves lead to, and the last few of them, the oldest first."""

    position: Position
    recent: Sequence[StoredMove]


class ReplayCache:
    """What the turns of games led to; safe to share between threads.

    A game's turn counter goes up with each change of its moves, so that what is kept stays true.
    """

    def __init__(self, largest: int = LARGEST) -> None:
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

    def put(self, game_id: str, turn_counter: int, replayed: Replayed) -> None:
        """Keep where the game was at that turn."""
        with self._lock:
            self._kept[(game_id, turn_counter)] = replayed
            if len(self._kept) > self._largest:
                self._kept.popitem(last=False)
