"""The work that one process does for all: bots, sweeps and analyses."""

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

    def __init__(self, context: AppContext, bot_processes: int, log: logging.Logger) -> None:
        self._context = context
        self._bot_processes = bot_processes
        self._log = log
        self._sweeper = Sweeper(context, log)
        self._pool = BotPool(context, bot_processes, log)

    def start(self) -> None:
        """Start, first with the work that was left when the capsule last stopped."""
        self._pool.start()
        self._sweeper.start()

    def stop(self) -> None:
        """Stop as soon as the current sweep is over; bots stop at once."""
        self._sweeper.stop()
        self._pool.stop()

    def resize(self, bot_processes: int) -> None:
        """Run this number of bot processes from now on."""
        if bot_processes != self._bot_processes:
            self._bot_processes = bot_processes
            before, self._pool = self._pool, BotPool(self._context, bot_processes, self._log)
            before.stop()
            self._pool.start()

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move or answer in a game, and wait a little for it."""
        self._pool.request_reply(game_id, turn_counter, owner)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""
        return self._pool.hint(variant, moves, owner)

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return the move of a level after moves in no stored game; None if no bot had time."""
        return self._pool.move(variant, moves, level, seed, owner)
