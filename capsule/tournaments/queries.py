"""Reading and writing tournaments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.db.mapper import Mapper, Stored
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import cups, tournament_seats as seats, tournaments
from capsule.games.model import GameStatus, StoredGame, require_loaded
from capsule.games.queries import variant_stored
from capsule.languages.dates import Month
from capsule.tournaments.model import CupPart, StoredTournament, TournamentSeat, TournamentStatus
from engine.game import message

_SEAT = Mapper(
    TournamentSeat,
    seats,
    player_name=players.c.name,
    is_program=players.c.program_since.is_not(None),
    is_banned=None,
)
_SEATS = _SEAT.select.add_columns(*account_queries.BAN_COLUMNS).outerjoin(
    players, players.c.id == seats.c.player_id
)


def seats_of(
    connection: sa.Connection, tournament_id: str, banned_at: datetime | None = None
) -> Sequence[TournamentSeat]:
    """Return the seats of a tournament that are taken, in the order of their numbers.

    The names of those who are banned at a time are struck out, if one is given.
    """
    statement = _SEATS.where(seats.c.tournament_id == tournament_id).order_by(seats.c.number)
    return [_seat(row, banned_at) for row in connection.execute(statement)]


def add_seat(connection: sa.Connection, tournament_id: str, seat: TournamentSeat) -> None:
    """Store that a player or a bot has taken a seat."""
    values = {"tournament_id": tournament_id, **_SEAT.values(seat)}
    connection.execute(sa.insert(seats), values)


def leave_seat(
    connection: sa.Connection,
    tournament_id: str,
    number: int,
    *,
    left_at: datetime,
    results_count: bool,
) -> None:
    """Store that a player has left a tournament that is being played."""
    connection.execute(
        sa.update(seats)
        .where(seats.c.tournament_id == tournament_id, seats.c.number == number)
        .values(left_at=left_at, results_count=results_count)
    )


def remove_seat(connection: sa.Connection, tournament_id: str, number: int) -> None:
    """Make a seat free again."""
    connection.execute(
        sa.delete(seats).where(seats.c.tournament_id == tournament_id, seats.c.number == number)
    )


def count_seats(connection: sa.Connection, tournament_ids: Iterable[str]) -> Mapping[str, int]:
    """Return how many seats of each tournament are taken; those with none are left out."""
    statement = (
        sa.select(seats.c.tournament_id, sa.func.count().label("taken"))
        .where(seats.c.tournament_id.in_(tuple(tournament_ids)))
        .group_by(seats.c.tournament_id)
    )
    return {row.tournament_id: row.taken for row in connection.execute(statement)}


def _seat(row: sa.Row[Any], banned_at: datetime | None) -> TournamentSeat:
    seat = _SEAT.read(row)
    is_banned = account_queries.is_row_banned(row, banned_at)
    return replace(seat, player_name="", is_banned=True) if is_banned else seat


FINAL = 0
"""The number by which the final of a cup is stored."""


def _part_of_cup(month: str | None, group: int | None, group_count: int | None) -> CupPart | None:
    if month is None:
        return None
    return CupPart(Month.parse(month), group or None, is_whole=group_count == 1)


_IS_OF_CUP = tournaments.c.cup.is_not(None)
_STORED = Mapper(
    StoredTournament,
    tournaments,
    variant=variant_stored(tournaments.c.variant),
    announced_by=sa.case((_IS_OF_CUP, None), else_=tournaments.c.announced_by),
    announcer=sa.case((_IS_OF_CUP, ""), else_=players.c.name),
    days_per_move=tournaments.c.days_a_move,
    seat_count=tournaments.c.seats,
    cup=Stored(
        (tournaments.c.cup, tournaments.c.cup_group, cups.c.group_count),
        _part_of_cup,
        lambda part: (part.month.key, part.group or FINAL, None) if part else (None, None, None),
    ),
)
_TOURNAMENT = _STORED.select.join_from(
    tournaments, players, players.c.id == tournaments.c.announced_by
).outerjoin(cups, cups.c.month == tournaments.c.cup)

_LISTED = _TOURNAMENT.where(is_present(tournaments.c.variant))
"""The tournaments that lists show: all but those of absent variants."""

_JOINABLE = _LISTED.where(tournaments.c.cup.is_(None))
"""The tournaments that anybody has announced: all but the parts of cups."""

NO_TOURNAMENT = message("This capsule does not have the variant of this tournament at present")
"""The reason why the page of a tournament cannot be shown."""

_NEWEST_FIRST = (tournaments.c.created_at.desc(), tournaments.c.id.desc())

# Statements of feeds are made once: making one costs more than running it.
_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_IS_OF_VARIANT = tournaments.c.variant == sa.bindparam("variant")
_NEWEST = _JOINABLE.order_by(*_NEWEST_FIRST).limit(_LIMIT)
_NEWEST_OF_VARIANT = _NEWEST.where(_IS_OF_VARIANT)
_FINISHED = (
    _JOINABLE.where(
        tournaments.c.status == TournamentStatus.FINISHED,
        tournaments.c.ended_at >= sa.bindparam("since"),
    )
    .order_by(tournaments.c.ended_at.desc(), tournaments.c.id.desc())
    .limit(_LIMIT)
)
_FINISHED_OF_VARIANT = _FINISHED.where(_IS_OF_VARIANT)


def tournament_by_id(
    connection: sa.Connection, tournament_id: str, *, to_change: bool = False
) -> StoredTournament | None:
    """Return the tournament, or None if there is none with this id.

    Raises `NotAtPresent` if its variant is not loaded. `to_change` locks it until the
    transaction ends.
    """
    statement = _TOURNAMENT.where(tournaments.c.id == tournament_id)
    if to_change:
        # With `key_share`, its games can end meanwhile: see `capsule.games.queries`.
        statement = statement.with_for_update(of=tournaments, key_share=True)
    found = _STORED.fetch_first(connection, statement)
    if found is not None:
        require_loaded(found.variant, NO_TOURNAMENT)
    return found


def tournament_of_game(connection: sa.Connection, game: StoredGame) -> StoredTournament | None:
    """Return the tournament that a game belongs to, or None."""
    if game.tournament_id is None:
        return None
    return tournament_by_id(connection, game.tournament_id)


def tournaments_of_status(
    connection: sa.Connection,
    status: TournamentStatus,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> Sequence[StoredTournament]:
    """Return up to `limit` tournaments of a status, the newest first.

    `before` is the time of announcement and the id of a tournament: only older ones are returned.
    """
    statement = _JOINABLE.where(tournaments.c.status == status)
    if before is not None:
        announced_at, tournament_id = before
        here = sa.tuple_(
            sa.literal(announced_at, tournaments.c.created_at.type), sa.literal(tournament_id)
        )
        statement = statement.where(sa.tuple_(tournaments.c.created_at, tournaments.c.id) < here)
    return _STORED.fetch_all(connection, statement.order_by(*_NEWEST_FIRST).limit(limit))


def newest_tournaments(
    connection: sa.Connection, variant: str | None, limit: int
) -> Sequence[StoredTournament]:
    """Return the tournaments announced last, of one variant or of all and of every status."""
    statement = _NEWEST if variant is None else _NEWEST_OF_VARIANT
    return _STORED.fetch_all(connection, statement, {"variant": variant, "limit": limit})


def tournaments_finished_since(
    connection: sa.Connection, variant: str | None, since: datetime, limit: int
) -> Sequence[StoredTournament]:
    """Return up to `limit` tournaments that finished at `since` or later, the latest first."""
    statement = _FINISHED if variant is None else _FINISHED_OF_VARIANT
    values = {"variant": variant, "since": since, "limit": limit}
    return _STORED.fetch_all(connection, statement, values)


def last_tournaments_of_player(
    connection: sa.Connection, player_id: int, limit: int
) -> Sequence[StoredTournament]:
    """Return up to `limit` tournaments of every status that a player has not left, newest first."""
    statement = (
        _LISTED.join(seats, seats.c.tournament_id == tournaments.c.id)
        .where(seats.c.player_id == player_id, seats.c.left_at.is_(None))
        .order_by(*_NEWEST_FIRST)
    )
    return _STORED.fetch_all(connection, statement.limit(limit))


def tournaments_of_player(connection: sa.Connection, player_id: int) -> Sequence[StoredTournament]:
    """Return the tournaments that a player takes part in and that are not over, newest first."""
    statement = _unfinished(_LISTED, player_id).order_by(*_NEWEST_FIRST)
    return _STORED.fetch_all(connection, statement)


def lock_tournaments_of_player(
    connection: sa.Connection, player_id: int
) -> Sequence[StoredTournament]:
    """Return a player's unfinished tournaments in the order of their ids, to change them.

    Those of absent variants are among them. Nobody else can change them until the transaction ends.
    """
    statement = _unfinished(_TOURNAMENT, player_id).order_by(tournaments.c.id)
    held = statement.with_for_update(of=tournaments, key_share=True)
    return _STORED.fetch_all(connection, held)


def _unfinished(statement: sa.Select[Any], player_id: int) -> sa.Select[Any]:
    return statement.join(seats, seats.c.tournament_id == tournaments.c.id).where(
        seats.c.player_id == player_id,
        seats.c.left_at.is_(None),
        tournaments.c.status.in_((TournamentStatus.ANNOUNCED, TournamentStatus.PLAYING)),
    )


def count_announced(connection: sa.Connection, player_id: int) -> int:
    """Return how many tournaments a player has announced that have not started."""
    statement = sa.select(sa.func.count()).where(
        tournaments.c.announced_by == player_id,
        tournaments.c.status == TournamentStatus.ANNOUNCED,
        is_present(tournaments.c.variant),
    )
    return connection.execute(statement).scalar_one()


def add_tournament(connection: sa.Connection, tournament: StoredTournament) -> None:
    """Store a new tournament."""
    values = {"announced_by": tournament.announced_by, **_STORED.values(tournament)}
    connection.execute(sa.insert(tournaments), values)


def add_part_of_cup(
    connection: sa.Connection, tournament: StoredTournament, seats: Sequence[TournamentSeat]
) -> None:
    """Store a new tournament that is a part of a cup, with its seats."""
    add_tournament(connection, replace(tournament, announced_by=seats[0].player_id))
    for seat in seats:
        add_seat(connection, tournament.id, seat)


def parts_of_cup(connection: sa.Connection, month: Month, limit: int) -> Sequence[StoredTournament]:
    """Return the parts of a cup, the final first, then the groups by their numbers."""
    statement = _TOURNAMENT.where(tournaments.c.cup == month.key)
    return _STORED.fetch_all(connection, statement.order_by(tournaments.c.cup_group).limit(limit))


def count_change(connection: sa.Connection, tournament_id: str) -> None:
    """Count a change of a tournament's seats, so that no page made before can act."""
    _change(connection, tournament_id, {})


