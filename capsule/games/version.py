"""The version of a game: it differs after every change that somebody who follows it can see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.games.status import GameStatus  # noqa: TC001 - a mapper reads the types of fields
from engine import Side  # noqa: TC001

if TYPE_CHECKING:
    from capsule.games.model import StoredGame


@dataclass(frozen=True, slots=True)
class GameVersion:
    """The version of a game; two of one game are equal if nothing has happened in between."""

    turn_counter: int
    ply: int
    takebacks: int
    status: GameStatus
    draw_offered_by: Side | None
    takeback_asked_by: Side | None

    @property
    def without_offers(self) -> GameVersion:
        """The same version before a draw was offered or a takeback asked for."""
        return replace(self, draw_offered_by=None, takeback_asked_by=None)


def version_of(game: StoredGame) -> GameVersion:
    """Return the version of a game as it is stored."""
    return GameVersion(
        game.turn_counter,
        game.ply,
        game.takebacks,
        game.status,
        game.draw_offered_by,
        game.takeback_asked_by,
    )
