"""Lists of games, each in the order of an index: a player's, the public ones, those overdue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, literal, select, tuple_, union, union_all

from capsule.db.schema.games import games
from capsule.games.queries import GAME, read_games
from capsule.games.status import GameStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from capsule.games.model import StoredGame


@dataclass(frozen=True)
class Place:
    """A place in a list of games by time: at the game last moved in then, which has this id.

    `newer` looks from there to those moved in later, else to those moved in before.
    """

    moved_at: datetime
    game_id: str
    newer: bool


def games_of_player(
    connection: Connection, player_id: int, statuses: Iterable[GameStatus], limit: int
) -> Sequence[StoredGame]:
    """Return a player's games with one of these statuses, the last moved in first."""
    seats = (games.c.x_player_id == player_id, games.c.o_player_id == player_id)
    return _newest(
        connection,
        [(seat, games.c.status == status) for seat in seats for status in statuses],
        limit,
    )


def challenges_to(connection: Connection, player_id: int, limit: int) -> Sequence[StoredGame]:
    """Return the games in which a seat is kept for the player, the last moved in first."""
    is_challenged = games.c.challenged_player_id == player_id
    return _newest(connection, [(is_challenged, games.c.status == GameStatus.CHALLENGED)], limit)


def perhaps_overdue(
    connection: Connection,
    times_up: Mapping[int, datetime],
    lapsed: datetime,
    limit: int,
    after: str,
) -> Sequence[str]:
    """Return ids, in their order and greater than `after`, of games that may have ended.

    `times_up` says for each number of days a move since when the last move must have been made,
    vacations apart; `lapsed` since when an open seat must have been waiting.
    """
    goes_on = games.c.ended_at.is_(None)
    ranges = [
        (
            games.c.status == GameStatus.PLAYING,
            games.c.days_a_move == days,
            games.c.moved_at <= moved_at,
        )
        for days, moved_at in times_up.items()
    ] + [
        (games.c.status == GameStatus.WAITING, games.c.listed, games.c.created_at <= lapsed),
        (games.c.status == GameStatus.CHALLENGED, games.c.created_at <= lapsed),
    ]
    found = union_all(
        *(
            select(games.c.id).where(goes_on, *conditions, games.c.id > after)
            for conditions in ranges
        )
    ).subquery()
    return connection.execute(select(found.c.id).order_by(found.c.id).limit(limit)).scalars().all()


def listed_games(
    connection: Connection, statuses: Iterable[GameStatus], variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return public games with one of these statuses, the last moved in first.

    `variant` narrows them to one game's; at most `limit` are returned.
    """
    which = (games.c.variant == variant,) if variant is not None else ()
    return _newest(
        connection,
        [(games.c.listed, *which, games.c.status == status) for status in statuses],
        limit,
    )


def listed_games_beside(
    connection: Connection,
    statuses: Iterable[GameStatus],
    variant: str | None,
    place: Place,
    limit: int,
) -> Sequence[StoredGame]:
    """Return the public games beyond a place in their list, the nearest to it first."""
    which = (games.c.variant == variant,) if variant is not None else ()
    order = tuple_(games.c.moved_at, games.c.id)
    here = tuple_(literal(place.moved_at, games.c.moved_at.type), literal(place.game_id))
    beyond = order > here if place.newer else order < here
    return _newest(
        connection,
        [(games.c.listed, *which, games.c.status == status, beyond) for status in statuses],
        limit,
        backwards=place.newer,
    )


def count_listed_since(
    connection: Connection, since: datetime, ended: Iterable[GameStatus], limit: int
) -> tuple[int, int]:
    """Return how many public games began since a time, and how many ended, with these statuses.

    Counting stops at `limit`.
    """
    # In the order of an index, so that nothing but that day's games is read.
    begun = (
        select(games.c.id)
        .where(games.c.listed, games.c.created_at >= since)
        .order_by(games.c.created_at.desc(), games.c.id.desc())
        .limit(limit)
    )
    # Nothing happens in a game after its end, so that it was moved in last when it ended.
    ends = [
        select(games.c.id)
        .where(games.c.listed, games.c.status == status, games.c.moved_at >= since)
        .limit(limit)
        .subquery()
        for status in ended
    ]
    over = union_all(*(select(end.c.id) for end in ends)).limit(limit)
    statement = select(
        *(
            select(func.count()).select_from(each.subquery()).scalar_subquery()
            for each in (begun, over)
        )
    )
    began, ended_count = connection.execute(statement).one()
    return began, ended_count


def listed_games_of_player(
    connection: Connection, player_id: int, statuses: Iterable[GameStatus], limit: int
) -> Sequence[StoredGame]:
    """Return a player's public games with one of these statuses, the last moved in first."""
    seats = (games.c.x_player_id == player_id, games.c.o_player_id == player_id)
    return _newest(
        connection,
        [(games.c.listed, seat, games.c.status == status) for seat in seats for status in statuses],
        limit,
    )


def games_begun(
    connection: Connection, unless: GameStatus, variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return public games, of one variant or all, unless of that status, the newest first.

    The games of tournaments are not among them.
    """
    is_single = games.c.tournament_id.is_(None)
    statement = GAME.where(games.c.listed, games.c.status != unless, is_single)
    if variant is not None:
        statement = statement.where(games.c.variant == variant)
    newest_first = (games.c.created_at.desc(), games.c.id.desc())
    return read_games(connection, statement.order_by(*newest_first).limit(limit))


def _newest(
    connection: Connection,
    ranges: Iterable[Sequence[ColumnElement[bool]]],
    limit: int,
    *,
    backwards: bool = False,
) -> Sequence[StoredGame]:
    # Each range is the end of one index, so that the cost follows `limit` and not the games stored;
    # and what is sorted out is entries of indexes, before any game is read.
    def in_order(moved_at: ColumnElement[datetime], game_id: ColumnElement[str]) -> Sequence[Any]:
        keys = (moved_at, game_id)
        return keys if backwards else [key.desc() for key in keys]

    order = in_order(games.c.moved_at, games.c.id)
    ends = [
        select(games.c.moved_at, games.c.id)
        .where(*conditions)
        .order_by(*order)
        .limit(limit)
        .subquery()
        for conditions in ranges
    ]
    # Without duplicates: a game that a player plays alone is in two ranges.
    found = union(*(select(end) for end in ends)).subquery()
    ids = select(found.c.id).order_by(*in_order(found.c.moved_at, found.c.id)).limit(limit)
    statement = GAME.where(games.c.id.in_(ids)).order_by(*order)
    return read_games(connection, statement)
