"""Lists of games, each read in the order of an index: a player's, public and overdue games."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from capsule.accounts.queries import BLOCKED
from capsule.db.expressions import seconds_of
from capsule.db.schema.games import games, is_present, vacations
from capsule.games.clock import DAY, DAYS_PER_MOVE, FORFEIT_FACTOR, OFFER_LIFETIME
from capsule.games.model import DECIDED, RUNNING, GameStatus, StoredGame
from capsule.games.player_queries import is_person
from capsule.games.queries import GAME, STORED_GAME
from engine import Side

_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_IS_OF_VARIANT = games.c.variant == sa.bindparam("variant")

MAX_CANDIDATES = 50
"""The last public games to end among which those between people are looked for."""


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
    connection: sa.Connection,
    player_id: int,
    statuses: Iterable[GameStatus],
    limit: int,
    *,
    only_listed: bool = False,
) -> Sequence[StoredGame]:
    """Return up to `limit` of a player's games with one of these statuses, latest move first."""
    statement = _of_player(tuple(statuses), only_listed=only_listed)
    return STORED_GAME.fetch_all(connection, statement, {"player_id": player_id, "limit": limit})


def challenges_to(connection: sa.Connection, player_id: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games in which a seat is reserved for the player, the latest first."""
    values = {"player_id": player_id, "limit": limit}
    return STORED_GAME.fetch_all(connection, _CHALLENGES, values)


def overdue_candidates(
    connection: sa.Connection, now: datetime, limit: int, after: str
) -> Sequence[str]:
    """Return ids of games that a deadline may have ended, in order, from the one after `after` on.

    They are games whose clock has run out unless vacations stopped it, games in which a challenge
    or a listed seat has waited for `OFFER_LIFETIME`, and games of a cup whose time is up. At most
    `limit` ids are returned.
    """
    created_before = now - OFFER_LIFETIME
    is_running = sa.and_(games.c.ended_at.is_(None), is_present(games.c.variant))
    ranges = [
        (
            games.c.status == GameStatus.PLAYING,
            games.c.days_a_move == days,
            games.c.moved_at <= now - FORFEIT_FACTOR * days * DAY,
        )
        for days in DAYS_PER_MOVE
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
    connection: sa.Connection, player_id: int, now: datetime, limit: int
) -> Sequence[StoredGame]:
    """Return up to `limit` of a player's games with people that a deadline may have ended."""
    values = {"player_id": player_id, "now": int(now.timestamp()), "limit": limit}
    return STORED_GAME.fetch_all(connection, _OVERDUE_BETWEEN_PEOPLE, values)


def listed_games(
    connection: sa.Connection,
    statuses: Iterable[GameStatus],
    variant: str | None,
    limit: int,
    place: ListPlace | None = None,
) -> Sequence[StoredGame]:
    """Return up to `limit` public games with one of these statuses, latest move first.

    With `variant`, only games of that variant are returned; with a place, only those beyond it in
    the list, the nearest first.
    """
    statement = _listed(
        tuple(statuses), is_of_variant=variant is not None, newer=place.newer if place else None
    )
    return STORED_GAME.fetch_all(connection, statement, _values(variant, limit, place))


def open_seats(
    connection: sa.Connection,
    variant: str | None,
    place: ListPlace | None,
    limit: int,
    player_id: int | None = None,
) -> Sequence[StoredGame]:
    """Return up to `limit` listed games with an open seat: the first, or the nearest to a place.

    Each player's first seat stands before any second seat, the latest first. With a player, their
    own games are left out, and those of players separated from them by a block.
    """
    statement = _seats(
        is_of_variant=variant is not None,
        is_for_player=player_id is not None,
        newer=place.newer if place else None,
    )
    values = {**_values(variant, limit, place), "player_id": player_id}
    return STORED_GAME.fetch_all(connection, statement, values)


def games_for_feed(
    connection: sa.Connection, variant: str | None, limit: int
) -> Sequence[StoredGame]:
    """Return public games, each once: up to `limit` that are the newest, then the last to end.

    With `variant`, only games of that variant are returned. Aborted games and those of tournaments
    are left out.
    """
    found = [
        (game.id, game)
        for statement in _for_feed(is_of_variant=variant is not None)
        for game in STORED_GAME.fetch_all(connection, statement, _values(variant, limit))
    ]
    return [*dict(found).values()]


def last_between_people(connection: sa.Connection, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` public games between two people, the last to end first.

    They are searched for among the last public games to end, however many there are.
    """
    return STORED_GAME.fetch_all(connection, _LAST_BETWEEN_PEOPLE, {"limit": limit})


def _values(
    variant: str | None, limit: int, place: ListPlace | None = None
) -> Mapping[str, object]:
    """Return the parameters of a statement, which ignores those that it does not have."""
    return {"variant": variant, "limit": limit, **_place_values(place)}


def _place_values(place: "ListPlace | Place | None") -> Mapping[str, object]:
    fields = {} if place is None else asdict(place)
    return {f"place_{name}": value for name, value in fields.items()}


# Making one of the following statements costs more than running it, so each is made once.

_HOST_ID = sa.func.coalesce(games.c.x_player_id, games.c.o_player_id)
_BY_TIME = {"moved_at": games.c.moved_at, "game_id": games.c.id}
_SEAT_ORDER = {"precedence": games.c.precedence, **_BY_TIME}


def _is_beyond(
    keys: Mapping[str, sa.ColumnElement[Any]], *, ascending: bool
) -> sa.ColumnElement[bool]:
    """Return the condition of games beyond a place in a list that is sorted by these keys.

    Each key is named as the field of the place.
    """
    here = sa.tuple_(*(sa.bindparam(f"place_{name}", type_=key.type) for name, key in keys.items()))
    there = sa.tuple_(*keys.values())
    return there > here if ascending else there < here


def _in_order(keys: Mapping[str, sa.ColumnElement[Any]], *, ascending: bool) -> Sequence[Any]:
    return [*keys.values()] if ascending else [key.desc() for key in keys.values()]


@cache
def _seats(*, is_of_variant: bool, is_for_player: bool, newer: bool | None) -> sa.Select[Any]:
    conditions = [games.c.precedence.is_not(None), is_present(games.c.variant)]
    if is_of_variant:
        conditions.append(_IS_OF_VARIANT)
    if is_for_player:
        conditions += [_PLAYER != _HOST_ID, _HOST_ID.not_in(BLOCKED)]
    if newer is not None:
        conditions.append(_is_beyond(_SEAT_ORDER, ascending=newer))
    order = _in_order(_SEAT_ORDER, ascending=bool(newer))
    ids = sa.select(games.c.id).where(*conditions).order_by(*order).limit(_LIMIT)
    return GAME.where(games.c.id.in_(ids)).order_by(*order)


@cache
def _for_feed(*, is_of_variant: bool) -> Sequence[sa.Select[Any]]:
    """Return the statement of the newest games, and that of the last to end."""
    of_variant = (_IS_OF_VARIANT,) if is_of_variant else ()
    return [
        GAME.where(
            games.c.listed,
            games.c.tournament_id.is_(None),
            condition,
            *of_variant,
            is_present(games.c.variant),
        )
        # The first is always NULL: PostgreSQL reads an index in order only by all its columns.
        .order_by(games.c.tournament_id.desc(), time.desc(), games.c.id.desc())
        .limit(_LIMIT)
        for condition, time in (
            (games.c.status != GameStatus.ABORTED, games.c.created_at),
            (games.c.x_points.is_not(None), games.c.moved_at),
        )
    ]


@cache
def _of_player(statuses: Sequence[GameStatus], *, only_listed: bool) -> sa.Select[Any]:
    # Worded so that SQLite takes the index by player, not that of all listed games.
    listed = (games.c.listed.is_not(False),) if only_listed else ()
    seats = (games.c.x_player_id == _PLAYER, games.c.o_player_id == _PLAYER)
    return _newest(
        [(*listed, seat, games.c.status == status) for seat in seats for status in statuses]
    )


@cache
def _listed(
    statuses: Sequence[GameStatus], *, is_of_variant: bool, newer: bool | None
) -> sa.Select[Any]:
    conditions = [games.c.listed, *((_IS_OF_VARIANT,) if is_of_variant else ())]
    if newer is not None:
        conditions.append(_is_beyond(_BY_TIME, ascending=newer))
    ranges = [(*conditions, games.c.status == status) for status in statuses]
    return _newest(ranges, ascending=bool(newer))


def _newest(
    ranges: Iterable[Sequence[sa.ColumnElement[bool]]], *, ascending: bool = False
) -> sa.Select[Any]:
    """Return the statement of the games in any of the ranges, up to its parameter `limit`."""
    ids = _newest_ids(ranges, _LIMIT, ascending=ascending)
    return GAME.where(games.c.id.in_(ids)).order_by(*_in_order(_BY_TIME, ascending=ascending))


def _newest_ids(
    ranges: Iterable[Sequence[sa.ColumnElement[bool]]],
    limit: sa.BindParameter[int],
    *,
    ascending: bool = False,
) -> sa.Select[Any]:
    # Each range is the end of one index, so the cost depends on `limit` and not on the number of
    # games; only index entries are sorted, before any game is read.
    order = _in_order(_BY_TIME, ascending=ascending)
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
    order = _in_order({"moved_at": entries.c.moved_at, "id": entries.c.id}, ascending=ascending)
    return sa.select(entries.c.id).order_by(*order).limit(limit)


_IS_CHALLENGE = (games.c.challenged_player_id == _PLAYER, games.c.status == GameStatus.CHALLENGED)
_CHALLENGES = _newest([_IS_CHALLENGE])
_PUBLIC_ENDS = [(games.c.listed, games.c.status == status) for status in DECIDED]
_LAST_BETWEEN_PEOPLE = (
    GAME.where(
        games.c.id.in_(_newest_ids(_PUBLIC_ENDS, sa.literal(MAX_CANDIDATES))),
        games.c.x_player_id != games.c.o_player_id,
        *map(is_person, (games.c.x_player_id, games.c.o_player_id)),
    )
    .order_by(*_in_order(_BY_TIME, ascending=False))
    .limit(_LIMIT)
)

MAX_CHALLENGES = 500
"""The latest challenges to a player that are listed: any player can send one."""


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


_SEATS = {Side.X: games.c.x_player_id, Side.O: games.c.o_player_id}
_IS_SOLO = games.c.x_player_id == games.c.o_player_id
_IS_CHALLENGED = games.c.id.in_(
    sa.select(games.c.id)
    .where(*_IS_CHALLENGE)
    .order_by(games.c.moved_at.desc(), games.c.id.desc())
    .limit(MAX_CHALLENGES)
)


def _of_either_seat(condition: dict[Side, sa.ColumnElement[bool]]) -> sa.ColumnElement[bool]:
    return sa.or_(*(sa.and_(seat == _PLAYER, condition[side]) for side, seat in _SEATS.items()))


# Until the other seat is taken, a game waits for an opponent, whichever side begins.
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
_SECTION = sa.type_coerce(
    sa.case(
        (_IS_SOLO, Section.SOLO),
        (_IS_YOUR_TURN, Section.YOUR_TURN),
        (sa.or_(_HAS_OFFER, ~sa.func.coalesce(_IS_SEATED, False)), Section.OFFERS),
        else_=Section.WAITING,
    ),
    sa.Integer,
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
_CLOCK_ENDS_AT = seconds_of(games.c.moved_at) + games.c.days_a_move * FORFEIT_FACTOR * _DAY
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
    (_HAS_CLOCK, sa.and_(_CLOCK_ENDS_AT <= _NOW, ~_WAS_MOVER_AWAY)),
    (_IS_OFFERED, _LAPSES_AT <= _NOW),
    else_=False,
)


_OVERDUE_BETWEEN_PEOPLE = (
    GAME.where(
        _IS_SEATED,
        games.c.status == GameStatus.PLAYING,
        ~_IS_SOLO,
        sa.or_(_CLOCK_ENDS_AT <= _NOW, seconds_of(games.c.ends_by) <= _NOW),
        is_present(games.c.variant),
    )
    .order_by(games.c.moved_at, games.c.id)
    .limit(_LIMIT)
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
    keys = {
        "section": running.c.section,
        "deadline": running.c.deadline,
        "moved_at": running.c.moved_at,
        "game_id": running.c.id,
    }
    # This list begins with the lowest section and the nearest deadline.
    order = _in_order(keys, ascending=not backwards)
    chosen = sa.select(running).order_by(*order).limit(_LIMIT)
    if waiting_only:
        chosen = chosen.where(running.c.section <= Section.OFFERS)
    if has_place:
        chosen = chosen.where(_is_beyond(keys, ascending=not backwards))
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
    keys = {name: shown.c[key.name] for name, key in keys.items()}
    order = _in_order(keys, ascending=not backwards)
    return statement.join(shown, shown.c.id == games.c.id).order_by(*order)


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
    values = {"player_id": player_id, "now": int(now.timestamp()), "limit": limit}
    rows = connection.execute(statement, {**values, **_place_values(place)})
    return [
        RunningGame(
            STORED_GAME.read(row),
            Place(Section(row.section), row.deadline, row.moved_at, row.id),
            row.waiting,
            row.was_anybody_away,
        )
        for row in rows
    ]
