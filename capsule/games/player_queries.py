"""Reading what a player may do: finished games, unfinished ones, and vacations."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.db.mapper import Mapper
from capsule.db.schema.base import Moment
from capsule.db.schema.games import games, is_present, vacations
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import (
    cup_entries,
    cup_winners,
    cups,
    tournament_seats as seats,
    tournaments,
)
from capsule.games.clock import Vacation
from capsule.games.model import RUNNING, GameStatus

MAX_GAMES_READ = 500
"""The newest finished games in each seat among which one against a person is looked for."""

_PLAYER: sa.BindParameter[int] = sa.bindparam("player_id", type_=sa.Integer)
_AT_MOST: sa.BindParameter[int] = sa.bindparam("at_most", type_=sa.Integer)
_HAD_ENDED = games.c.moved_at <= sa.bindparam("now", type_=Moment)

_SEATS = (
    (games.c.x_player_id, games.c.o_player_id, games.c.o_bot),
    (games.c.o_player_id, games.c.x_player_id, games.c.x_bot),
)


_AGAINST_BOTS = sa.select(sa.func.count()).select_from(
    sa.union_all(
        *(
            sa.select(
                sa.select(games.c.id)
                .where(
                    seat == _PLAYER,
                    bot.is_not(None),
                    games.c.x_points.is_not(None),
                    _HAD_ENDED,
                    # As a literal, or SQLite takes no index with this condition.
                    games.c.start_ply == sa.literal_column("0"),
                )
                .limit(_AT_MOST)
                .subquery()
            )
            for seat, _, bot in _SEATS
        )
    ).subquery()
)

_OPPONENTS = sa.union_all(
    *(
        sa.select(
            sa.select(opponent.label("player_id"))
            .where(seat == _PLAYER, games.c.x_points.is_not(None), _HAD_ENDED)
            .order_by(games.c.status.desc(), games.c.moved_at.desc(), games.c.id.desc())
            .limit(MAX_GAMES_READ)
            .subquery()
        )
        for seat, opponent, _ in _SEATS
    )
).subquery()

_PERSON_MET = (
    sa.select(_OPPONENTS.c.player_id)
    .join(players, players.c.id == _OPPONENTS.c.player_id)
    .where(players.c.program_since.is_(None), players.c.id != _PLAYER)
    .limit(1)
)


def count_games_against_bots(
    connection: sa.Connection, player_id: int, now: datetime, *, at_most: int
) -> int:
    """Return how many whole games against bots the player had finished, `at_most` in each seat."""
    values = {"player_id": player_id, "now": now, "at_most": at_most}
    return connection.execute(_AGAINST_BOTS, values).scalar_one()


def has_met_a_person(connection: sa.Connection, player_id: int, now: datetime) -> bool:
    """Return whether one of the player's last finished games was against another person."""
    values = {"player_id": player_id, "now": now}
    return connection.execute(_PERSON_MET, values).first() is not None


_ALL_SEATS = seats.alias()

MAX_IN_CUP_GROUP = 6
"""The most players of a group of a monthly cup."""

_TOURNAMENTS_AHEAD = (
    sa.select(
        tournaments.c.seats,
        sa.select(sa.func.count())
        .where(_ALL_SEATS.c.tournament_id == tournaments.c.id)
        .scalar_subquery()
        .label("taken"),
        tournaments.c.fill_level,
    )
    .join(seats, seats.c.tournament_id == tournaments.c.id)
    .where(
        seats.c.player_id == _PLAYER,
        tournaments.c.status == "announced",
        is_present(tournaments.c.variant),
    )
)

_CUPS_AHEAD = (
    sa.select(sa.literal(MAX_IN_CUP_GROUP), sa.literal(MAX_IN_CUP_GROUP), sa.null())
    .select_from(cup_entries)
    .join(cups, cups.c.month == cup_entries.c.month)
    .where(cup_entries.c.player_id == _PLAYER, cups.c.status.in_(("coming", "entering")))
)

