"""Reading and writing the events that earn points in a month, and the standings."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from capsule.db.expressions import exists, insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.puzzles import daily_solutions
from capsule.db.schema.ratings import counters, season_bans, season_events, season_standings
from capsule.games.model import StoredGame
from capsule.games.queries import GAME, STORED_GAME
from capsule.languages.dates import Month
from capsule.seasons.model import DAILY_POINTS, EventKind, SeasonEvent, Standing

STANDING = Mapper(Standing, season_standings)
_EVENT = Mapper(SeasonEvent, season_events)

COUNTER = "seasons"
"""The name of the counter whose row is the lock of all seasons; its value means nothing."""


def lock_seasons(connection: sa.Connection) -> None:
    """Keep other transactions from changing seasons, and from holding this, until this one ends.

    It is held last; see `Database.writing`.
    """
    counter = sa.select(counters.c.value).where(counters.c.name == COUNTER)
    connection.execute(counter.with_for_update()).scalar_one()


def has_due(connection: sa.Connection) -> bool:
    """Return whether the points of a game or of a position of the day are due."""
    return any(exists(connection, each.c.season_due) for each in (games, daily_solutions))


def hold_due_games(connection: sa.Connection, limit: int) -> Sequence[StoredGame]:
    """Return games whose points are due, the first to end first, held to be changed."""
    due = GAME.where(games.c.season_due).order_by(games.c.ended_at, games.c.id).limit(limit)
    return STORED_GAME.fetch_all(connection, due.with_for_update(of=games, key_share=True))


def clear_due_games(connection: sa.Connection, game_ids: Collection[str]) -> None:
    """Store that the points of games are no longer due."""
    connection.execute(sa.update(games).where(games.c.id.in_(game_ids)).values(season_due=False))


def hold_due_days(connection: sa.Connection, limit: int) -> Sequence[SeasonEvent]:
    """Return positions of the day whose points are due, held to be changed."""
    due = (
        sa.select(daily_solutions)
        .where(daily_solutions.c.season_due)
        .order_by(daily_solutions.c.player_id, daily_solutions.c.day)
        .limit(limit)
        .with_for_update()
    )
    return [
        SeasonEvent(
            row.player_id, EventKind.DAILY, row.day.isoformat(), row.solved_at, DAILY_POINTS
        )
        for row in connection.execute(due)
    ]


def clear_due_days(connection: sa.Connection, found: Iterable[SeasonEvent]) -> None:
    """Store that the points of positions of the day are no longer due."""
    keys = [(each.player_id, each.day) for each in found]
    key = sa.tuple_(daily_solutions.c.player_id, daily_solutions.c.day)
    connection.execute(sa.update(daily_solutions).where(key.in_(keys)).values(season_due=False))


def add_events(connection: sa.Connection, events: Sequence[SeasonEvent]) -> None:
    """Store events, apart from those that are stored already."""
    if events:
        rows = [{"month": each.month.first_day, **_EVENT.values(each)} for each in events]
        connection.execute(insertion(connection, season_events).on_conflict_do_nothing(), rows)


def counting_events(
    connection: sa.Connection, month: Month, player_ids: Collection[int]
) -> Mapping[int, Sequence[SeasonEvent]]:
    """Return the events of people in a month that count, by player.

    Those of players who are banned in it do not, nor those of programs, nor what others earned
    against either.
    """
    banned = sa.select(season_bans.c.player_id).where(season_bans.c.month == month.first_day)
    statement = _EVENT.select.where(
        season_events.c.month == month.first_day,
        season_events.c.player_id.in_(player_ids),
        season_events.c.player_id.not_in(banned),
        season_events.c.opponent_id.is_(None) | season_events.c.opponent_id.not_in(banned),
        *(
            ~sa.exists().where(players.c.id == each, players.c.program_since.is_not(None))
            for each in (season_events.c.player_id, season_events.c.opponent_id)
        ),
    )
    found: defaultdict[int, list[SeasonEvent]] = defaultdict(list)
    for event in _EVENT.fetch_all(connection, statement):
        found[event.player_id].append(event)
    return found


def standings_of(
    connection: sa.Connection, month: Month, player_ids: Collection[int]
) -> Mapping[int, Standing]:
    """Return the standings in a month of the players with points."""
    statement = STANDING.select.add_columns(season_standings.c.player_id).where(
        season_standings.c.month == month.first_day, season_standings.c.player_id.in_(player_ids)
    )
    return {row.player_id: STANDING.read(row) for row in connection.execute(statement)}


def save_standing(
    connection: sa.Connection, month: Month, player_id: int, standing: Standing | None
) -> None:
    """Store a player's standing in a month; None takes the player off the table."""
    if standing is None:
        connection.execute(
            sa.delete(season_standings).where(
                season_standings.c.month == month.first_day,
                season_standings.c.player_id == player_id,
            )
        )
        return
    values = {"sort_key": standing.sort_key, **STANDING.values(standing)}
    save(connection, season_standings, {"month": month.first_day, "player_id": player_id, **values})


