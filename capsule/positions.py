"""Positions already replayed, so that a page of a long game need not replay it again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Position

LARGEST = 2_000
"""Positions kept at most; the one unused for longest goes first."""


class PositionCache:
    """The positions of games by the turn they were reached at; safe to share between threads."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._positions: OrderedDict[tuple[str, int], Position] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str, turn_counter: int, replay: Callable[[], Position]) -> Position:
        """Return the game's position at that turn, from `replay` where it is not known yet."""
        key = (game_id, turn_counter)
        with self._lock:
            known = self._positions.get(key)
            if known is not None:
                self._positions.move_to_end(key)
                return known
        position = replay()
        self.put(game_id, turn_counter, position)
        return position

    def put(self, game_id: str, turn_counter: int, position: Position) -> None:
        """Keep the game's position at that turn."""
        with self._lock:
            self._positions[(game_id, turn_counter)] = position
            if len(self._positions) > self._largest:
                self._positions.popitem(last=False)