def start_tournament(connection: sa.Connection, tournament_id: str, started_at: datetime) -> None:
    """Store that a tournament has started."""
    values = {"status": TournamentStatus.PLAYING, "started_at": started_at}
    _change(connection, tournament_id, values)


def end_tournament(
    connection: sa.Connection, tournament_id: str, status: TournamentStatus, ended_at: datetime
) -> None:
    """Store that a tournament has finished or was cancelled, whichever `status` says."""
    _change(connection, tournament_id, {"status": status, "ended_at": ended_at})


def call_off_tournament(
    connection: sa.Connection, tournament_id: str, reason: str, ended_at: datetime
) -> None:
    """Store that the operator has called a tournament off, and why."""
    status = TournamentStatus.CANCELLED
    values = {"status": status, "ended_at": ended_at, "called_off_for": reason}
    _change(connection, tournament_id, values)


def rename_tournament(connection: sa.Connection, tournament_id: str, title: str) -> None:
    """Give a tournament another title."""
    _change(connection, tournament_id, {"title": title})


def _change(connection: sa.Connection, tournament_id: str, values: Mapping[str, object]) -> None:
    connection.execute(
        sa.update(tournaments)
        .where(tournaments.c.id == tournament_id)
        .values(changes=tournaments.c.changes + 1, **values)
    )


