"""Reading tournaments, as stored and as they are now, and writing them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.context import Transaction
from capsule.db.mapper import Mapper, Stored
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import cups, tournament_seats as seats, tournaments
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.model import GameStatus, StoredGame, require_loaded
from capsule.languages.dates import Month
from capsule.tournaments import model
from engine import message

_IS_OF_CUP = tournaments.c.cup.is_not(None)
_IS_STRUCK_OUT = sa.and_(_IS_OF_CUP, account_queries.is_banned())
_SEAT = Mapper(
    model.TournamentSeat,
    seats,
    player_name=sa.case((_IS_STRUCK_OUT, ""), else_=players.c.name),
    is_program=players.c.program_since.is_not(None),
    is_banned=_IS_STRUCK_OUT,
)
_SEATS_OF = (
    _SEAT.select.join(tournaments, tournaments.c.id == seats.c.tournament_id)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .where(seats.c.tournament_id == sa.bindparam("tournament_id"))
    .order_by(seats.c.number)
)


def add_seat(connection: sa.Connection, tournament_id: str, seat: model.TournamentSeat) -> None:
    """Store that a player or a bot has taken a seat."""
    values = {"tournament_id": tournament_id, **_SEAT.values(seat)}
    connection.execute(sa.insert(seats), values)


def change_seat(
    connection: sa.Connection, tournament_id: str, number: int, **values: object
) -> None:
    """Change columns of a seat."""
    connection.execute(
        sa.update(seats)
        .where(seats.c.tournament_id == tournament_id, seats.c.number == number)
        .values(values)
    )


def remove_seat(connection: sa.Connection, tournament_id: str, number: int) -> None:
    """Make a seat free again."""
    connection.execute(
        sa.delete(seats).where(seats.c.tournament_id == tournament_id, seats.c.number == number)
    )


def count_seats(connection: sa.Connection, tournament_ids: Iterable[str]) -> Mapping[str, int]:
    """Return how many seats of each tournament are taken."""
    statement = (
        sa.select(seats.c.tournament_id, sa.func.count().label("taken"))
        .where(seats.c.tournament_id.in_(tuple(tournament_ids)))
        .group_by(seats.c.tournament_id)
    )
    return Counter({row.tournament_id: row.taken for row in connection.execute(statement)})


FINAL = 0
"""The number by which the final of a cup is stored."""


def _part_of_cup(
    month: str | None, group: int | None, group_count: int | None
) -> model.CupPart | None:
    if month is None:
        return None
    return model.CupPart(Month.parse(month), group or None, is_whole=group_count == 1)


_STORED = Mapper(
    model.StoredTournament,
    tournaments,
    variant=game_queries.variant_stored(tournaments.c.variant),
    announced_by=sa.case((_IS_OF_CUP, None), else_=tournaments.c.announced_by),
    announcer=sa.case((_IS_OF_CUP, ""), else_=players.c.name),
    days_per_move=tournaments.c.days_a_move,
    seat_count=tournaments.c.seats,
    cup=Stored(
        (tournaments.c.cup, tournaments.c.cup_group, cups.c.group_count),
        _part_of_cup,
        lambda part: (part.month.key, part.group or FINAL, None),
    ),
)
_TOURNAMENT = _STORED.select.join_from(
    tournaments, players, players.c.id == tournaments.c.announced_by
).outerjoin(cups, cups.c.month == tournaments.c.cup)

_LISTED = _TOURNAMENT.where(is_present(tournaments.c.variant))
"""The tournaments that lists show: all but those of absent variants."""

_JOINABLE = _LISTED.where(tournaments.c.cup.is_(None))
"""The tournaments that players have announced: all but the parts of cups."""

NO_TOURNAMENT = message("This capsule does not have the variant of this tournament at present")
"""The reason why the page of a tournament cannot be shown."""

_UNFINISHED = tournaments.c.status.in_(
    (model.TournamentStatus.ANNOUNCED, model.TournamentStatus.PLAYING)
)
_NEWEST_FIRST = (tournaments.c.created_at.desc(), tournaments.c.id.desc())

# Statements of feeds are made once: making one costs more than running it.
_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_IS_OF_VARIANT = tournaments.c.variant == sa.bindparam("variant")
_NEWEST = _JOINABLE.order_by(*_NEWEST_FIRST).limit(_LIMIT)
_NEWEST_OF_VARIANT = _NEWEST.where(_IS_OF_VARIANT)
_FINISHED = (
    _JOINABLE.where(
        tournaments.c.status == model.TournamentStatus.FINISHED,
        tournaments.c.ended_at >= sa.bindparam("since"),
    )
    .order_by(tournaments.c.ended_at.desc(), tournaments.c.id.desc())
    .limit(_LIMIT)
)
_FINISHED_OF_VARIANT = _FINISHED.where(_IS_OF_VARIANT)


def tournament_by_id(
    connection: sa.Connection, tournament_id: str, *, to_change: bool = False
) -> model.StoredTournament | None:
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


def tournament_of_game(
    connection: sa.Connection, game: StoredGame
) -> model.StoredTournament | None:
    """Return the tournament that a game belongs to, or None."""
    if game.tournament_id is None:
        return None
    return tournament_by_id(connection, game.tournament_id)


def tournaments_of_status(
    connection: sa.Connection,
    status: model.TournamentStatus,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> Sequence[model.StoredTournament]:
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
) -> Sequence[model.StoredTournament]:
    """Return the tournaments announced last, of one variant or of all and of every status."""
    statement = _NEWEST if variant is None else _NEWEST_OF_VARIANT
    return _STORED.fetch_all(connection, statement, {"variant": variant, "limit": limit})


def tournaments_finished_since(
    connection: sa.Connection, variant: str | None, since: datetime, limit: int
) -> Sequence[model.StoredTournament]:
    """Return up to `limit` tournaments that finished at `since` or later, the latest first."""
    statement = _FINISHED if variant is None else _FINISHED_OF_VARIANT
    values = {"variant": variant, "since": since, "limit": limit}
    return _STORED.fetch_all(connection, statement, values)


def tournaments_of_player(
    connection: sa.Connection, player_id: int, limit: int | None = None, *, with_over: bool = False
) -> Sequence[model.StoredTournament]:
    """Return the tournaments that a player has not left, newest first: those that are not over.

    `with_over` adds the others.
    """
    statement = _of_player(_LISTED, player_id).order_by(*_NEWEST_FIRST).limit(limit)
    return _STORED.fetch_all(connection, statement if with_over else statement.where(_UNFINISHED))


def lock_tournaments_of_player(
    connection: sa.Connection, player_id: int
) -> Sequence[model.StoredTournament]:
    """Return a player's unfinished tournaments in the order of their ids, to change them.

    Those of absent variants are among them. Nobody else can change them until the transaction ends.
    """
    statement = _of_player(_TOURNAMENT, player_id).where(_UNFINISHED).order_by(tournaments.c.id)
    held = statement.with_for_update(of=tournaments, key_share=True)
    return _STORED.fetch_all(connection, held)


def _of_player(statement: sa.Select[Any], player_id: int) -> sa.Select[Any]:
    return statement.join(seats, seats.c.tournament_id == tournaments.c.id).where(
        seats.c.player_id == player_id, seats.c.left_at.is_(None)
    )


def count_announced(connection: sa.Connection, player_id: int) -> int:
    """Return how many tournaments a player has announced that have not started."""
    statement = sa.select(sa.func.count()).where(
        tournaments.c.announced_by == player_id,
        tournaments.c.status == model.TournamentStatus.ANNOUNCED,
        is_present(tournaments.c.variant),
    )
    return connection.execute(statement).scalar_one()


def add_tournament(
    connection: sa.Connection,
    tournament: model.StoredTournament,
    seats: Sequence[model.TournamentSeat],
) -> None:
    """Store a new tournament, with its seats, as announced by the player of the first of them."""
    values = {"announced_by": seats[0].player_id, **_STORED.values(tournament)}
    connection.execute(sa.insert(tournaments), values)
    for seat in seats:
        add_seat(connection, tournament.id, seat)


def parts_of_cup(
    connection: sa.Connection, month: Month, limit: int | None = None
) -> Sequence[model.StoredTournament]:
    """Return the parts of a cup, the final first, then the groups by their numbers."""
    statement = _TOURNAMENT.where(tournaments.c.cup == month.key)
    return _STORED.fetch_all(connection, statement.order_by(tournaments.c.cup_group).limit(limit))


def change_tournament(connection: sa.Connection, tournament_id: str, **values: object) -> None:
    """Change columns of a tournament, and count a change: no page made before can act any more."""
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
        tournaments.c.status == model.TournamentStatus.ANNOUNCED,
        is_present(tournaments.c.variant),
        sa.or_(tournaments.c.starts_at <= now, tournaments.c.created_at <= lapsed),
    )
    played = sa.select(tournaments.c.id).where(
        tournaments.c.status == model.TournamentStatus.PLAYING,
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


def find_tournament(transaction: Transaction, tournament_id: str) -> model.Tournament:
    """Return a tournament as it is now, found as by `stored_tournament`."""
    return load_tournament(transaction, stored_tournament(transaction, tournament_id))


def stored_tournament(transaction: Transaction, tournament_id: str) -> model.StoredTournament:
    """Return a tournament as stored, which a writing transaction locks; raises `NotFound`."""
    connection, to_change = transaction.connection, transaction.is_writing
    found = tournament_by_id(connection, tournament_id, to_change=to_change)
    if found is None:
        raise NotFound
    return found


def load_tournament(
    transaction: Transaction, tournament: model.StoredTournament
) -> model.Tournament:
    """Return a stored tournament as it is now, with its seats and its games."""
    connection = transaction.connection
    now = transaction.deadline_time
    values = {"tournament_id": tournament.id, "now": now}
    taken = _SEAT.fetch_all(connection, _SEATS_OF, values)
    numbers = model.seat_numbers(taken)
    stored_games = (
        game_queries.games_of_tournament(connection, tournament.id)
        if tournament.has_started
        else ()
    )
    struck_out = frozenset(seat.player_id for seat in taken if seat.is_banned)
    games = sorted(
        (_without_names(game, struck_out) for game in apply_deadlines(transaction, stored_games)),
        key=lambda game: (
            numbers[game.x.player_id, game.x.bot],
            numbers[game.o.player_id, game.o.bot],
        ),
    )
    stored = model.with_deadlines_applied(tournament, len(taken), games, now)
    return model.Tournament(stored, taken, games, now)


def _without_names(game: StoredGame, struck_out: AbstractSet[int | None]) -> StoredGame:
    for side, seat in game.seats.items():
        if seat.player_id in struck_out:
            game = game.with_seat(side, replace(seat, is_struck_out=True))
    return game
