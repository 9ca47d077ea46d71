"""What is refused to somebody, and the reason that they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Message


class Refused(ValueError):
    """Something that cannot be done; `message` says why, as a sentence without its final period."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class NotFound(Exception):
    """Nothing has this address."""


class OutdatedAction(Exception):
    """The action does not fit the game as it stands, so nothing was changed."""
