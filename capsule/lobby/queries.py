"""Reading what profiles and feeds show."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from operator import add
from typing import Any

import sqlalchemy as sa

from capsule.accounts.names import bot_name
from capsule.accounts.queries import is_present as is_player_present
from capsule.db.schema.games import games, is_present, moves
from capsule.db.schema.players import players
from capsule.db.schema.ratings import rating_changes
from capsule.games.model import StoredMove
from capsule.games.queries import STORED_MOVE
from capsule.ratings.model import INITIAL, Rating
from capsule.ui.drawings import plot_rating


def last_moves(
    connection: sa.Connection, game_ids: Iterable[str], limit: int
) -> Mapping[str, Sequence[StoredMove]]:
    """Return the last moves of each game in order, up to `limit` of them.

    Games in which nobody has moved are left out.
    """
    statement = (
        sa.select(*STORED_MOVE.columns, moves.c.game_id)
        .join(games, games.c.id == moves.c.game_id)
        .where(
            games.c.id.in_(tuple(game_ids)),
            moves.c.ply > games.c.ply - limit,
            moves.c.ply > games.c.start_ply,
        )
        .order_by(moves.c.game_id, moves.c.ply)
    )
    found: dict[str, list[StoredMove]] = {}
    for row in connection.execute(statement):
        found.setdefault(row.game_id, []).append(STORED_MOVE.read(row))
    return found


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """A player's numbers of wins, draws and losses, and the points of both sides."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    points_against: float = 0.0

    def __add__(self, other: "ResultCounts") -> "ResultCounts":
        """Return the numbers of both."""
        return ResultCounts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """The number of a player's rating in a variant over time, in stretches of about as many games.

    `ranges` has the lowest and the highest number of each stretch, in order of time. `best` is the
    highest number while the rating was not provisional, None for a rating that always was.
    """

    games: int
    best: int | None
    ranges: Sequence[tuple[int, int]]

    @property
    def lowest(self) -> int:
        """The lowest number, that of a new player included."""
        return min(INITIAL.number, *(low for low, _ in self.ranges))

    @property
    def highest(self) -> int:
        """The highest number, likewise."""
        return max(INITIAL.number, *(high for _, high in self.ranges))

    def drawing(self, columns: int) -> str:
        """Return the numbers as a plot that is no wider."""
        return plot_rating(self.ranges, 1, self.games, columns)


# SQLite uses the index of such games only if a query repeats the condition of the index.
_IS_PUBLIC = sa.and_(games.c.x_points.is_not(None), sa.or_(games.c.listed, games.c.rated))


def _results_of(side: str, other: str) -> sa.Select[Any]:
    return sa.select(
        games.c.moved_at,
        games.c.id,
        games.c.variant,
        games.c[f"{other}_player_id"].label("other_id"),
        games.c[f"{other}_bot"].label("bot"),
        games.c[f"{side}_points"].label("points"),
        games.c[f"{other}_points"].label("against"),
    ).where(
        games.c[f"{side}_player_id"] == sa.bindparam("player_id"),
        _IS_PUBLIC,
        is_present(games.c.variant),
        # Playing both sides is nobody's result.
        games.c.x_player_id.is_distinct_from(games.c.o_player_id),
    )


_RESULTS = sa.union_all(_results_of("x", "o"), _results_of("o", "x")).subquery()
_COUNTS = (
    sa.func.count().label("games"),
    sa.func.sum(sa.case((_RESULTS.c.points > _RESULTS.c.against, 1), else_=0)).label("won"),
    sa.func.sum(sa.case((_RESULTS.c.points == _RESULTS.c.against, 1), else_=0)).label("drawn"),
    sa.func.sum(sa.case((_RESULTS.c.points < _RESULTS.c.against, 1), else_=0)).label("lost"),
    sa.func.sum(_RESULTS.c.points).label("points"),
    sa.func.sum(_RESULTS.c.against).label("points_against"),
)

# Statements of every page are made once: making one costs more than running it.
_BY_VARIANT_AND_LEVEL = sa.select(_RESULTS.c.variant, _RESULTS.c.bot, *_COUNTS).group_by(
    _RESULTS.c.variant, _RESULTS.c.bot
)
_MET = (
    sa.select(_RESULTS.c.other_id, *_COUNTS)
    .where(_RESULTS.c.other_id.is_not(None))
    .group_by(_RESULTS.c.other_id)
    .subquery()
)
# Former players are one opponent: nobody need know any more which of them it was.
_NAME = sa.case((players.c.name == "", sa.null()), else_=players.c.name).label("name")
_AGAINST = (
    sa.select(_NAME, *(sa.func.sum(_MET.c[each.name]).label(each.name) for each in _COUNTS))
    .join_from(_MET, players, players.c.id == _MET.c.other_id)
    .group_by(_NAME)
    .subquery()
)
_BY_OPPONENT = (
    sa.select(
        _AGAINST,
        sa.func.count().over().label("all_opponents"),
        sa.func.sum(_AGAINST.c.games).over().label("all_games"),
    )
    .order_by(_AGAINST.c.games.desc(), _AGAINST.c.name)
    .limit(sa.bindparam("limit"))
)
_MARGINS = (
    sa.select(_RESULTS.c.points - _RESULTS.c.against)
    .join_from(_RESULTS, players, players.c.id == _RESULTS.c.other_id)
    .where(players.c.program_since.is_(None))
    .order_by(_RESULTS.c.moved_at, _RESULTS.c.id)
)
_STRETCHES = (
    sa.select(
        rating_changes.c.variant,
        rating_changes.c.mu,
        rating_changes.c.sigma,
        sa.func.ntile(sa.bindparam("stretches", type_=sa.Integer))
        .over(partition_by=rating_changes.c.variant, order_by=rating_changes.c.number)
        .label("stretch"),
    )
    .where(rating_changes.c.player_id == sa.bindparam("player_id"))
    .subquery()
)
_HISTORIES = (
    sa.select(
        _STRETCHES.c.variant,
        sa.func.count().label("games"),
        sa.func.min(_STRETCHES.c.mu).label("lowest"),
        sa.func.max(_STRETCHES.c.mu).label("highest"),
        sa.func.max(
            sa.case((_STRETCHES.c.sigma <= sa.bindparam("max_sigma"), _STRETCHES.c.mu))
        ).label("best"),
    )
    .group_by(_STRETCHES.c.variant, _STRETCHES.c.stretch)
    .order_by(_STRETCHES.c.variant, _STRETCHES.c.stretch)
)
_LAST_LETTERS = "z" * 24


