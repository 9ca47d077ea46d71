"""The work that one process does for all of them: bots, sweeps, analyses and mail."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from threading import Event, Thread

from capsule.bots.pool import BotPool
from capsule.bots.service import BotService, Hint
from capsule.config import Config
from capsule.context import AppContext
from capsule.mail.delivery import Delivery
from capsule.mail.relay import SmtpRelay, relay_settings
from capsule.sweeper import Sweeper


class Housekeeping(BotService):
    """The bots' processes and the sweep."""

    def __init__(self, context: AppContext, config: Config, log: logging.Logger) -> None:
        self._context = context
        self._bot_processes = config.bot_processes
        self._log = log
        self._sweeper = Sweeper(context, log)
        self._pool = BotPool(context, config.bot_processes, log)

    def start(self) -> None:
        """Start, first with the work that was left when the capsule last stopped."""
        self._pool.start()
        self._sweeper.start()

    def stop(self) -> None:
        """Stop as soon as the current sweep is over; bots stop at once."""
        self._sweeper.stop()
        self._pool.stop()

    def renew(self, config: Config) -> None:
        """Run the number of bot processes of these settings from now on."""
        if config.bot_processes != self._bot_processes:
            self._bot_processes = config.bot_processes
            before = self._pool
            self._pool = BotPool(self._context, config.bot_processes, self._log)
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


PATIENCE = 3.0
"""Seconds in which a letter may still be sent when the process stops."""


class Mailing:
    """Delivers letters on a separate thread, since a relay may be silent for a long time."""

    def __init__(self, context: AppContext, config: Config, log: logging.Logger) -> None:
        self._context = context
        self._log = log
        self._relay = SmtpRelay(relay_settings(config))
        self._interrupted = Event()
        self._is_stopping = False
        self._thread = Thread(target=self._deliver, name="mail", daemon=True)

    def start(self) -> None:
        """Start, first with the letters that were left when the capsule last stopped."""
        self._thread.start()

    def renew(self, config: Config) -> None:
        """Use these settings from the next letter on."""
        self._context = replace(self._context, origin=config.origin)
        self._relay.renew(relay_settings(config))
        self._interrupted.set()

    def stop(self) -> None:
        """Stop soon, even if the relay is silent; then its letter is sent again later."""
        self._is_stopping = True
        self._interrupted.set()
        self._thread.join(PATIENCE)
        self._relay.give_up()
        self._thread.join(PATIENCE)

    def _deliver(self) -> None:
        while True:
            self._interrupted.clear()
            # Read after the event is cleared: `stop` sets it before the event.
            if self._is_stopping:
                return
            Delivery(self._context, self._relay.send, self._log).run(self._interrupted)
