"""Export and erasure of puzzle answers and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.puzzles import queries as puzzle_queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the player's answers to puzzles, the days they solved, their mistakes and rating."""
    return {"puzzles": puzzle_queries.exported(connection, player.id)}


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase all of it; the puzzles keep their ratings."""
    puzzle_queries.erase(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
