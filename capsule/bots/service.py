"""The interface through which pages request replies and hints from bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Message


@dataclass(frozen=True)
class Hint:
    """A move that a bot would make, its reason if the bot can give one, and what it expects of it.

    `win_probability` is that of the side to move, as `Outcome.value_for` counts; it is proven if
    the hint `is_exact`, else an estimate.
    """

    move: str
    reason: Message | None
    win_probability: float
    is_exact: bool


class BotService(Protocol):
    """Thinks of moves for bots and players."""

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move in a game, or its answer to an offer, and wait a little for it.

        `owner` is the player for whom the bot thinks: owners' requests take turns. If the bot has
        not replied when this returns, it will later.
        """

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return the move of a level after moves in no stored game; None if no bot had time."""


class NoBots:
    """A service without bots: their replies wait in the database until a service has some."""

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Leave what the bot owes in the database."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:  # noqa: ARG002
        """Return None."""
        return None

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return None."""
        del variant, moves, level, seed, owner
        return None
