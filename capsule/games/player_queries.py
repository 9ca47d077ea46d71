"""Results and counts of players' games, the games that wait for them, and their vacations."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple, TypeAlias

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
from capsule.games.clock import DAY, Vacation
from capsule.games.model import RUNNING, GameStatus
from engine import Side

MAX_GAMES_READ = 500
"""The newest finished games in each seat among which one against a person is looked for."""

_PLAYER: sa.BindParameter[int] = sa.bindparam("player_id", type_=sa.Integer)
_LIMIT: sa.BindParameter[int] = sa.bindparam("limit", type_=sa.Integer)
_HAD_ENDED = games.c.moved_at <= sa.bindparam("now", type_=Moment)

_SEATS = {
    Side.X: (games.c.x_player_id, games.c.o_player_id, games.c.o_bot),
    Side.O: (games.c.o_player_id, games.c.x_player_id, games.c.x_bot),
}
"""The columns of a seat's player, of the opponent, and of a bot that is the opponent, by side."""


def _together(parts: Iterable[sa.Select[Any]]) -> sa.CompoundSelect[Any]:
    """Return the statement of all rows of statements that have orders and limits themselves."""
    return sa.union_all(*(sa.select(part.subquery()) for part in parts))


_AGAINST_BOTS = sa.select(sa.func.count()).select_from(
    _together(
        sa.select(games.c.id)
        .where(
            seat == _PLAYER,
            bot.is_not(None),
            games.c.x_points.is_not(None),
            _HAD_ENDED,
            # As a literal, or SQLite takes no index with this condition.
            games.c.start_ply == sa.literal_column("0"),
        )
        .limit(_LIMIT)
        for seat, _, bot in _SEATS.values()
    ).subquery()
)

