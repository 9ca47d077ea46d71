"""Reading results: between two people, of the last days, against bots, and of rated games."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import permutations, product
from typing import Any, TypeAlias

import sqlalchemy as sa

from capsule.db.schema.base import Moment
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players
from capsule.games.model import DECIDED, GameStatus, StoredGame
from capsule.games.queries import GAME, STORED_GAME
from engine import Side

_LIMIT = sa.bindparam("limit", type_=sa.Integer)


def results_between(
    connection: sa.Connection, player_id: int, other_ids: Sequence[int], limit: int
) -> Sequence[sa.Row[Any]]:
    """Return a player's `games` and `points` by `other_id` and `variant`.

    A win counts 1 and a draw ½. At most `limit` games against each other player are counted, the
    last ones.
    """
    others = {_name(number): other_id for number, other_id in enumerate(other_ids)}
    which = {"player_id": player_id, "limit": limit, **others}
    return connection.execute(_by_variant(len(others)), which).all()


@cache
def _by_variant(count: int) -> sa.Select[Any]:
    """Return the statement for some other players, which is made once for each number of them."""
    last = sa.union_all(*(sa.select(_last_against(number)) for number in range(count))).subquery()
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


def _last_against(number: int) -> sa.Subquery:
    other_id = sa.bindparam(_name(number), type_=sa.Integer)
    both = sa.union_all(
        *(
            sa.select(each.subquery())
            for each in (_ends("x", "o", other_id), _ends("o", "x", other_id))
        )
    ).subquery()
    return sa.select(both).order_by(both.c.moved_at.desc()).limit(_LIMIT).subquery()


def _ends(own: str, other: str, other_id: sa.BindParameter[int]) -> sa.Select[Any]:
    points = sa.case(
        (games.c.winner == own.upper(), 1.0), (games.c.winner == other.upper(), 0.0), else_=0.5
    )
    return (
        sa.select(
            games.c.moved_at,
            games.c.variant,
            games.c[f"{other}_player_id"].label("other_id"),
            points.label("points"),
        )
        .where(
            games.c[f"{own}_player_id"] == sa.bindparam("player_id", type_=sa.Integer),
            games.c[f"{other}_player_id"] == other_id,
            # SQLite uses the index of such games only if a query repeats its condition.
            games.c.x_points.is_not(None),
            games.c.x_player_id != games.c.o_player_id,
        )
        .order_by(games.c.moved_at.desc())
        .limit(_LIMIT)
    )


def _name(number: int) -> str:
    return f"other_id_{number}"


MAX_OF_WEEK = 250
"""The limit up to which a week's games are counted."""

_MAX_LOOKED_AT = 1_000
"""The last games among which they are looked for: programs may play many among themselves."""

_MAX_CANDIDATES = 50
"""The last public games to end among which those between people are looked for."""


def _is_person(player_id: sa.ColumnElement[int | None]) -> sa.ColumnElement[bool]:
    program = players.alias()
    return sa.and_(
        player_id.is_not(None),
        ~sa.exists().where(program.c.id == player_id, program.c.program_since.is_not(None)),
    )


