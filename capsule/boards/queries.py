"""Reading and writing the statistics of positions, and which games are counted."""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from capsule.boards.model import Place, Tally
from capsule.db.expressions import insertion
from capsule.db.mapper import Mapper
from capsule.db.schema.games import explored_positions, games
from engine import VARIANTS

_TABLE = explored_positions.c
_TALLY = Mapper(Tally, explored_positions)
_TIMES = _TABLE.people + _TABLE.bots
# The position itself comes first, then the moves made most often.
_TALLIES = (
    _TALLY.select.add_columns(_TABLE.move)
    .where(_TABLE.position == sa.bindparam("number"))
    .order_by(sa.case((_TABLE.move == "", 0), else_=1), _TIMES.desc(), _TABLE.move)
    .limit(sa.bindparam("rows"))
)


def tallies_of(connection: sa.Connection, number: int, max_moves: int) -> dict[str, Tally]:
    """Return the tallies of a position and of its most frequent moves."""
    rows = connection.execute(_TALLIES, {"number": number, "rows": max_moves + 1})
    return {row.move: _TALLY.read(row) for row in rows}


def known_values(connection: sa.Connection, numbers: Collection[int]) -> dict[int, float | None]:
    """Return X's value with best play in those of the positions that have been counted."""
    statement = sa.select(_TABLE.position, _TABLE.x_value).where(
        _TABLE.position.in_(numbers), _TABLE.move == ""
    )
    return {row.position: row.x_value for row in connection.execute(statement)}


def games_due(connection: sa.Connection, last: str, limit: int) -> Sequence[sa.Row[str, bool]]:
    """Return up to `limit` games after the id `last`: to count if `is_listed`, else to subtract."""
    statement = sa.select(games.c.id, games.c.listed.label("is_listed")).where(
        # SQLite uses a partial index only if a query states the condition in exactly this form.
        sa.text("x_points IS NOT NULL AND listed <> explored"),
        games.c.id > last,
        # Those of an absent variant are counted once its rules are known again.
        games.c.variant.in_(VARIANTS),
    )
    return connection.execute(statement.order_by(games.c.id).limit(limit)).all()


def mark(connection: sa.Connection, game_id: str, *, is_listed: bool) -> bool:
    """Mark a game as counted or as subtracted; return False if that is no longer due."""
    due = sa.update(games).where(
        games.c.id == game_id,
        games.c.listed == is_listed,
        games.c.explored != is_listed,
        games.c.x_points.is_not(None),
    )
    return connection.execute(due.values(explored=is_listed)).rowcount == 1


def add(connection: sa.Connection, tallies: Mapping[Place, Tally]) -> None:
    """Add tallies to the stored ones, and delete those that add up to nothing."""
    rows = [
        {"position": number, "move": move, **_TALLY.values(tally)}
        # In order, so that two processes that add at the same time do not wait for each other.
        for (number, move), tally in sorted(tallies.items(), key=lambda item: item[0])
    ]
    if not rows:
        return
    new = insertion(connection, explored_positions)
    added = {
        column.name: column + new.excluded[column.name]
        for column in (_TABLE.people, _TABLE.people_points, _TABLE.bots, _TABLE.bots_points)
    }
    value = sa.func.coalesce(_TABLE.x_value, new.excluded.x_value)
    connection.execute(
        new.on_conflict_do_update(
            index_elements=["position", "move"], set_={**added, "x_value": value}
        ),
        rows,
    )
    if any(tally.times < 0 for tally in tallies.values()):
        touched = {number for number, _ in tallies}
        connection.execute(
            sa.delete(explored_positions).where(_TABLE.position.in_(touched), _TIMES == 0)
        )


def forget_all(connection: sa.Connection) -> None:
    """Delete all tallies and all marks of counted games."""
    connection.execute(sa.delete(explored_positions))
    connection.execute(sa.update(games).where(games.c.explored).values(explored=False))


def count_games(connection: sa.Connection) -> int:
    """Return the number of listed games with a result."""
    statement = sa.select(sa.func.count()).where(games.c.listed, games.c.x_points.is_not(None))
    return connection.execute(statement).scalar_one()