def add_ban(connection: sa.Connection, month: Month, player_id: int) -> None:
    """Take a player off the table of a month, as far as it is computed from now on."""
    connection.execute(
        insertion(connection, season_bans)
        .values(month=month.first_day, player_id=player_id)
        .on_conflict_do_nothing()
    )


def remove_ban(connection: sa.Connection, month: Month, player_id: int) -> None:
    """Let a player be on the table of a month again."""
    connection.execute(
        sa.delete(season_bans).where(
            season_bans.c.month == month.first_day, season_bans.c.player_id == player_id
        )
    )


def opponents_in(connection: sa.Connection, month: Month, player_id: int) -> Collection[int]:
    """Return the people with an event of a month against a player."""
    statement = (
        sa.select(season_events.c.player_id)
        .distinct()
        .where(season_events.c.opponent_id == player_id, season_events.c.month == month.first_day)
    )
    return connection.execute(statement).scalars().all()


def forget_banned_games(connection: sa.Connection, player_id: int) -> None:
    """Delete what others would have earned against a player in months of a ban."""
    months = sa.select(season_bans.c.month).where(season_bans.c.player_id == player_id)
    connection.execute(
        sa.delete(season_events).where(
            season_events.c.opponent_id == player_id, season_events.c.month.in_(months)
        )
    )


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place on a table: that of the standing with this sort key and player.

    `upwards` selects the standings above it instead of those below.
    """

    sort_key: int
    player_id: int
    upwards: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A standing with its rank and its player's name, which is "" for a former player."""

    player_id: int
    name: str
    standing: Standing
    rank: int = 0


# Statements of every page are made once: making one costs more than running it.
_KEYS = (season_standings.c.sort_key, season_standings.c.player_id)
_DOWNWARDS = tuple(key.desc() for key in _KEYS)
_PLACE = sa.tuple_(
    sa.bindparam("sort_key", type_=sa.BigInteger), sa.bindparam("player_id", type_=sa.Integer)
)
_OF_MONTH = season_standings.c.month == sa.bindparam("month", type_=sa.Date)
_ROW = Mapper(TableRow, season_standings, name=players.c.name, standing=STANDING, rank=None)
_ROWS = (
    _ROW.select.join_from(season_standings, players, players.c.id == season_standings.c.player_id)
    .where(_OF_MONTH)
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
_TOP = _ROWS.order_by(*_DOWNWARDS)
_BEYOND = {
    True: _ROWS.where(sa.tuple_(*_KEYS) > _PLACE).order_by(*_KEYS),
    False: _ROWS.where(sa.tuple_(*_KEYS) < _PLACE).order_by(*_DOWNWARDS),
}
_ABOVE = sa.select(sa.func.count()).where(_OF_MONTH, sa.tuple_(*_KEYS) > _PLACE)
_OWN = _ROWS.where(season_standings.c.player_id == sa.bindparam("player_id"))
_FIRST_MONTH = sa.select(sa.func.min(season_standings.c.month))


def rows_in(
    connection: sa.Connection, month: Month, limit: int, place: TablePlace | None = None
) -> Sequence[TableRow]:
    """Return up to `limit` rows of a table from the top, or beyond a place, the nearest first."""
    values: dict[str, object] = {"month": month.first_day, "limit": limit}
    statement = _TOP
    if place is not None:
        statement = _BEYOND[place.upwards]
        values |= {"sort_key": place.sort_key, "player_id": place.player_id}
    return _ROW.fetch_all(connection, statement, values)


def row_of(connection: sa.Connection, month: Month, player_id: int) -> TableRow | None:
    """Return a player's row of a table, None without points."""
    values = {"month": month.first_day, "player_id": player_id, "limit": 1}
    return _ROW.fetch_first(connection, _OWN, values)


def count_above(connection: sa.Connection, month: Month, row: TableRow) -> int:
    """Return how many players stand above a row."""
    values = {
        "month": month.first_day, "sort_key": row.standing.sort_key, "player_id": row.player_id
    }  # fmt: skip
    return connection.execute(_ABOVE, values).scalar_one()


def first_month(connection: sa.Connection) -> Month | None:
    """Return the first month with a table, None without any table."""
    day: date | None = connection.execute(_FIRST_MONTH).scalar_one()
    return None if day is None else Month(day.year, day.month)
