"""Reading and writing what earns points in a month, and the standings that follow from it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, or_, select, tuple_, update

from capsule.db.mapper import Mapper
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.puzzles import daily_solutions
from capsule.db.schema.ratings import counters
from capsule.db.schema.seasons import season_bans, season_events, season_standings
from capsule.db.upserting import insertion, save
from capsule.games.row_queries import GAME, STORED_GAME
from capsule.seasons.model import DAILY_POINTS, EventKind, SeasonEvent, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame

STANDING = Mapper(Standing, season_standings)
_EVENT = Mapper(SeasonEvent, season_events)

COUNTER = "seasons"
"""The name of the counter whose row is the lock of all seasons; its value means nothing."""


def lock_seasons(connection: Connection) -> None:
    """Keep other transactions from changing seasons, and from holding this, until this one ends.

    It is held last; see `Database.writing`.
    """
    counter = select(counters.c.value).where(counters.c.name == COUNTER)
    connection.execute(counter.with_for_update()).scalar_one()


def has_due(connection: Connection) -> bool:
    """Return whether the points of a game or of a position of the day are due."""
    is_due = [
        select(due).where(due).exists()
        for due in (games.c.season_due, daily_solutions.c.season_due)
    ]
    return connection.execute(select(or_(*is_due))).scalar_one()


def hold_due_games(connection: Connection, limit: int) -> Sequence[StoredGame]:
    """Return games whose points are due, the first to end first, held to be changed."""
    due = GAME.where(games.c.season_due).order_by(games.c.ended_at, games.c.id).limit(limit)
    return STORED_GAME.fetch_all(connection, due.with_for_update(of=games, key_share=True))


def clear_due_games(connection: Connection, game_ids: Collection[str]) -> None:
    """Note that the points of games are no longer due."""
    connection.execute(update(games).where(games.c.id.in_(game_ids)).values(season_due=False))


def hold_due_days(connection: Connection, limit: int) -> Sequence[SeasonEvent]:
    """Return positions of the day whose points are due, held to be changed."""
    due = (
        select(daily_solutions)
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


def clear_due_days(connection: Connection, found: Iterable[SeasonEvent]) -> None:
    """Note that the points of positions of the day are no longer due."""
    keys = [(each.player_id, each.day) for each in found]
    key = tuple_(daily_solutions.c.player_id, daily_solutions.c.day)
    connection.execute(update(daily_solutions).where(key.in_(keys)).values(season_due=False))


def add_events(connection: Connection, events: Sequence[SeasonEvent]) -> None:
    """Store events, apart from those that are stored already."""
    if events:
        rows = [{"month": each.month, **_EVENT.values(each)} for each in events]
        connection.execute(insertion(connection, season_events).on_conflict_do_nothing(), rows)


def counting_events(
    connection: Connection, month: date, player_ids: Collection[int]
) -> Mapping[int, Sequence[SeasonEvent]]:
    """Return the events of people in a month that count, by player.

    Those of players who are banned in it do not, nor those of programs, nor what others earned
    against either.
    """
    banned = select(season_bans.c.player_id).where(season_bans.c.month == month)
    statement = _EVENT.select.where(
        season_events.c.month == month,
        season_events.c.player_id.in_(player_ids),
        season_events.c.player_id.not_in(banned),
        season_events.c.opponent_id.is_(None) | season_events.c.opponent_id.not_in(banned),
        *(
            ~exists().where(players.c.id == each, players.c.program_since.is_not(None))
            for each in (season_events.c.player_id, season_events.c.opponent_id)
        ),
    )
    found: defaultdict[int, list[SeasonEvent]] = defaultdict(list)
    for event in _EVENT.fetch_all(connection, statement):
        found[event.player_id].append(event)
    return found


def standings_of(
    connection: Connection, month: date, player_ids: Collection[int]
) -> Mapping[int, Standing]:
    """Return the standings of players in a month, of those who have points."""
    statement = STANDING.select.add_columns(season_standings.c.player_id).where(
        season_standings.c.month == month, season_standings.c.player_id.in_(player_ids)
    )
    return {row.player_id: STANDING.read(row) for row in connection.execute(statement)}


def save_standing(
    connection: Connection, month: date, player_id: int, standing: Standing | None
) -> None:
    """Store a player's standing in a month; None takes the player off the table."""
    if standing is None:
        connection.execute(
            delete(season_standings).where(
                season_standings.c.month == month, season_standings.c.player_id == player_id
            )
        )
        return
    values = {"sort_key": standing.sort_key, **STANDING.values(standing)}
    save(connection, season_standings, {"month": month, "player_id": player_id, **values})


def add_ban(connection: Connection, month: date, player_id: int) -> None:
    """Take a player off the table of a month, as far as it is computed from now on."""
    connection.execute(
        insertion(connection, season_bans)
        .values(month=month, player_id=player_id)
        .on_conflict_do_nothing()
    )


def remove_ban(connection: Connection, month: date, player_id: int) -> None:
    """Let a player be on the table of a month again."""
    connection.execute(
        delete(season_bans).where(
            season_bans.c.month == month, season_bans.c.player_id == player_id
        )
    )


def opponents_in(connection: Connection, month: date, player_id: int) -> Collection[int]:
    """Return the people with an event of a month against a player."""
    statement = (
        select(season_events.c.player_id)
        .distinct()
        .where(season_events.c.opponent_id == player_id, season_events.c.month == month)
    )
    return connection.execute(statement).scalars().all()


def forget_banned_games(connection: Connection, player_id: int) -> None:
    """Delete what others would have earned against a player in months of a ban, and these bans."""
    months = select(season_bans.c.month).where(season_bans.c.player_id == player_id)
    connection.execute(
        delete(season_events).where(
            season_events.c.opponent_id == player_id, season_events.c.month.in_(months)
        )
    )
    connection.execute(delete(season_bans).where(season_bans.c.player_id == player_id))
