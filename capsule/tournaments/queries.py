"""Reading and writing tournaments, who takes part in them, and their games."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, insert, literal, or_, select, tuple_, update

from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import tournament_seats as seats
from capsule.db.schema.tournaments import tournaments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select

    from capsule.games.model import StoredGame


ANNOUNCED, PLAYING = "announced", "playing"
FINISHED, CANCELLED = "finished", "cancelled"


@dataclass(frozen=True)
class StoredTournament:
    """A tournament as stored; `title` is "" where its announcer, who named it, has been erased.

    `status` is one of announced, playing, finished, cancelled.
    """

    id: str
    variant: str
    title: str
    announced_by: int
    days_a_move: int
    rated: bool
    seats: int
    fill_level: str | None
    starts_at: datetime | None
    status: str
    changes: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    announcer: str


@dataclass(frozen=True)
class StoredSeat:
    """A seat that a player or a bot has; `player_name` is None for a bot, "" for who was erased."""

    number: int
    player_id: int | None
    bot: str | None
    taken_at: datetime
    left_at: datetime | None
    results_count: bool
    player_name: str | None

    @property
    def name(self) -> str:
        """Who has the seat, as games say it."""
        return f"{self.bot} bot" if self.bot else self.player_name or "a former player"


_TOURNAMENT = select(
    *(tournaments.c[field.name] for field in fields(StoredTournament)[:-1]), players.c.name
).join(players, players.c.id == tournaments.c.announced_by)

_SEAT = select(
    *(seats.c[field.name] for field in fields(StoredSeat)[:-1]), players.c.name
).outerjoin(players, players.c.id == seats.c.player_id)

_NEWEST_FIRST = (tournaments.c.created_at.desc(), tournaments.c.id.desc())


def tournament_by_id(
    connection: Connection, tournament_id: str, *, to_change: bool = False
) -> StoredTournament | None:
    """Return the tournament, or None; `to_change`, nobody else changes it meanwhile."""
    statement = _TOURNAMENT.where(tournaments.c.id == tournament_id)
    if to_change:
        # With `key_share`, games of it can end meanwhile: see `capsule.games.queries`.
        statement = statement.with_for_update(of=tournaments, key_share=True)
    found = _found(connection, statement)
    return found[0] if found else None


def tournament_of_game(connection: Connection, game: StoredGame) -> StoredTournament | None:
    """Return the tournament that a game belongs to, None where it belongs to none."""
    if game.tournament_id is None:
        return None
    return tournament_by_id(connection, game.tournament_id)


def tournaments_of_status(
    connection: Connection,
    status: str,
    most: int,
    before: tuple[datetime, str] | None = None,
) -> Sequence[StoredTournament]:
    """Return the tournaments of a status, the newest first, at most so many.

    `before` are the time and id of the one after which the list goes on.
    """
    statement = _TOURNAMENT.where(tournaments.c.status == status)
    if before is not None:
        here = tuple_(literal(before[0], tournaments.c.created_at.type), literal(before[1]))
        statement = statement.where(tuple_(tournaments.c.created_at, tournaments.c.id) < here)
    return _found(connection, statement.order_by(*_NEWEST_FIRST).limit(most))


def newest_tournaments(
    connection: Connection, variant: str | None, most: int
) -> Sequence[StoredTournament]:
    """Return the tournaments announced last, of one variant or all, whatever became of them."""
    statement = _TOURNAMENT.order_by(*_NEWEST_FIRST).limit(most)
    if variant is not None:
        statement = statement.where(tournaments.c.variant == variant)
    return _found(connection, statement)


def tournaments_of_player(
    connection: Connection, player_id: int, statuses: Iterable[str]
) -> Sequence[StoredTournament]:
    """Return the tournaments of these statuses in which a player takes part, the newest first."""
    statement = (
        _TOURNAMENT.join(seats, seats.c.tournament_id == tournaments.c.id)
        .where(
            seats.c.player_id == player_id,
            seats.c.left_at.is_(None),
            tournaments.c.status.in_(tuple(statuses)),
        )
        .order_by(*_NEWEST_FIRST)
    )
    return _found(connection, statement)


def count_announced(connection: Connection, player_id: int) -> int:
    """Return how many tournaments a player has announced that have not started."""
    statement = select(func.count()).where(
        tournaments.c.announced_by == player_id, tournaments.c.status == ANNOUNCED
    )
    return connection.execute(statement).scalar_one()


def add_tournament(connection: Connection, **values: object) -> None:
    """Store a new tournament; its values are columns of the schema."""
    connection.execute(insert(tournaments).values(**values))


def change_tournament(connection: Connection, tournament_id: str, **values: object) -> None:
    """Change columns of a tournament, and count the change."""
    connection.execute(
        update(tournaments)
        .where(tournaments.c.id == tournament_id)
        .values(changes=tournaments.c.changes + 1, **values)
    )


def seats_of(connection: Connection, tournament_id: str) -> Sequence[StoredSeat]:
    """Return who takes part in a tournament, in the order of their seats."""
    statement = _SEAT.where(seats.c.tournament_id == tournament_id).order_by(seats.c.number)
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [StoredSeat(*row) for row in rows]


def add_seat(connection: Connection, tournament_id: str, number: int, **values: object) -> None:
    """Give a seat to a player or a bot."""
    connection.execute(insert(seats).values(tournament_id=tournament_id, number=number, **values))


def change_seat(connection: Connection, tournament_id: str, number: int, **values: object) -> None:
    """Change columns of a seat."""
    connection.execute(
        update(seats)
        .where(seats.c.tournament_id == tournament_id, seats.c.number == number)
        .values(**values)
    )


def drop_seat(connection: Connection, tournament_id: str, number: int) -> None:
    """Make a seat free again."""
    connection.execute(
        delete(seats).where(seats.c.tournament_id == tournament_id, seats.c.number == number)
    )


def count_seats(connection: Connection, tournament_ids: Iterable[str]) -> Mapping[str, int]:
    """Return how many seats are taken in tournaments where any is, by their ids."""
    statement = (
        select(seats.c.tournament_id, func.count())
        .where(seats.c.tournament_id.in_(tuple(tournament_ids)))
        .group_by(seats.c.tournament_id)
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def due(connection: Connection, now: datetime, lapsed: datetime, most: int) -> Sequence[str]:
    """Return the ids of tournaments that have to start or end, at most so many.

    Those are the announced ones whose day has come or that were announced before `lapsed`, and
    those that are played in which no game goes on.
    """
    goes_on = exists().where(
        games.c.tournament_id == tournaments.c.id, games.c.status == literal("playing")
    )
    announced = select(tournaments.c.id).where(
        tournaments.c.status == ANNOUNCED,
        or_(tournaments.c.starts_at <= now, tournaments.c.created_at <= lapsed),
    )
    played = select(tournaments.c.id).where(tournaments.c.status == PLAYING, ~goes_on)
    found = [*connection.execute(announced.limit(most)).scalars()]
    return [*found, *connection.execute(played.limit(most)).scalars()]


def seats_ahead(connection: Connection, player_id: int) -> Sequence[tuple[int, int, str | None]]:
    """Return of each tournament that a player waits for its seats, how many are taken, its bots."""
    every = seats.alias()
    taken = select(func.count()).where(every.c.tournament_id == tournaments.c.id).scalar_subquery()
    statement = (
        select(tournaments.c.seats, taken, tournaments.c.fill_level)
        .join(seats, seats.c.tournament_id == tournaments.c.id)
        .where(seats.c.player_id == player_id, tournaments.c.status == ANNOUNCED)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(statement)]


def details_of(connection: Connection, player_id: int) -> Mapping[str, Any]:
    """Return what is kept of a player about tournaments, fit for JSON."""
    announced = (
        select(tournaments)
        .where(tournaments.c.announced_by == player_id)
        .order_by(tournaments.c.created_at)
    )
    taken = select(seats).where(seats.c.player_id == player_id).order_by(seats.c.taken_at)
    return {
        "tournaments_announced": [
            {
                "id": row.id,
                "title": row.title,
                "variant": row.variant,
                "announced": row.created_at.isoformat(),
                "status": row.status,
            }
            for row in connection.execute(announced)
        ],
        "tournament_seats": [
            {
                "tournament": row.tournament_id,
                "seat": row.number,
                "taken": row.taken_at.isoformat(),
                "left": row.left_at and row.left_at.isoformat(),
                "results_count": row.results_count,
            }
            for row in connection.execute(taken)
        ],
    }


def erase_titles(connection: Connection, player_id: int) -> None:
    """Forget how a player has called tournaments: such a name may be the player's own."""
    connection.execute(
        update(tournaments).where(tournaments.c.announced_by == player_id).values(title="")
    )


def _found(connection: Connection, statement: Select[Any]) -> Sequence[StoredTournament]:
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [StoredTournament(*row) for row in rows]
