"""The work of the process that hands letters to the relay."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from capsule.mail.delivery import Delivery
from capsule.mail.relay import SmtpRelay
from capsule.mail.relay_settings import relay_settings

if TYPE_CHECKING:
    import logging

    from capsule.config import Config
    from capsule.context import AppContext

PATIENCE = 3.0
"""Seconds in which a letter may still be sent when the process is to stop."""


class Mailing:
    """The delivery of letters on a thread of its own, since a relay may be silent for long."""

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
        """Use these settings once the letter that is being sent is done with."""
        self._context = replace(self._context, origin=config.origin)
        self._relay.renew(relay_settings(config))
        self._interrupted.set()

    def stop(self) -> None:
        """Stop soon, even if the relay is silent; its letter is sent again later then."""
        self._is_stopping = True
        self._interrupted.set()
        self._thread.join(PATIENCE)
        self._relay.give_up()
        self._thread.join(PATIENCE)

    def _deliver(self) -> None:
        while True:
            self._interrupted.clear()
            # Asked after the event is cleared, which may have been the one that says so.
            if self._is_stopping:
                return
            Delivery(self._context, self._relay, self._log).run(self._interrupted)
