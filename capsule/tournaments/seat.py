"""Seats in tournaments, each taken by a player or a bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts.names import bot_name, level_bot_name, shown_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class TournamentSeat:
    """The seat of a player or a bot in a tournament.

    `player_name` is None for a bot, and "" for a former player, who was erased. It is also "" for
    a player of a cup who `is_banned`. `left_at` is when the player gave up the tournament, and
    with it any place. Then `results_count` says whether the results until then still count.
    `is_program` says that the player is a declared program.
    """

    number: int
    taken_at: datetime
    player_id: int | None = None
    player_name: str | None = None
    bot: str | None = None
    left_at: datetime | None = None
    results_count: bool = True
    is_program: bool = False
    is_banned: bool = False

    @property
    def name(self) -> str:
        """The name of its holder, as in games; that of a banned player is struck out."""
        if self.bot:
            return level_bot_name(self.bot)
        if self.is_program and not self.is_banned:
            return bot_name(self.player_name)
        return shown_name(self.player_name or "", is_struck_out=self.is_banned)

    @property
    def has_left(self) -> bool:
        """Whether its player has given up the tournament."""
        return self.left_at is not None


def seat_numbers(seats: Sequence[TournamentSeat]) -> Mapping[tuple[int | None, str | None], int]:
    """Return the numbers of seats by their holders: a player's id, or a bot's level."""
    return {(seat.player_id, seat.bot): seat.number for seat in seats}
