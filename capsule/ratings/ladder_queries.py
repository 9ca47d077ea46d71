"""Reading the ladders: who is rated in a variant, the highest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Float, Integer, bindparam, func, select, tuple_

from capsule.db.schema.base import Moment
from capsule.db.schema.players import players
from capsule.db.schema.ratings import ratings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select


@dataclass(frozen=True)
class StoredRating:
    """A rating as stored, and whose it is: a player's name, or a bot's level."""

    id: int
    variant: str
    holder: str
    mu: float
    sigma: float
    games: int
    changed_at: datetime


@dataclass(frozen=True)
class Step:
    """A place on a ladder: at the rating with this mean and id.

    `upwards` looks from there to those above it, else to those below.
    """

    mu: float
    rating_id: int
    upwards: bool


@dataclass(frozen=True)
class Section:
    """Those on a variant's ladder who have played since a time, and how well they are known.

    Their standard deviation is `certain` or less where `is_ranked`, else more.
    """

    variant: str
    since: datetime
    certain: float
    is_ranked: bool = True


def _rating_of(holder: Any) -> Select[Any]:  # noqa: ANN401 - a column of either table
    return select(
        ratings.c.id,
        ratings.c.variant,
        holder,
        ratings.c.mu,
        ratings.c.sigma,
        ratings.c.games,
        ratings.c.changed_at,
    )


# Statements of every page are made once: making one costs more than running it.
_OF_PLAYERS = _rating_of(players.c.name).join_from(
    ratings, players, players.c.id == ratings.c.player_id
)
_OF_VARIANT = ratings.c.variant == bindparam("variant")
_KEYS = (ratings.c.mu, ratings.c.id)
_PLACE = tuple_(bindparam("mu", type_=Float), bindparam("rating_id", type_=Integer))
_DOWNWARDS = tuple(key.desc() for key in _KEYS)
_KNOWN = {
    True: ratings.c.sigma <= bindparam("certain"),
    False: ratings.c.sigma > bindparam("certain"),
}
_WHO = {
    is_ranked: (
        _OF_VARIANT,
        ratings.c.player_id.is_not(None),
        known,
        ratings.c.changed_at >= bindparam("since", type_=Moment),
    )
    for is_ranked, known in _KNOWN.items()
}
_HIGHEST = {
    is_ranked: _OF_PLAYERS.where(*who).order_by(*_DOWNWARDS).limit(bindparam("most"))
    for is_ranked, who in _WHO.items()
}
_BESIDE = {
    (is_ranked, upwards): _OF_PLAYERS.where(
        *who, tuple_(*_KEYS) > _PLACE if upwards else tuple_(*_KEYS) < _PLACE
    )
    .order_by(*(_KEYS if upwards else _DOWNWARDS))
    .limit(bindparam("most"))
    for is_ranked, who in _WHO.items()
    for upwards in (True, False)
}
_HIGHER = {
    is_ranked: select(ratings.c.id).where(*who, ratings.c.mu > bindparam("mu"))
    for is_ranked, who in _WHO.items()
}
_COUNT_HIGHER = {
    is_ranked: higher.with_only_columns(func.count()) for is_ranked, higher in _HIGHER.items()
}
_COUNT_HIGHER_UP_TO = {
    is_ranked: select(func.count()).select_from(higher.limit(bindparam("most")).subquery())
    for is_ranked, higher in _HIGHER.items()
}
_COUNT_EQUALS_BEFORE = {
    is_ranked: select(func.count()).where(
        *who, ratings.c.mu == bindparam("mu"), ratings.c.id > bindparam("rating_id")
    )
    for is_ranked, who in _WHO.items()
}
_OF_PLAYER = _OF_PLAYERS.where(ratings.c.player_id == bindparam("player_id"))
_ALL = _OF_PLAYERS.where(_OF_VARIANT).order_by(*_DOWNWARDS)
_OF_BOTS = (
    _rating_of(ratings.c.bot)
    # It is said so that the index by player and variant is used.
    .where(ratings.c.player_id.is_(None), _OF_VARIANT)
    .order_by(*_DOWNWARDS)
)


def ratings_in(
    connection: Connection, section: Section, most: int, step: Step | None = None
) -> Sequence[StoredRating]:
    """Return the highest ratings of a section, or those beyond a step, the nearest to it first."""
    if step is None:
        rows = connection.execute(_HIGHEST[section.is_ranked], {**_values(section), "most": most})
    else:
        rows = connection.execute(
            _BESIDE[section.is_ranked, step.upwards],
            {**_values(section), "mu": step.mu, "rating_id": step.rating_id, "most": most},
        )
    return [StoredRating(*row) for row in rows.all()]


def count_higher(connection: Connection, section: Section, mu: float, most: int | None) -> int:
    """Return how many of a section have a higher mean than this; counting stops at `most`."""
    values = {**_values(section), "mu": mu}
    if most is None:
        return connection.execute(_COUNT_HIGHER[section.is_ranked], values).scalar_one()
    return connection.execute(
        _COUNT_HIGHER_UP_TO[section.is_ranked], {**values, "most": most}
    ).scalar_one()


def count_equals_before(connection: Connection, section: Section, rating: StoredRating) -> int:
    """Return how many of a section stand before a rating with the same mean, to the last bit."""
    values = {**_values(section), "mu": rating.mu, "rating_id": rating.id}
    return connection.execute(_COUNT_EQUALS_BEFORE[section.is_ranked], values).scalar_one()


def ratings_of_player(connection: Connection, player_id: int) -> Sequence[StoredRating]:
    """Return a player's ratings, one a variant that counted."""
    rows = connection.execute(_OF_PLAYER, {"player_id": player_id})
    return [StoredRating(*row) for row in rows.all()]


def ratings_of_bots(connection: Connection, variant: str) -> Sequence[StoredRating]:
    """Return the ratings of a variant's bots, the highest first."""
    return [StoredRating(*row) for row in connection.execute(_OF_BOTS, {"variant": variant}).all()]


def all_ratings(connection: Connection, variant: str) -> Sequence[StoredRating]:
    """Return the ratings of all players of a variant, the highest first."""
    return [StoredRating(*row) for row in connection.execute(_ALL, {"variant": variant}).all()]


def _values(section: Section) -> dict[str, object]:
    return {"variant": section.variant, "since": section.since, "certain": section.certain}