def _played_since() -> sa.Select[Any]:
    last = (
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
    played = (
        sa.select(last)
        .where(sa.or_(*(_is_person(seat) for seat in last.c)))
        .limit(MAX_OF_WEEK)
        .cte("played")
    )
    judged = sa.select(
        sa.case((_is_person(played.c.x_player_id), played.c.x_player_id)).label("x"),
        sa.case((_is_person(played.c.o_player_id), played.c.o_player_id)).label("o"),
    ).cte("judged")
    people = sa.union(
        *(sa.select(seat).where(seat.is_not(None)) for seat in (judged.c.x, judged.c.o))
    ).subquery()
    count = sa.func.count()
    return sa.select(
        sa.select(count).select_from(people).scalar_subquery(),
        count,
        count.filter(judged.c.x.is_(None) != judged.c.o.is_(None)),
    ).select_from(judged)


_PLAYED_SINCE = _played_since()


def _last_between_people() -> sa.Select[Any]:
    ends = [
        sa.select(games.c.id, games.c.moved_at)
        .where(games.c.listed, games.c.status == status, is_present(games.c.variant))
        .order_by(games.c.moved_at.desc(), games.c.id.desc())
        .limit(_MAX_CANDIDATES)
        .subquery()
        for status in DECIDED
    ]
    entries = sa.union(*(sa.select(end) for end in ends)).subquery()
    order = (games.c.moved_at.desc(), games.c.id.desc())
    return (
        GAME.where(
            games.c.id.in_(
                sa.select(entries.c.id)
                .order_by(entries.c.moved_at.desc(), entries.c.id.desc())
                .limit(_MAX_CANDIDATES)
            ),
            games.c.x_player_id != games.c.o_player_id,
            _is_person(games.c.x_player_id),
            _is_person(games.c.o_player_id),
        )
        .order_by(*order)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


_LAST_BETWEEN_PEOPLE = _last_between_people()


def count_played_since(connection: sa.Connection, since: datetime) -> tuple[int, int, int]:
    """Return the numbers of people who played since a time, of their games, and of those with bots.

    Of the games in which somebody has moved, the last `MAX_OF_WEEK` with a person are counted.
    """
    counts = connection.execute(_PLAYED_SINCE, {"since": since}).one()
    return counts[0], counts[1], counts[2]


def last_between_people(connection: sa.Connection, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` public games between two people, the last to end first.

    They are looked for among the last public games to end, however many there are.
    """
    return STORED_GAME.fetch_all(connection, _LAST_BETWEEN_PEOPLE, {"limit": limit})


@dataclass(frozen=True, slots=True)
class BotResult:
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
    rows = connection.execute(statement, values)
    return [
        BotResult(
            row.variant,
            row.level,
            row.moved_at,
            is_won=None if row.winner is None else row.winner == row.side,
        )
        for row in rows
    ]


@cache
def _last_results(
    bots: Sequence[tuple[str, str]], *, is_past: bool
) -> sa.CompoundSelect[tuple[object]]:
    """Return the statement, each part of which reads a piece of an index."""
    had_ended = games.c.moved_at < sa.bindparam("before", type_=Moment)
    seats = {
        Side.X: (games.c.x_player_id, games.c.o_bot),
        Side.O: (games.c.o_player_id, games.c.x_bot),
    }
    ends = [
        sa.select(
            games.c.variant,
            bot.label("level"),
            sa.literal(side.value).label("side"),
            games.c.winner,
            games.c.moved_at,
        )
        .where(
            seat == sa.bindparam("player_id", type_=sa.Integer),
            games.c.variant == variant,
            bot == level,
            games.c.x_points.is_not(None),
            # As a literal, or SQLite takes no index with this condition.
            games.c.start_ply == sa.literal_column("0"),
            *((had_ended,) if is_past else ()),
        )
        .order_by(games.c.moved_at.desc())
        .limit(sa.bindparam("limit", type_=sa.Integer))
        .subquery()
        for (side, (seat, bot)), (variant, level) in product(seats.items(), bots)
    ]
    return sa.union_all(*(sa.select(end) for end in ends))


Meeting: TypeAlias = tuple[str, frozenset[int]]
"""The key of a variant and the ids of two players who play it."""


def count_rated_together(
    connection: sa.Connection, meetings: Collection[Meeting], since: datetime
) -> Mapping[Meeting, int]:
    """Return how many games of a variant between two players may count that began since a time.

    They are rated, and nothing has kept them from counting yet.
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


def rated_games(connection: sa.Connection, after: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games that changed ratings, in order, with numbers above `after`."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return STORED_GAME.fetch_all(connection, statement.limit(limit))