def results_by_variant_and_level(
    connection: sa.Connection, player_id: int
) -> tuple[Mapping[str, ResultCounts], Mapping[str, ResultCounts]]:
    """Return a player's results in each variant, and those against the bots of each level."""
    by_variant: defaultdict[str, ResultCounts] = defaultdict(ResultCounts)
    by_level: defaultdict[str, ResultCounts] = defaultdict(ResultCounts)
    for row in connection.execute(_BY_VARIANT_AND_LEVEL, {"player_id": player_id}):
        counts = _result_counts(row)
        by_variant[row.variant] += counts
        if row.bot is not None:
            by_level[row.bot] += counts
    return by_variant, by_level


def results_by_opponent(
    connection: sa.Connection, player_id: int, limit: int
) -> tuple[Mapping[str | None, ResultCounts], int, int]:
    """Return a player's results against up to `limit` opponents, those met most often first.

    They are by name, None for all former players together. Return as well how many others there
    are, and the number of games with them.
    """
    rows = connection.execute(_BY_OPPONENT, {"player_id": player_id, "limit": limit}).all()
    if not rows:
        return {}, 0, 0
    found = {row.name: _result_counts(row) for row in rows}
    games_with_others = int(rows[0].all_games) - sum(each.games for each in found.values())
    return found, rows[0].all_opponents - len(found), games_with_others


def winning_margins(connection: sa.Connection, player_id: int) -> Sequence[float]:
    """Return the player's points minus the opponent's in each game against people, in order."""
    return connection.execute(_MARGINS, {"player_id": player_id}).scalars().all()


def rating_histories(
    connection: sa.Connection, player_id: int, stretches: int, max_sigma: float
) -> Mapping[str, RatingHistory]:
    """Return the histories of a player's ratings by variant, each in up to `stretches` stretches.

    A rating is not provisional if its standard deviation is `max_sigma` or less.
    """
    values = {"player_id": player_id, "stretches": stretches, "max_sigma": max_sigma}
    found: dict[str, list[sa.Row[Any]]] = {}
    for row in connection.execute(_HISTORIES, values):
        found.setdefault(row.variant, []).append(row)
    return {variant: _history(rows) for variant, rows in found.items()}


def newest(connection: sa.Connection, now: datetime, limit: int) -> Mapping[str, str]:
    """Return the newest players who are present: the names on pages by those in addresses.

    The last one comes first.
    """
    statement = (
        sa.select(players.c.name, players.c.program_since.is_not(None).label("is_program"))
        .where(is_player_present())
        .order_by(players.c.id.desc())
        .limit(limit)
    )
    rows = connection.execute(statement, {"now": now})
    return {row.name: bot_name(row.name) if row.is_program else row.name for row in rows}


def similar_names(
    connection: sa.Connection, skeleton: str, now: datetime, limit: int
) -> Sequence[str]:
    """Return up to `limit` names whose skeleton begins with this one, in alphabetical order.

    They are of players who are present.
    """
    # A range of the index: a skeleton has letters and digits alone.
    begins_so = players.c.likeness.between(skeleton, skeleton + _LAST_LETTERS)
    statement = sa.select(players.c.name).where(begins_so, is_player_present())
    statement = statement.order_by(players.c.likeness).limit(limit)
    return connection.execute(statement, {"now": now}).scalars().all()


def _result_counts(row: sa.Row[Any]) -> ResultCounts:
    # PostgreSQL's sums of whole numbers are decimal ones.
    return ResultCounts(
        games=int(row.games),
        won=int(row.won),
        drawn=int(row.drawn),
        lost=int(row.lost),
        points=row.points,
        points_against=row.points_against,
    )


def _history(rows: Sequence[sa.Row[Any]]) -> RatingHistory:
    best = max((row.best for row in rows if row.best is not None), default=None)
    return RatingHistory(
        games=sum(row.games for row in rows),
        best=None if best is None else Rating(best).number,
        ranges=[(Rating(row.lowest).number, Rating(row.highest).number) for row in rows],
    )
