"""Counting the games that people have played of late, and reading those between two people.

Both read the end of an index, of constant length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, and_, bindparam, case, exists, func, or_, select, text, union

from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.games.row_queries import GAME, STORED_GAME
from capsule.games.status import DECIDED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select

    from capsule.games.model import StoredGame


MAX_COUNTED = 250
"""The limit up to which a week's games are counted."""

_MAX_LOOKED_AT = 1_000
"""The last games among which they are looked for: programs may play many among themselves."""

_MAX_CANDIDATES = 50
"""The last public games to end among which those between people are looked for."""


def _is_person(player_id: ColumnElement[int | None]) -> ColumnElement[bool]:
    program = players.alias()
    return and_(
        player_id.is_not(None),
        ~exists().where(program.c.id == player_id, program.c.program_since.is_not(None)),
    )


def _played_since() -> Select[Any]:
    last = (
        select(games.c.x_player_id, games.c.o_player_id)
        .where(
            # Worded as the condition of the index, or SQLite does not take it.
            text("games.ply > 0"),
            games.c.moved_at >= bindparam("since", type_=games.c.moved_at.type),
            or_(
                games.c.x_player_id.is_(None),
                games.c.o_player_id.is_(None),
                games.c.x_player_id != games.c.o_player_id,
            ),
            is_present(games.c.variant),
        )
        .order_by(games.c.moved_at.desc())
        .limit(_MAX_LOOKED_AT)
        .subquery()
    )
    played = (
        select(last)
        .where(or_(*(_is_person(seat) for seat in last.c)))
        .limit(MAX_COUNTED)
        .cte("played")
    )
    judged = select(
        case((_is_person(played.c.x_player_id), played.c.x_player_id)).label("x"),
        case((_is_person(played.c.o_player_id), played.c.o_player_id)).label("o"),
    ).cte("judged")
    people = union(
        *(select(seat).where(seat.is_not(None)) for seat in (judged.c.x, judged.c.o))
    ).subquery()
    count = func.count()
    return select(
        select(count).select_from(people).scalar_subquery(),
        count,
        count.filter(judged.c.x.is_(None) != judged.c.o.is_(None)),
    ).select_from(judged)


_PLAYED_SINCE = _played_since()


def _last_between_people() -> Select[Any]:
    ends = [
        select(games.c.id, games.c.moved_at)
        .where(games.c.listed, games.c.status == status, is_present(games.c.variant))
        .order_by(games.c.moved_at.desc(), games.c.id.desc())
        .limit(_MAX_CANDIDATES)
        .subquery()
        for status in DECIDED
    ]
    entries = union(*(select(end) for end in ends)).subquery()
    order = (games.c.moved_at.desc(), games.c.id.desc())
    return (
        GAME.where(
            games.c.id.in_(
                select(entries.c.id)
                .order_by(entries.c.moved_at.desc(), entries.c.id.desc())
                .limit(_MAX_CANDIDATES)
            ),
            games.c.x_player_id != games.c.o_player_id,
            _is_person(games.c.x_player_id),
            _is_person(games.c.o_player_id),
        )
        .order_by(*order)
        .limit(bindparam("limit", type_=Integer))
    )


_LAST_BETWEEN_PEOPLE = _last_between_people()


def count_played_since(connection: Connection, since: datetime) -> tuple[int, int, int]:
    """Return the numbers of people who played since a time, of their games, and of those with bots.

    Of the games in which somebody has moved, the last `MAX_COUNTED` with a person are counted.
    """
    counts = connection.execute(_PLAYED_SINCE, {"since": since}).one()
    return counts[0], counts[1], counts[2]


def last_between_people(connection: Connection, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` public games between two people, the last to end first.

    They are looked for among the last public games to end, however many there are.
    """
    return STORED_GAME.fetch_all(connection, _LAST_BETWEEN_PEOPLE, {"limit": limit})