def due_tournaments(
    connection: sa.Connection, now: datetime, lapsed: datetime, limit: int
) -> Sequence[str]:
    """Return the ids of tournaments that have to start or end, up to `limit` of either.

    Those are the announced ones whose day has come or that were announced before `lapsed`, and
    those being played that have no running game.
    """
    has_running_game = sa.exists().where(
        games.c.tournament_id == tournaments.c.id, games.c.status == sa.literal(GameStatus.PLAYING)
    )
    announced = sa.select(tournaments.c.id).where(
        tournaments.c.status == TournamentStatus.ANNOUNCED,
        is_present(tournaments.c.variant),
        sa.or_(tournaments.c.starts_at <= now, tournaments.c.created_at <= lapsed),
    )
    played = sa.select(tournaments.c.id).where(
        tournaments.c.status == TournamentStatus.PLAYING,
        is_present(tournaments.c.variant),
        ~has_running_game,
    )
    found = [*connection.execute(announced.limit(limit)).scalars()]
    return [*found, *connection.execute(played.limit(limit)).scalars()]


def erase_titles(connection: sa.Connection, player_id: int) -> None:
    """Erase the titles that a player gave to tournaments."""
    connection.execute(
        sa.update(tournaments).where(tournaments.c.announced_by == player_id).values(title="")
    )
