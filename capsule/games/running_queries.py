"""One statement that reads a player's running games, those that need the player first.

Each page of a game asks for this, to show its reader the way to the next one. A player has a few
hundred games at most, which are sorted by what an index has of them; only those that are shown are
read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import BigInteger, Integer, and_, bindparam, case, exists, func, or_, select, tuple_

from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games, vacations
from capsule.db.seconds import seconds_of
from capsule.games.clock import DAY, FORFEIT_FACTOR, OFFER_LIFETIME
from capsule.games.row_queries import GAME, STORED_GAME
from capsule.games.status import RUNNING, GameStatus
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select

    from capsule.games.model import StoredGame

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


_PLAYER = bindparam("player_id", type_=Integer)
_SEATS = {Side.X: games.c.x_player_id, Side.O: games.c.o_player_id}
_IS_SOLO = games.c.x_player_id == games.c.o_player_id
_IS_CHALLENGED = games.c.id.in_(
    select(games.c.id)
    .where(
        games.c.challenged_player_id == _PLAYER,
        games.c.status == GameStatus.CHALLENGED,
    )
    .order_by(games.c.moved_at.desc(), games.c.id.desc())
    .limit(MAX_CHALLENGES)
)


def _of_either_seat(condition: dict[Side, ColumnElement[bool]]) -> ColumnElement[bool]:
    return or_(*(and_(seat == _PLAYER, condition[side]) for side, seat in _SEATS.items()))


# While nobody has taken the other seat, a game waits for an opponent, whoever begins.
_IS_YOUR_TURN = and_(
    games.c.status == GameStatus.PLAYING,
    _of_either_seat({side: games.c.turn == side.value for side in Side}),
)
_HAS_OFFER = _of_either_seat(
    {
        side: or_(
            games.c.draw_offered_by == side.other.value,
            games.c.takeback_asked_by == side.other.value,
        )
        for side in Side
    }
)
_IS_SEATED = or_(*(seat == _PLAYER for seat in _SEATS.values()))
_SECTION = case(
    (_IS_SOLO, Section.SOLO),
    (_IS_YOUR_TURN, Section.YOUR_TURN),
    (or_(_HAS_OFFER, ~func.coalesce(_IS_SEATED, False)), Section.OFFERS),
    else_=Section.WAITING,
)
_DAY = int(DAY.total_seconds())
_HAS_CLOCK = and_(
    games.c.status == GameStatus.PLAYING,
    games.c.days_a_move.is_not(None),
    games.c.bot_to_move.is_(False),
)
_IS_OFFERED = or_(
    games.c.status == GameStatus.CHALLENGED,
    and_(games.c.status == GameStatus.WAITING, games.c.listed),
)
_LAPSES_AT = seconds_of(games.c.created_at) + int(OFFER_LIFETIME.total_seconds())
_DEADLINE = case(
    (_HAS_CLOCK, seconds_of(games.c.moved_at) + games.c.days_a_move * _DAY),
    (_IS_OFFERED, _LAPSES_AT),
    else_=NEVER,
)
_WAS_MOVER_AWAY = exists(
    select(vacations.c.id).where(
        vacations.c.player_id
        == case((games.c.turn == Side.X.value, _SEATS[Side.X]), else_=_SEATS[Side.O]),
        vacations.c.ends_at > games.c.moved_at,
    )
)
# The sweep stores the end of games that are over, and of those with vacations it alone counts.
_NOW = bindparam("now", type_=BigInteger)
_IS_OVER = case(
    (
        _HAS_CLOCK,
        and_(
            seconds_of(games.c.moved_at) + games.c.days_a_move * FORFEIT_FACTOR * _DAY <= _NOW,
            ~_WAS_MOVER_AWAY,
        ),
    ),
    (_IS_OFFERED, _LAPSES_AT <= _NOW),
    else_=False,
)


@cache
def _statement(*, waiting_only: bool, backwards: bool, has_place: bool) -> Select[Any]:
    """Return the statement of up to `limit` games beyond a place, if there is one, with the count.

    Making it costs more than running it, so each is made once.
    """
    is_waiting = and_(_SECTION <= Section.OFFERS, ~_IS_OVER)
    running = (
        select(
            games.c.id,
            _SECTION.label("section"),
            _DEADLINE.label("deadline"),
            games.c.moved_at,
            func.sum(case((is_waiting, 1), else_=0)).over().label("waiting"),
        )
        .where(
            or_(and_(_IS_SEATED, games.c.status.in_(RUNNING)), _IS_CHALLENGED),
            is_present(games.c.variant),
        )
        .subquery()
    )
    keys = (running.c.section, running.c.deadline, running.c.moved_at, running.c.id)
    order = [key.desc() for key in keys] if backwards else keys
    chosen = select(running).order_by(*order).limit(bindparam("limit", type_=Integer))
    if waiting_only:
        chosen = chosen.where(running.c.section <= Section.OFFERS)
    if has_place:
        here = tuple_(
            bindparam("section", type_=Integer),
            bindparam("deadline", type_=BigInteger),
            bindparam("moved_at", type_=games.c.moved_at.type),
            bindparam("game_id"),
        )
        chosen = chosen.where(tuple_(*keys) < here if backwards else tuple_(*keys) > here)
    shown = chosen.subquery()
    was_anybody_away = exists(
        select(vacations.c.id).where(
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
    connection: Connection,
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
