"""Reading what a player's page tells: how games went that count for all, and how ratings went.

Those games have ended, were not called off, and are listed or rated. What is read is the player's
own alone, from indexes that have all that is asked, however many games others play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, and_, bindparam, case, func, null, or_, select, union_all

from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.ratings import rating_changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Select


@dataclass(frozen=True)
class Results:
    """How games went for a player: how many of each, and the points of both sides."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    points_against: float = 0.0


@dataclass(frozen=True)
class Opponent:
    """How games against a player went; `name` is None for all who have been erased."""

    name: str | None
    results: Results


@dataclass(frozen=True)
class Course:
    """How the mean of a player's rating went in the rated games of a variant, cut into parts.

    `ranges` has the lowest and the highest mean of each part, in order. `best` is the highest while
    the rating was not provisional, None where it always was.
    """

    games: int
    best: float | None
    ranges: Sequence[tuple[float, float]]


# SQLite takes the index of such games only where a query says so in the very words of the index.
_COUNTS_FOR_ALL = and_(games.c.x_points.is_not(None), or_(games.c.listed, games.c.rated))


def _results_of(side: str, other: str) -> Select[Any]:
    return select(
        games.c.moved_at,
        games.c.id,
        games.c.variant,
        games.c[f"{other}_player_id"].label("other_id"),
        games.c[f"{other}_bot"].label("bot"),
        games.c[f"{side}_points"].label("points"),
        games.c[f"{other}_points"].label("against"),
    ).where(
        games.c[f"{side}_player_id"] == bindparam("player_id"),
        _COUNTS_FOR_ALL,
        # A game that somebody played alone is nobody's result.
        games.c.x_player_id.is_distinct_from(games.c.o_player_id),
    )


_RESULTS = union_all(_results_of("x", "o"), _results_of("o", "x")).subquery()
_COUNTS = (
    func.count().label("games"),
    func.sum(case((_RESULTS.c.points > _RESULTS.c.against, 1), else_=0)).label("won"),
    func.sum(case((_RESULTS.c.points == _RESULTS.c.against, 1), else_=0)).label("drawn"),
    func.sum(case((_RESULTS.c.points < _RESULTS.c.against, 1), else_=0)).label("lost"),
    func.sum(_RESULTS.c.points).label("points"),
    func.sum(_RESULTS.c.against).label("against"),
)

# Statements of every page are made once: making one costs more than running it.
_BY_VARIANT = select(_RESULTS.c.variant, *_COUNTS).group_by(_RESULTS.c.variant)
_BY_LEVEL = (
    select(_RESULTS.c.bot, *_COUNTS).where(_RESULTS.c.bot.is_not(None)).group_by(_RESULTS.c.bot)
)
_MET = (
    select(_RESULTS.c.other_id, *_COUNTS)
    .where(_RESULTS.c.other_id.is_not(None))
    .group_by(_RESULTS.c.other_id)
    .subquery()
)
# Those who have been erased are one opponent: which of them it was is nobody's business any more.
_NAME = case((players.c.name == "", null()), else_=players.c.name).label("name")
_AGAINST = (
    select(_NAME, *(func.sum(_MET.c[each.name]).label(each.name) for each in _COUNTS))
    .join_from(_MET, players, players.c.id == _MET.c.other_id)
    .group_by(_NAME)
    .subquery()
)
_BY_OPPONENT = (
    select(_AGAINST, func.count().over(), func.sum(_AGAINST.c.games).over())
    .order_by(_AGAINST.c.games.desc(), _AGAINST.c.name)
    .limit(bindparam("most"))
)
_IN_ORDER = (
    select(_RESULTS.c.points - _RESULTS.c.against)
    .where(_RESULTS.c.other_id.is_not(None))
    .order_by(_RESULTS.c.moved_at, _RESULTS.c.id)
)
_CUT = (
    select(
        rating_changes.c.variant,
        rating_changes.c.mu,
        rating_changes.c.sigma,
        func.ntile(bindparam("parts", type_=Integer))
        .over(partition_by=rating_changes.c.variant, order_by=rating_changes.c.number)
        .label("part"),
    )
    .where(rating_changes.c.player_id == bindparam("player_id"))
    .subquery()
)
_COURSES = (
    select(
        _CUT.c.variant,
        func.count(),
        func.min(_CUT.c.mu),
        func.max(_CUT.c.mu),
        func.max(case((_CUT.c.sigma <= bindparam("certain"), _CUT.c.mu))),
    )
    .group_by(_CUT.c.variant, _CUT.c.part)
    .order_by(_CUT.c.variant, _CUT.c.part)
)
_NEWEST = (
    select(players.c.name)
    .where(players.c.name != "")
    .order_by(players.c.id.desc())
    .limit(bindparam("most"))
)
_LAST_LETTERS = "z" * 24
_BEGINNING_LIKE = (
    select(players.c.name)
    .where(
        # A range of the index; likenesses have letters and digits alone.
        players.c.likeness.between(bindparam("beginning"), bindparam("end")),
        players.c.name != "",
    )
    .order_by(players.c.likeness)
    .limit(bindparam("most"))
)


