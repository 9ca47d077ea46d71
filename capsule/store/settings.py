"""Writing what players have chosen."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sqlalchemy import update

from capsule.reader import ANYONE
from capsule.store.schema import players

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

AT_FIRST: Mapping[str, bool | str] = {**asdict(ANYONE), "takes_messages": True}
"""The columns of a player that are theirs to choose, as they are before that."""


def change_settings(
    connection: Connection, player_id: int, values: Mapping[str, bool | str]
) -> None:
    """Keep a player's choices: values of columns."""
    connection.execute(update(players).where(players.c.id == player_id).values(**values))