_OPPONENTS = _together(
    sa.select(opponent.label("player_id"))
    .where(seat == _PLAYER, games.c.x_points.is_not(None), _HAD_ENDED)
    .order_by(games.c.status.desc(), games.c.moved_at.desc(), games.c.id.desc())
    .limit(MAX_GAMES_READ)
    for seat, opponent, _ in _SEATS.values()
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
    values = {"player_id": player_id, "now": now, "limit": at_most}
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

# One player of each group, for players who may still win theirs.
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

_UNFINISHED = _GAMES.add_columns(
    sa.func.count().filter(sa.or_(games.c.x_bot.is_not(None), games.c.o_bot.is_not(None)))
).where(games.c.status.in_(RUNNING))

_OFFERED = _GAMES.where(games.c.status == GameStatus.WAITING, games.c.listed)


def seats_ahead(connection: sa.Connection, player_id: int) -> Sequence[sa.Row[Any]]:
    """Return a player's seats in tournaments that have not started, or in parts of cups.

    Of the `seats` of each some are `taken`. `fill_level` is the level of the bots that may take the
    others, None if these stay empty.
    """
    return connection.execute(_SEATS_AHEAD, {"player_id": player_id}).all()


def count_unfinished(connection: sa.Connection, player_id: int) -> tuple[int, int]:
    """Return the numbers of a player's unfinished games, and of those against bots."""
    count, against_bots = connection.execute(_UNFINISHED, {"player_id": player_id}).one()
    return count, against_bots


def count_offered(connection: sa.Connection, player_id: int) -> int:
    """Return the number of listed games in which a player waits for anyone to take a seat."""
    return connection.execute(_OFFERED, {"player_id": player_id}).scalar_one()


def seats_taken_by(player_id: int) -> sa.Select[datetime]:
    """Return the statement of the times at which a player took open seats."""
    return sa.select(games.c.started_at).where(games.c.seat_taken_by == player_id)


_VACATION = Mapper(Vacation, vacations, begins=vacations.c.begins_at, ends=vacations.c.ends_at)
_VACATIONS = sa.select(*_VACATION.columns, vacations.c.player_id)

# Every page of a game asks for the vacations of its two players: this costs half as much as `IN`.
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
    """End the vacation that a player is on; the days not used are left for later."""
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


def results_between(
    connection: sa.Connection, player_id: int, other_ids: Sequence[int], limit: int
) -> Sequence[sa.Row[Any]]:
    """Return a player's `games` and `points` by `other_id` and `variant`.

    A win counts 1 and a draw ½. At most `limit` games against each other player are counted, the
    last ones.
    """
    others = {f"other_id_{number}": other_id for number, other_id in enumerate(other_ids)}
    which = {"player_id": player_id, "limit": limit, **others}
    return connection.execute(_by_variant(len(others)), which).all()


@cache
def _by_variant(count: int) -> sa.Select[Any]:
    """Return the statement for some other players, which is made once for each number of them."""
    last = _together(map(_last_against, range(count))).subquery()
    return (
        sa.select(
            last.c.other_id,
            last.c.variant,
            sa.func.count().label("games"),
            sa.func.sum(last.c.points).label("points"),
        )
        .where(is_present(last.c.variant))
        .group_by(last.c.other_id, last.c.variant)
    )


def _last_against(number: int) -> sa.Select[Any]:
    other_id = sa.bindparam(f"other_id_{number}", type_=sa.Integer)
    ends = (
        sa.select(
            games.c.moved_at,
            games.c.variant,
            opponent.label("other_id"),
            sa.case(
                (games.c.winner == side.value, 1.0),
                (games.c.winner == side.other.value, 0.0),
                else_=0.5,
            ).label("points"),
        )
        .where(
            seat == _PLAYER,
            opponent == other_id,
            # SQLite uses the index of such games only if a query repeats its condition.
            games.c.x_points.is_not(None),
            games.c.x_player_id != games.c.o_player_id,
        )
        .order_by(games.c.moved_at.desc())
        .limit(_LIMIT)
        for side, (seat, opponent, _) in _SEATS.items()
    )
    both = _together(ends).subquery()
    return sa.select(both).order_by(both.c.moved_at.desc()).limit(_LIMIT)


MAX_OF_WEEK = 250
"""The limit up to which a week's games are counted."""

_MAX_LOOKED_AT = 1_000
"""The last games among which they are looked for: programs may play many among themselves."""


def is_person(player_id: sa.ColumnElement[int | None]) -> sa.ColumnElement[bool]:
    """Return the condition that a seat is a player's who is not a program."""
    program = players.alias()
    return sa.and_(
        player_id.is_not(None),
        ~sa.exists().where(program.c.id == player_id, program.c.program_since.is_not(None)),
    )


_LAST_PLAYED = (
    sa.select(games.c.x_player_id, games.c.o_player_id)
    .where(
        # Worded as the condition of the index, or SQLite does not take it.
        sa.text("games.ply > 0"),
        games.c.moved_at >= sa.bindparam("since", type_=games.c.moved_at.type),
        sa.or_(
            games.c.x_player_id.is_(None),
            games.c.o_player_id.is_(None),
            games.c.x_player_id != games.c.o_player_id,
        ),
        is_present(games.c.variant),
    )
    .order_by(games.c.moved_at.desc())
    .limit(_MAX_LOOKED_AT)
    .subquery()
)
_PEOPLE = [sa.case((is_person(seat), seat)) for seat in _LAST_PLAYED.c]
_PLAYED_SINCE = (
    sa.select(*_PEOPLE)
    .where(sa.or_(*(is_person(seat) for seat in _LAST_PLAYED.c)))
    .limit(MAX_OF_WEEK)
)


@dataclass(frozen=True, slots=True)
class Week:
    """The people who have played this week, their games, and how many of these were against bots.

    Only the last `MAX_OF_WEEK` games are counted; `is_complete` says that there were no more.
    """

    people: int
    games: int
    against_bots: int

    @property
    def is_complete(self) -> bool:
        """Whether all games of the week were counted."""
        return self.games < MAX_OF_WEEK


def week_before(connection: sa.Connection, now: datetime) -> Week:
    """Return how much people have played in the seven days before `now`, in public and other games.

    A game counts if a move was made in it, and a program counts as a bot. Games without a person
    do not count, nor do those that a player plays alone.
    """
    # The people in each game: one of the two is None where a bot or a program plays.
    pairs = [(x, o) for x, o in connection.execute(_PLAYED_SINCE, {"since": now - 7 * DAY})]
    people = {person for pair in pairs for person in pair} - {None}
    return Week(len(people), len(pairs), sum(None in pair for pair in pairs))


class BotResult(NamedTuple):
    """A game of a player against a bot: `is_won` is None for a draw."""

    variant: str
    level: str
    ended_at: datetime
    is_won: bool | None


def results_against_bots(
    connection: sa.Connection,
    player_id: int,
    levels: Mapping[str, Iterable[str]],
    limit: int,
    before: datetime | None = None,
) -> Sequence[BotResult]:
    """Return the player's finished games against bots that began at the start of their variant.

    `levels` are those of the variants that are asked about. Of each of them, and each side, the
    results are the last `limit`, of those before a time if one is given.
    """
    bots = tuple((variant, level) for variant, names in levels.items() for level in names)
    statement = _last_results(bots, is_past=before is not None)
    values = {"player_id": player_id, "limit": limit, "before": before}
    return [*map(BotResult._make, connection.execute(statement, values))]


@cache
def _last_results(bots: Sequence[tuple[str, str]], *, is_past: bool) -> sa.CompoundSelect[Any]:
    """Return the statement, each part of which reads a piece of an index."""
    had_ended = games.c.moved_at < sa.bindparam("before", type_=Moment)
    return _together(
        sa.select(
            games.c.variant,
            bot.label("level"),
            games.c.moved_at,
            (games.c.winner == side.value).label("is_won"),
        )
        .where(
            seat == _PLAYER,
            games.c.variant == variant,
            bot == level,
            games.c.x_points.is_not(None),
            # As a literal, or SQLite takes no index with this condition.
            games.c.start_ply == sa.literal_column("0"),
            *((had_ended,) if is_past else ()),
        )
        .order_by(games.c.moved_at.desc())
        .limit(_LIMIT)
        for (side, (seat, _, bot)), (variant, level) in product(_SEATS.items(), bots)
    )


Meeting: TypeAlias = tuple[str, frozenset[int]]
"""The key of a variant and the ids of two players who play it."""


def count_rated_together(
    connection: sa.Connection, meetings: Collection[Meeting], since: datetime
) -> Mapping[Meeting, int]:
    """Return how many games of a variant between two players may count that began since a time.

    They are rated, and nothing has excluded them yet.
    """
    if not meetings:
        return {}
    are_players = [
        (games.c.x_player_id == x) & (games.c.o_player_id == o) & (games.c.variant == variant)
        for variant, players in meetings
        for x, o in permutations(players, 2)
    ]
    columns = games.c.variant, games.c.x_player_id, games.c.o_player_id
    statement = sa.select(*columns).where(
        games.c.rated,
        sa.or_(*are_players),
        games.c.started_at >= since,
        games.c.surplus.is_(False),
        games.c.start_ply == 0,
        games.c.takebacks == 0,
        games.c.status != GameStatus.ABORTED,
    )
    found = connection.execute(statement)
    return Counter((variant, frozenset({x, o})) for variant, x, o in found)