def results_by_variant(connection: Connection, player_id: int) -> Mapping[str, Results]:
    """Return how a player's games went, by variant."""
    rows = connection.execute(_BY_VARIANT, {"player_id": player_id})
    return {variant: _results(counts) for variant, *counts in rows}


def results_by_level(connection: Connection, player_id: int) -> Mapping[str, Results]:
    """Return how a player's games against bots went, by the bots' level."""
    rows = connection.execute(_BY_LEVEL, {"player_id": player_id})
    return {level: _results(counts) for level, *counts in rows}


def results_by_opponent(
    connection: Connection, player_id: int, most: int
) -> tuple[Sequence[Opponent], int, int]:
    """Return the `most` opponents met most, and how many there are in all, in how many games."""
    rows = connection.execute(_BY_OPPONENT, {"player_id": player_id, "most": most}).all()
    if not rows:
        return (), 0, 0
    opponents = [Opponent(name, _results(counts)) for name, *counts, _, _ in rows]
    return opponents, rows[0][-2], int(rows[0][-1])


def differences(connection: Connection, player_id: int) -> Sequence[float]:
    """Return by how many points each game against a player was won, in the order they ended."""
    return connection.execute(_IN_ORDER, {"player_id": player_id}).scalars().all()


def courses_of_ratings(
    connection: Connection, player_id: int, parts: int, certain: float
) -> Mapping[str, Course]:
    """Return how a player's ratings went, by variant, in that many parts at the most.

    A rating with a standard deviation up to `certain` is not provisional.
    """
    which = {"player_id": player_id, "parts": parts, "certain": certain}
    found: dict[str, list[Sequence[Any]]] = {}
    for variant, *part in connection.execute(_COURSES, which):
        found.setdefault(variant, []).append(part)
    return {variant: _course(each) for variant, each in found.items()}


def newest_players(connection: Connection, most: int) -> Sequence[str]:
    """Return the names of those who became players last, the newest first."""
    return connection.execute(_NEWEST, {"most": most}).scalars().all()


def names_beginning_like(connection: Connection, likeness: str, most: int) -> Sequence[str]:
    """Return names whose likeness begins with this one, in its order."""
    which = {"beginning": likeness, "end": likeness + _LAST_LETTERS, "most": most}
    return connection.execute(_BEGINNING_LIKE, which).scalars().all()


def _results(counts: Sequence[Any]) -> Results:
    # PostgreSQL sums up whole numbers to decimal ones.
    played, won, drawn, lost = map(int, counts[:4])
    return Results(played, won, drawn, lost, *counts[4:])


def _course(parts: Sequence[Sequence[Any]]) -> Course:
    return Course(
        games=sum(count for count, *_ in parts),
        best=max((best for *_, best in parts if best is not None), default=None),
        ranges=[(lowest, highest) for _, lowest, highest, _ in parts],
    )
