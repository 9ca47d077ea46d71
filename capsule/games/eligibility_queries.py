"""Reading whether a player has finished games against bots and people, of bounded work each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, func, literal_column, select, union_all

from capsule.db.schema.base import Moment
from capsule.db.schema.games import games
from capsule.db.schema.players import players

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import BindParameter, Connection


MAX_GAMES_READ = 500
"""The newest finished games in each seat among which one against a person is looked for."""

_PLAYER: BindParameter[int] = bindparam("player_id", type_=Integer)
_AT_MOST: BindParameter[int] = bindparam("at_most", type_=Integer)
_HAD_ENDED = games.c.moved_at <= bindparam("now", type_=Moment)

_SEATS = (
    (games.c.x_player_id, games.c.o_player_id, games.c.o_bot),
    (games.c.o_player_id, games.c.x_player_id, games.c.x_bot),
)


_AGAINST_BOTS = select(func.count()).select_from(
    union_all(
        *(
            select(
                select(games.c.id)
                .where(
                    seat == _PLAYER,
                    bot.is_not(None),
                    games.c.x_points.is_not(None),
                    _HAD_ENDED,
                    # As a literal, or SQLite takes no index with this condition.
                    games.c.start_ply == literal_column("0"),
                )
                .limit(_AT_MOST)
                .subquery()
            )
            for seat, _, bot in _SEATS
        )
    ).subquery()
)

_OPPONENTS = union_all(
    *(
        select(
            select(opponent.label("player_id"))
            .where(seat == _PLAYER, games.c.x_points.is_not(None), _HAD_ENDED)
            .order_by(games.c.status.desc(), games.c.moved_at.desc(), games.c.id.desc())
            .limit(MAX_GAMES_READ)
            .subquery()
        )
        for seat, opponent, _ in _SEATS
    )
).subquery()

_PERSON_MET = (
    select(_OPPONENTS.c.player_id)
    .join(players, players.c.id == _OPPONENTS.c.player_id)
    .where(players.c.program_since.is_(None), players.c.id != _PLAYER)
    .limit(1)
)


def count_games_against_bots(
    connection: Connection, player_id: int, now: datetime, *, at_most: int
) -> int:
    """Return how many whole games against bots the player had finished, `at_most` in each seat."""
    values = {"player_id": player_id, "now": now, "at_most": at_most}
    return connection.execute(_AGAINST_BOTS, values).scalar_one()


def has_met_a_person(connection: Connection, player_id: int, now: datetime) -> bool:
    """Return whether one of the player's last finished games was against another person."""
    values = {"player_id": player_id, "now": now}
    return connection.execute(_PERSON_MET, values).first() is not None