# One player of each group, for those who are still in the running.
_FINALS_AHEAD = (
    sa.select(cups.c.group_count, cups.c.group_count, sa.null())
    .select_from(seats)
    .join(tournaments, tournaments.c.id == seats.c.tournament_id)
    .join(cups, cups.c.month == tournaments.c.cup)
    .where(
        seats.c.player_id == _PLAYER,
        seats.c.left_at.is_(None),
        cups.c.status == "groups",
        cups.c.group_count > 1,
        sa.or_(
            tournaments.c.status == "playing",
            sa.exists().where(
                cup_winners.c.month == cups.c.month, cup_winners.c.player_id == _PLAYER
            ),
        ),
    )
)

_SEATS_AHEAD = sa.union_all(_TOURNAMENTS_AHEAD, _CUPS_AHEAD, _FINALS_AHEAD)

_GAMES = sa.select(sa.func.count()).where(
    sa.or_(games.c.x_player_id == _PLAYER, games.c.o_player_id == _PLAYER),
    is_present(games.c.variant),
)

_UNFINISHED = _GAMES.where(games.c.status.in_(RUNNING))

_UNFINISHED_AGAINST_BOTS = _UNFINISHED.where(
    sa.or_(games.c.x_bot.is_not(None), games.c.o_bot.is_not(None))
)

_OFFERED = _GAMES.where(games.c.status == GameStatus.WAITING, games.c.listed)


def seats_ahead(connection: sa.Connection, player_id: int) -> Sequence[sa.Row[Any]]:
    """Return a player's seats in tournaments that have not started, or in parts of cups.

    Of the `seats` of each some are `taken`. `fill_level` is the level of the bots that may take the
    others, None if these stay empty.
    """
    return connection.execute(_SEATS_AHEAD, {"player_id": player_id}).all()


def count_unfinished(
    connection: sa.Connection, player_id: int, *, against_bots: bool = False
) -> int:
    """Return the number of a player's unfinished games: all, or only those `against_bots`."""
    statement = _UNFINISHED_AGAINST_BOTS if against_bots else _UNFINISHED
    return connection.execute(statement, {"player_id": player_id}).scalar_one()


def count_offered(connection: sa.Connection, player_id: int) -> int:
    """Return the number of listed games in which a player waits for anyone to take a seat."""
    return connection.execute(_OFFERED, {"player_id": player_id}).scalar_one()


def seats_taken_by(player_id: int) -> sa.Select[datetime]:
    """Return the statement of the times at which a player took open seats."""
    return sa.select(games.c.started_at).where(games.c.seat_taken_by == player_id)


_VACATION = Mapper(Vacation, vacations, begins=vacations.c.begins_at, ends=vacations.c.ends_at)
_VACATIONS = sa.select(*_VACATION.columns, vacations.c.player_id)

# Every page of a game asks for the vacations of its two players, and building a statement costs
# more than running it.
_OF_TWO = _VACATIONS.where(
    sa.or_(
        vacations.c.player_id == sa.bindparam("one"), vacations.c.player_id == sa.bindparam("other")
    ),
    vacations.c.ends_at > sa.bindparam("since"),
)


def add_vacation(connection: sa.Connection, player_id: int, vacation: Vacation) -> None:
    """Store a vacation of a player."""
    values = {"player_id": player_id, **_VACATION.values(vacation)}
    connection.execute(sa.insert(vacations), values)


def end_vacation(connection: sa.Connection, player_id: int, now: datetime) -> None:
    """End the vacation that a player is on."""
    connection.execute(
        sa.update(vacations)
        .where(
            vacations.c.player_id == player_id,
            vacations.c.begins_at <= now,
            vacations.c.ends_at > now,
        )
        .values(ends_at=now)
    )


def vacations_of(
    connection: sa.Connection, player_ids: Iterable[int], since: datetime
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
