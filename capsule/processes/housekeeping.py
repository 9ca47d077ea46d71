"""What is done once, however many processes answer requests: bots, sweeps and analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.bots.pool import BotPool
from capsule.sweeper import Sweeper

if TYPE_CHECKING:
    import logging
    from collections.abc import Sequence

    from capsule.bots.service import Hint
    from capsule.context import AppContext


class Housekeeping:
    """The bots' processes and the sweep; a `BotService`."""

    def __init__(self, context: AppContext, thinkers: int, log: logging.Logger) -> None:
        def new_pool(thinkers: int) -> BotPool:
            return BotPool(context, thinkers, log)

        self._new_pool = new_pool
        self._thinkers = thinkers
        self._sweeper = Sweeper(context, log)
        self._pool = self._new_pool(thinkers)

    def start(self) -> None:
        """Start, with what was left to do when the capsule last stopped."""
        self._pool.start()
        self._sweeper.start()

    def stop(self) -> None:
        """Stop as soon as the current sweep is over; bots stop at once."""
        self._sweeper.stop()
        self._pool.stop()

    def employ(self, thinkers: int) -> None:
        """Have that many processes of bots from now on."""
        if thinkers != self._thinkers:
            before, self._pool = self._pool, self._new_pool(thinkers)
            self._thinkers = thinkers
            before.stop()
            self._pool.start()

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move or answer in a game, and wait a little for it."""
        self._pool.request_reply(game_id, turn_counter, owner)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""
        return self._pool.hint(variant, moves, owner)
