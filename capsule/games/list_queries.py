"""Lists of games, each read in the order of an index: a player's, public and overdue games."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from capsule.accounts.queries import BLOCKED
from capsule.db.expressions import seconds_of
from capsule.db.schema.games import games, is_present, vacations
from capsule.games.clock import DAY, FORFEIT_FACTOR, OFFER_LIFETIME
from capsule.games.model import DECIDED, RUNNING, GameStatus, StoredGame
from capsule.games.queries import GAME, STORED_GAME
from engine import Side

_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_IS_TOLD = sa.and_(games.c.listed, games.c.tournament_id.is_(None))


@dataclass(frozen=True)
class ListPlace:
    """A place in a list of games by time: the game with this id, last moved in at that time.

    The list continues from there with games moved in later if `newer`, else with earlier ones. The
    list of open seats is sorted by `precedence` first.
    """

    moved_at: datetime
    game_id: str
    newer: bool
    precedence: int = 0


def games_of_player(
    connection: sa.Connection, player_id: int, statuses: Iterable[GameStatus], limit: int
) -> Sequence[StoredGame]:
    """Return up to `limit` of a player's games with one of these statuses, latest move first."""
    statement = _of_player(tuple(statuses))
    return STORED_GAME.fetch_all(connection, statement, {"player_id": player_id, "limit": limit})


