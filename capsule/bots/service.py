"""What the pages ask of the bots, whoever does the thinking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Message


@dataclass(frozen=True)
class Hint:
    """A move that a bot would make, and why, where it can say."""

    move: str
    reason: Message | None


class BotService(Protocol):
    """Thinks of moves for bots and players."""

    def request_move(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Have a bot think of its move in a game, and wait a little for it.

        `owner` is on whose behalf it thinks: everybody's tasks take turns. Where the bot has not
        moved when this returns, it will.
        """

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None where there was no time for one."""


class NoBots:
    """No bot process is there: bots' turns wait in the database until one is."""

    def request_move(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Leave the turn to whoever looks into the database next."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:  # noqa: ARG002
        """Return None."""
        return None
