"""Reading and writing players' vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, or_, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.games import vacations
from capsule.games.clock import Vacation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection


_VACATION = Mapper(Vacation, vacations, begins=vacations.c.begins_at, ends=vacations.c.ends_at)
_VACATIONS = select(*_VACATION.columns, vacations.c.player_id)

# Every page of a game asks for the vacations of its two players, and building a statement costs
# more than running it.
_OF_TWO = _VACATIONS.where(
    or_(vacations.c.player_id == bindparam("one"), vacations.c.player_id == bindparam("other")),
    vacations.c.ends_at > bindparam("since"),
)


def add_vacation(connection: Connection, player_id: int, vacation: Vacation) -> None:
    """Store a vacation of a player."""
    values = {"player_id": player_id, **_VACATION.values(vacation)}
    connection.execute(insert(vacations), values)


def end_vacation(connection: Connection, player_id: int, now: datetime) -> None:
    """End the vacation that a player is on."""
    connection.execute(
        update(vacations)
        .where(
            vacations.c.player_id == player_id,
            vacations.c.begins_at <= now,
            vacations.c.ends_at > now,
        )
        .values(ends_at=now)
    )


def vacations_of(
    connection: Connection, player_ids: Iterable[int], since: datetime
) -> Mapping[int, Sequence[Vacation]]:
    """Return the vacations of these players that end after `since`, by player."""
    ids = tuple(player_ids)
    if 1 <= len(ids) <= 2:
        statement = _OF_TWO
        values: dict[str, Any] = {"one": ids[0], "other": ids[-1], "since": since}
    else:
        statement = _VACATIONS.where(vacations.c.player_id.in_(ids), vacations.c.ends_at > since)
        values = {}
    by_player: dict[int, list[Vacation]] = {}
    for row in connection.execute(statement, values):
        by_player.setdefault(row.player_id, []).append(_VACATION.read(row))
    return by_player