def challenges_to(connection: sa.Connection, player_id: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games in which a seat is kept for the player, the latest first."""
    return STORED_GAME.fetch_all(
        connection, _challenges(), {"player_id": player_id, "limit": limit}
    )


def overdue_candidates(
    connection: sa.Connection,
    now: datetime,
    moved_before: Mapping[int, datetime],
    limit: int,
    after: str,
) -> Sequence[str]:
    """Return ids of games that a deadline may have ended, in order, from the one after `after` on.

    They are games last moved in no later than `moved_before` says for their number of days per
    move, whose players' vacations are still to be considered, games in which a challenge or a
    listed seat has waited for `OFFER_LIFETIME`, and games of a cup whose time is up. At most
    `limit` ids are returned.
    """
    created_before = now - OFFER_LIFETIME
    is_running = sa.and_(games.c.ended_at.is_(None), is_present(games.c.variant))
    ranges = [
        (
            games.c.status == GameStatus.PLAYING,
            games.c.days_a_move == days,
            games.c.moved_at <= moved_at,
        )
        for days, moved_at in moved_before.items()
    ] + [
        (
            games.c.status == GameStatus.WAITING,
            games.c.listed,
            games.c.created_at <= created_before,
        ),
        (games.c.status == GameStatus.CHALLENGED, games.c.created_at <= created_before),
        (games.c.ends_by.is_not(None), games.c.ends_by <= now),
    ]
    candidates = sa.union(
        *(
            sa.select(games.c.id).where(is_running, *conditions, games.c.id > after)
            for conditions in ranges
        )
    ).subquery()
    statement = sa.select(candidates.c.id).order_by(candidates.c.id).limit(limit)
    return connection.execute(statement).scalars().all()


def overdue_between_people(
    connection: sa.Connection,
    player_id: int,
    now: datetime,
    moved_before: Mapping[int, datetime],
    limit: int,
) -> Sequence[StoredGame]:
    """Return up to `limit` of a player's games with people that a deadline may have ended.

    `moved_before` is as for `overdue_candidates`.
    """
    times = {f"before_{days}": moved_at for days, moved_at in moved_before.items()}
    which = {"player_id": player_id, "now": now, "limit": limit, **times}
    return STORED_GAME.fetch_all(connection, _overdue_between_people(tuple(moved_before)), which)


def listed_games(
    connection: sa.Connection, statuses: Iterable[GameStatus], variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return up to `limit` public games with one of these statuses, latest move first.

    With `variant`, only games of that variant are returned.
    """
    values = {"limit": limit, **_of(variant)}
    return STORED_GAME.fetch_all(
        connection, _listed(tuple(statuses), is_of_variant=variant is not None), values
    )


def listed_games_beyond(
    connection: sa.Connection,
    statuses: Iterable[GameStatus],
    variant: str | None,
    place: ListPlace,
    limit: int,
) -> Sequence[StoredGame]:
    """Return up to `limit` public games beyond a place in their list, the nearest to it first."""
    of_variant = (games.c.variant == variant,) if variant is not None else ()
    order = sa.tuple_(games.c.moved_at, games.c.id)
    here = sa.tuple_(sa.literal(place.moved_at, games.c.moved_at.type), sa.literal(place.game_id))
    beyond = order > here if place.newer else order < here
    ranges = [(games.c.listed, *of_variant, games.c.status == each, beyond) for each in statuses]
    return STORED_GAME.fetch_all(
        connection, _newest(ranges, backwards=place.newer), {"limit": limit}
    )


def open_seats(
    connection: sa.Connection,
    variant: str | None,
    place: ListPlace | None,
    limit: int,
    player_id: int | None = None,
) -> Sequence[StoredGame]:
    """Return up to `limit` listed games with an open seat: the first, or the nearest to a place.

    Everybody's first seat stands before anybody's second, the latest first. With a player, their
    own games are left out, and those of players from whom a block keeps them apart.
    """
    is_of_variant, is_for_player = variant is not None, player_id is not None
    values: dict[str, object] = {"limit": limit, **_of(variant)}
    values |= {"player_id": player_id} if is_for_player else {}
    if place is None:
        first = _first_seats(is_of_variant=is_of_variant, is_for_player=is_for_player)
        return STORED_GAME.fetch_all(connection, first, values)
    keys = sa.tuple_(*_SEAT_ORDER)
    here = sa.tuple_(
        sa.literal(place.precedence),
        sa.literal(place.moved_at, games.c.moved_at.type),
        sa.literal(place.game_id),
    )
    beyond = keys > here if place.newer else keys < here
    conditions = (beyond, _MAY_TAKE) if is_for_player else (beyond,)
    statement = _seats(*conditions, is_of_variant=is_of_variant, backwards=place.newer)
    return STORED_GAME.fetch_all(connection, statement, values)


def listed_games_of_player(
    connection: sa.Connection, player_id: int, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return public games of a player, latest move first: unfinished ones, and the last to end.

    There are up to `running` and up to `ended` of them.
    """
    values = {"player_id": player_id, "running": running, "ended": ended}
    return STORED_GAME.fetch_all(connection, _listed_of_player(), values)


def newest_games(
    connection: sa.Connection, excluded: GameStatus, variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return up to `limit` public games that are not of the status `excluded`, the newest first.

    With `variant`, only games of that variant are returned. Tournament games are left out.
    """
    values = {"excluded": excluded, "limit": limit, **_of(variant)}
    return STORED_GAME.fetch_all(
        connection, _newest_told(is_of_variant=variant is not None), values
    )


def last_decided_games(
    connection: sa.Connection, variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return up to `limit` public games that ended with a result, the last first.

    With `variant`, only games of that variant are returned. Tournament games are left out.
    """
    values = {"limit": limit, **_of(variant)}
    return STORED_GAME.fetch_all(
        connection, _last_decided(is_of_variant=variant is not None), values
    )


def _of(variant: str | None) -> Mapping[str, object]:
    """Return the parameter of a statement about one variant, none for all variants."""
    return {} if variant is None else {"variant": variant}


# Making one of the following statements costs more than running it, so each is made once.

_HOST_ID = sa.func.coalesce(games.c.x_player_id, games.c.o_player_id)
_MAY_TAKE = sa.and_(
    sa.bindparam("player_id", type_=sa.Integer) != _HOST_ID, _HOST_ID.not_in(BLOCKED)
)
_SEAT_ORDER = (games.c.precedence, games.c.moved_at, games.c.id)
_IS_OF_VARIANT = games.c.variant == sa.bindparam("variant")


@cache
def _first_seats(*, is_of_variant: bool, is_for_player: bool) -> sa.Select[Any]:
    return _seats(*((_MAY_TAKE,) if is_for_player else ()), is_of_variant=is_of_variant)


def _seats(
    *conditions: sa.ColumnElement[bool], is_of_variant: bool, backwards: bool = False
) -> sa.Select[Any]:
    if is_of_variant:
        conditions = (*conditions, _IS_OF_VARIANT)
    order = _SEAT_ORDER if backwards else [key.desc() for key in _SEAT_ORDER]
    ids = (
        sa.select(games.c.id)
        .where(games.c.precedence.is_not(None), is_present(games.c.variant), *conditions)
        .order_by(*order)
        .limit(_LIMIT)
    )
    return GAME.where(games.c.id.in_(ids)).order_by(*order)


@cache
def _newest_told(*, is_of_variant: bool) -> sa.Select[Any]:
    is_included = games.c.status != sa.bindparam("excluded", type_=games.c.status.type)
    return _told(is_included, games.c.created_at, is_of_variant=is_of_variant)


@cache
def _last_decided(*, is_of_variant: bool) -> sa.Select[Any]:
    return _told(games.c.x_points.is_not(None), games.c.moved_at, is_of_variant=is_of_variant)


def _told(
    condition: sa.ColumnElement[bool], time: sa.ColumnElement[datetime], *, is_of_variant: bool
) -> sa.Select[Any]:
    of_variant = (_IS_OF_VARIANT,) if is_of_variant else ()
    # The first is always NULL: PostgreSQL reads an index in order only if all its columns are said.
    last_first = (games.c.tournament_id.desc(), time.desc(), games.c.id.desc())
    return (
        GAME.where(_IS_TOLD, condition, *of_variant, is_present(games.c.variant))
        .order_by(*last_first)
        .limit(_LIMIT)
    )


@cache
def _of_player(statuses: Sequence[GameStatus]) -> sa.Select[Any]:
    return _newest(_ranges_of_player(statuses))


@cache
def _listed_of_player() -> sa.Select[Any]:
    # Worded so that SQLite takes the index by player, not that of all listed games.
    is_listed = games.c.listed.is_not(False)
    parts = [
        _newest_ids(
            [(is_listed, *each) for each in _ranges_of_player(statuses)],
            sa.bindparam(limit, type_=sa.Integer),
        ).subquery()
        for statuses, limit in ((RUNNING, "running"), (DECIDED, "ended"))
    ]
    ids = sa.union_all(*(sa.select(part.c.id) for part in parts))
    return GAME.where(games.c.id.in_(ids)).order_by(games.c.moved_at.desc(), games.c.id.desc())


def _ranges_of_player(statuses: Sequence[GameStatus]) -> Sequence[Sequence[sa.ColumnElement[bool]]]:
    player = sa.bindparam("player_id", type_=sa.Integer)
    seats = (games.c.x_player_id == player, games.c.o_player_id == player)
    return [(seat, games.c.status == status) for seat in seats for status in statuses]


@cache
def _overdue_between_people(days_a_move: Sequence[int]) -> sa.Select[Any]:
    player = sa.bindparam("player_id", type_=sa.Integer)
    late = [
        sa.and_(games.c.days_a_move == days, games.c.moved_at <= sa.bindparam(f"before_{days}"))
        for days in days_a_move
    ]
    return (
        GAME.where(
            sa.or_(games.c.x_player_id == player, games.c.o_player_id == player),
            games.c.status == GameStatus.PLAYING,
            games.c.x_player_id != games.c.o_player_id,
            sa.or_(*late, games.c.ends_by <= sa.bindparam("now")),
            is_present(games.c.variant),
        )
        .order_by(games.c.moved_at, games.c.id)
        .limit(_LIMIT)
    )


@cache
def _challenges() -> sa.Select[Any]:
    is_challenged = games.c.challenged_player_id == sa.bindparam("player_id", type_=sa.Integer)
    return _newest([(is_challenged, games.c.status == GameStatus.CHALLENGED)])


@cache
def _listed(statuses: Sequence[GameStatus], *, is_of_variant: bool) -> sa.Select[Any]:
    of_variant = (_IS_OF_VARIANT,) if is_of_variant else ()
    return _newest([(games.c.listed, *of_variant, games.c.status == status) for status in statuses])


def _newest(
    ranges: Iterable[Sequence[sa.ColumnElement[bool]]], *, backwards: bool = False
) -> sa.Select[Any]:
    """Return the statement of the games in any of the ranges, up to its parameter `limit`."""
    ids = _newest_ids(ranges, _LIMIT, backwards=backwards)
    return GAME.where(games.c.id.in_(ids)).order_by(
        *_in_order(games.c.moved_at, games.c.id, backwards=backwards)
    )


def _newest_ids(
    ranges: Iterable[Sequence[sa.ColumnElement[bool]]],
    limit: sa.BindParameter[int],
    *,
    backwards: bool = False,
) -> sa.Select[Any]:
    # Each range is the end of one index, so the cost depends on `limit` and not on the number of
    # games; only index entries are sorted, before any game is read.
    order = _in_order(games.c.moved_at, games.c.id, backwards=backwards)
    ends = [
        sa.select(games.c.moved_at, games.c.id)
        .where(*conditions, is_present(games.c.variant))
        .order_by(*order)
        .limit(limit)
        .subquery()
        for conditions in ranges
    ]
    # `union` removes duplicates: a solo game is in two ranges.
    entries = sa.union(*(sa.select(end) for end in ends)).subquery()
    order = _in_order(entries.c.moved_at, entries.c.id, backwards=backwards)
    return sa.select(entries.c.id).order_by(*order).limit(limit)


def _in_order(
    moved_at: sa.ColumnElement[datetime], game_id: sa.ColumnElement[str], *, backwards: bool
) -> Sequence[Any]:
    keys = (moved_at, game_id)
    return keys if backwards else [key.desc() for key in keys]


MAX_CHALLENGES = 500
"""Challenges to a player that count, the latest ones: anybody can make one."""


class Section(IntEnum):
    """The parts of the list, in their order."""

    YOUR_TURN = 0
    OFFERS = 1
    WAITING = 2
    SOLO = 3


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A place in the list; places are in the order of the list.

    `deadline` is in seconds since 1970, without regard to vacations, which may move deadlines at
    any time: so no game changes its place by them.
    """

    section: Section
    deadline: int
    moved_at: datetime
    game_id: str


NEVER = 1 << 40
"""The deadline of a game without one, which comes after all others."""


class RunningGame(NamedTuple):
    """A game in a player's list, and the number of all games that wait for the player.

    `was_anybody_away` says whether a vacation may affect its clock.
    """

    stored: StoredGame
    place: Place
    waiting: int
    was_anybody_away: bool


_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_SEATS = {Side.X: games.c.x_player_id, Side.O: games.c.o_player_id}
_IS_SOLO = games.c.x_player_id == games.c.o_player_id
_IS_CHALLENGED = games.c.id.in_(
    sa.select(games.c.id)
    .where(games.c.challenged_player_id == _PLAYER, games.c.status == GameStatus.CHALLENGED)
    .order_by(games.c.moved_at.desc(), games.c.id.desc())
    .limit(MAX_CHALLENGES)
)


def _of_either_seat(condition: dict[Side, sa.ColumnElement[bool]]) -> sa.ColumnElement[bool]:
    return sa.or_(*(sa.and_(seat == _PLAYER, condition[side]) for side, seat in _SEATS.items()))


# While nobody has taken the other seat, a game waits for an opponent, whoever begins.
_IS_YOUR_TURN = sa.and_(
    games.c.status == GameStatus.PLAYING,
    _of_either_seat({side: games.c.turn == side.value for side in Side}),
)
_HAS_OFFER = _of_either_seat(
    {
        side: sa.or_(
            games.c.draw_offered_by == side.other.value,
            games.c.takeback_asked_by == side.other.value,
        )
        for side in Side
    }
)
_IS_SEATED = sa.or_(*(seat == _PLAYER for seat in _SEATS.values()))
_SECTION = sa.case(
    (_IS_SOLO, Section.SOLO),
    (_IS_YOUR_TURN, Section.YOUR_TURN),
    (sa.or_(_HAS_OFFER, ~sa.func.coalesce(_IS_SEATED, False)), Section.OFFERS),
    else_=Section.WAITING,
)
_DAY = int(DAY.total_seconds())
_HAS_CLOCK = sa.and_(
    games.c.status == GameStatus.PLAYING,
    games.c.days_a_move.is_not(None),
    games.c.bot_to_move.is_(False),
)
_IS_OFFERED = sa.or_(
    games.c.status == GameStatus.CHALLENGED,
    sa.and_(games.c.status == GameStatus.WAITING, games.c.listed),
)
_LAPSES_AT = seconds_of(games.c.created_at) + int(OFFER_LIFETIME.total_seconds())
_DEADLINE = sa.case(
    (_HAS_CLOCK, seconds_of(games.c.moved_at) + games.c.days_a_move * _DAY),
    (_IS_OFFERED, _LAPSES_AT),
    else_=NEVER,
)
_WAS_MOVER_AWAY = sa.exists(
    sa.select(vacations.c.id).where(
        vacations.c.player_id
        == sa.case((games.c.turn == Side.X.value, _SEATS[Side.X]), else_=_SEATS[Side.O]),
        vacations.c.ends_at > games.c.moved_at,
    )
)
# The sweep stores the end of games that are over, and of those with vacations it alone counts.
_NOW = sa.bindparam("now", type_=sa.BigInteger)
_IS_OVER = sa.case(
    (
        _HAS_CLOCK,
        sa.and_(
            seconds_of(games.c.moved_at) + games.c.days_a_move * FORFEIT_FACTOR * _DAY <= _NOW,
            ~_WAS_MOVER_AWAY,
        ),
    ),
    (_IS_OFFERED, _LAPSES_AT <= _NOW),
    else_=False,
)


@cache
def _statement(*, waiting_only: bool, backwards: bool, has_place: bool) -> sa.Select[Any]:
    """Return the statement of up to `limit` games beyond a place, if there is one, with the count.

    Making it costs more than running it, so each is made once.
    """
    is_waiting = sa.and_(_SECTION <= Section.OFFERS, ~_IS_OVER)
    running = (
        sa.select(
            games.c.id,
            _SECTION.label("section"),
            _DEADLINE.label("deadline"),
            games.c.moved_at,
            sa.func.sum(sa.case((is_waiting, 1), else_=0)).over().label("waiting"),
        )
        .where(
            sa.or_(sa.and_(_IS_SEATED, games.c.status.in_(RUNNING)), _IS_CHALLENGED),
            is_present(games.c.variant),
        )
        .subquery()
    )
    keys = (running.c.section, running.c.deadline, running.c.moved_at, running.c.id)
    order = [key.desc() for key in keys] if backwards else keys
    chosen = sa.select(running).order_by(*order).limit(sa.bindparam("limit", type_=sa.Integer))
    if waiting_only:
        chosen = chosen.where(running.c.section <= Section.OFFERS)
    if has_place:
        here = sa.tuple_(
            sa.bindparam("section", type_=sa.Integer),
            sa.bindparam("deadline", type_=sa.BigInteger),
            sa.bindparam("moved_at", type_=games.c.moved_at.type),
            sa.bindparam("game_id"),
        )
        chosen = chosen.where(sa.tuple_(*keys) < here if backwards else sa.tuple_(*keys) > here)
    shown = chosen.subquery()
    was_anybody_away = sa.exists(
        sa.select(vacations.c.id).where(
            vacations.c.player_id.in_(tuple(_SEATS.values())),
            vacations.c.ends_at > games.c.moved_at,
        )
    )
    statement = GAME.add_columns(
        shown.c.section,
        shown.c.deadline,
        shown.c.waiting,
        was_anybody_away.label("was_anybody_away"),
    )
    in_order = (shown.c.section, shown.c.deadline, shown.c.moved_at, shown.c.id)
    return statement.join(shown, shown.c.id == games.c.id).order_by(
        *([key.desc() for key in in_order] if backwards else in_order)
    )


def running_games_of(  # noqa: PLR0913 - a list, and a part of it
    connection: sa.Connection,
    player_id: int,
    now: datetime,
    limit: int,
    place: Place | None = None,
    *,
    backwards: bool = False,
    waiting_only: bool = False,
) -> Sequence[RunningGame]:
    """Return up to `limit` of a player's running games and challenges, in order.

    Games that a deadline has ended by `now` are among them until that is stored, but do not count.

    They are the first ones, or those next to a place; `backwards` is towards the beginning, the
    nearest first. `waiting_only` leaves out those that do not wait for the player to move, or to
    answer an offer or a challenge.
    """
    statement = _statement(
        waiting_only=waiting_only, backwards=backwards, has_place=place is not None
    )
    values: dict[str, object] = {
        "player_id": player_id,
        "now": int(now.timestamp()),
        "limit": limit,
    }
    if place is not None:
        values |= {
            "section": place.section,
            "deadline": place.deadline,
            "moved_at": place.moved_at,
            "game_id": place.game_id,
        }
    return [
        RunningGame(
            STORED_GAME.read(row),
            Place(Section(row.section), row.deadline, row.moved_at, row.id),
            row.waiting,
            row.was_anybody_away,
        )
        for row in connection.execute(statement, values)
    ]
