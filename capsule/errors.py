"""The errors that several features raise and pages turn into responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Message


class Refused(ValueError):
    """The refusal of something that a player or the operator asked for.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OverLimit(Refused):
    """The refusal of something that is one too many at present; it may be tried later as it is."""


class NotFound(Exception):
    """There is nothing at the requested address."""


class NotAtPresent(NotFound):
    """Something is at the requested address, but cannot be shown at present.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OutdatedAction(Exception):
    """The action does not fit the current state, so nothing was changed."""
