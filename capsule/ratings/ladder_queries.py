"""Reading the ladders: the ratings in a variant, the highest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa

from capsule.accounts.queries import BANNED, is_present
from capsule.db.mapper import Mapper
from capsule.db.schema.base import Moment
from capsule.db.schema.players import players
from capsule.db.schema.ratings import ratings
from capsule.ratings.model import NEEDED_OPPONENTS, Rating

MAX_RANK = 1_000
"""The largest rank that is counted for a single player."""


class LadderSection(StrEnum):
    """The two sections of a ladder; the values are those of addresses."""

    RANKED = "ranked"
    PROVISIONAL = "provisional"


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """A rating on a ladder: its holder, a player's name or a bot's level, and the rank, if any.

    If `rank_is_capped`, the rank itself was not counted, but is beyond `rank`. `is_program` says
    that the player is a program, which has no rank.
    """

    id: int
    variant: str
    holder: str
    rating: Rating
    changed_at: datetime
    is_program: bool = False
    rank: int | None = None
    rank_is_capped: bool = False


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A place on a ladder: that of the rating with this mean and id.

    `upwards` selects the ratings above it instead of those below.
    """

    mu: float
    rating_id: int
    upwards: bool


# Statements of every page are made once: making one costs more than running it.
_IS_PROGRAM = players.c.program_since.is_not(None)
_UNRANKED: Mapping[str, None] = {"rank": None, "rank_is_capped": None}
_ENTRY = Mapper(LadderEntry, ratings, holder=players.c.name, is_program=_IS_PROGRAM, **_UNRANKED)
_BOTS_ENTRY = Mapper(LadderEntry, ratings, holder=ratings.c.bot, is_program=sa.false(), **_UNRANKED)
_OF_PLAYERS = _ENTRY.select.join_from(ratings, players, players.c.id == ratings.c.player_id)
_PROGRAMS = sa.select(players.c.id).where(_IS_PROGRAM)
_OF_VARIANT = ratings.c.variant == sa.bindparam("variant")
_KEYS = (ratings.c.mu, ratings.c.id)
_PLACE = sa.tuple_(sa.bindparam("mu", type_=sa.Float), sa.bindparam("rating_id", type_=sa.Integer))
_DOWNWARDS = tuple(key.desc() for key in _KEYS)


def _in_section(section: LadderSection, table: sa.FromClause) -> Sequence[sa.ColumnElement[bool]]:
    """Return the conditions under which a rating is in a section of its variant's ladder."""
    is_uncertain = table.c.sigma > sa.bindparam("max_sigma")
    needs_opponents = sa.func.coalesce(table.c.opponents, NEEDED_OPPONENTS) < NEEDED_OPPONENTS
    is_ranked = section is LadderSection.RANKED
    return (
        table.c.player_id.is_not(None),
        table.c.player_id.not_in(_PROGRAMS),
        # Those who are erased have no rating.
        table.c.player_id.not_in(BANNED),
        sa.and_(~is_uncertain, ~needs_opponents)
        if is_ranked
        else sa.or_(is_uncertain, needs_opponents),
        table.c.changed_at >= sa.bindparam("since", type_=Moment),
    )


_IN_SECTION_OF_ANY = {section: _in_section(section, ratings) for section in LadderSection}
_IN_SECTION = {
    section: (_OF_VARIANT, *conditions) for section, conditions in _IN_SECTION_OF_ANY.items()
}
_HIGHEST_OF_ANY = {
    section: _OF_PLAYERS.where(*conditions)
    .order_by(*_DOWNWARDS)
    .limit(sa.bindparam("limit", type_=sa.Integer))
    for section, conditions in _IN_SECTION_OF_ANY.items()
}
_HIGHEST = {
    section: _OF_PLAYERS.where(*conditions).order_by(*_DOWNWARDS).limit(sa.bindparam("limit"))
    for section, conditions in _IN_SECTION.items()
}
_BEYOND = {
    (section, upwards): _OF_PLAYERS.where(
        *conditions, sa.tuple_(*_KEYS) > _PLACE if upwards else sa.tuple_(*_KEYS) < _PLACE
    )
    .order_by(*(_KEYS if upwards else _DOWNWARDS))
    .limit(sa.bindparam("limit"))
    for section, conditions in _IN_SECTION.items()
    for upwards in (True, False)
}
_COUNT_HIGHER = {
    section: sa.select(sa.func.count()).where(*conditions, ratings.c.mu > sa.bindparam("mu"))
    for section, conditions in _IN_SECTION.items()
}
_COUNT_EQUALS_BEFORE = {
    section: sa.select(sa.func.count()).where(
        *conditions, ratings.c.mu == sa.bindparam("mu"), ratings.c.id > sa.bindparam("rating_id")
    )
    for section, conditions in _IN_SECTION.items()
}
_OTHERS = ratings.alias("others")
_OTHERS_HIGHER = (
    sa.select(_OTHERS.c.id)
    .where(
        *_in_section(LadderSection.RANKED, _OTHERS),
        _OTHERS.c.variant == ratings.c.variant,
        _OTHERS.c.mu > ratings.c.mu,
    )
    .limit(sa.bindparam("limit", type_=sa.Integer))
    .correlate(ratings)
    .subquery()
)
_OF_PLAYER = _OF_PLAYERS.add_columns(
    sa.case(
        (
            sa.and_(*_IN_SECTION_OF_ANY[LadderSection.RANKED]),
            sa.select(sa.func.count()).select_from(_OTHERS_HIGHER).scalar_subquery(),
        )
    ).label("higher")
).where(ratings.c.player_id == sa.bindparam("player_id"))
_ALL = _OF_PLAYERS.where(_OF_VARIANT, is_present()).order_by(*_DOWNWARDS)
_OF_PROGRAMS = (
    # Worded so that SQLite begins with the programs, which are few, not with the ladder.
    _OF_PLAYERS.where(
        ratings.c.player_id.in_(_PROGRAMS),
        (ratings.c.variant + "") == sa.bindparam("variant"),
        is_present(),
    )
    .order_by(*_DOWNWARDS)
    .limit(sa.bindparam("limit"))
)
_OF_BOTS = (
    # It is said so that the index by player and variant is used.
    _BOTS_ENTRY.select.where(ratings.c.player_id.is_(None), _OF_VARIANT).order_by(*_DOWNWARDS)
)


Limits: TypeAlias = Mapping[str, object]
"""The time `now`, that since which ranked players have played, and their `max_sigma`.

Ranked are those with a standard deviation of `max_sigma` or less and opponents enough; the others
are provisional.
"""


def ratings_in(
    connection: sa.Connection,
    section: LadderSection,
    values: Limits,
    limit: int,
    place: LadderPlace | None = None,
) -> Sequence[LadderEntry]:
    """Return the highest ratings of a section, or those beyond a place, the nearest first.

    `values` have the variant, too; so in the functions below.
    """
    if place is None:
        return _ENTRY.fetch_all(connection, _HIGHEST[section], {**values, "limit": limit})
    values = {**values, "limit": limit, "mu": place.mu, "rating_id": place.rating_id}
    return _ENTRY.fetch_all(connection, _BEYOND[section, place.upwards], values)


def highest_in_each(
    connection: sa.Connection,
    section: LadderSection,
    variants: Sequence[str],
    limits: Limits,
    limit: int,
) -> Mapping[str, Sequence[LadderEntry]]:
    """Return the highest ratings of a section in several variants, with one statement."""
    if not variants:
        return {}
    values = {**limits, "limit": limit} | {
        f"variant_{number}": each for number, each in enumerate(variants)
    }
    found: dict[str, list[LadderEntry]] = {each: [] for each in variants}
    for entry in _ENTRY.fetch_all(connection, _highest_in_each(section, len(variants)), values):
        found[entry.variant].append(entry)
    return found


@cache
def _highest_in_each(section: LadderSection, number_of_variants: int) -> sa.Select[Any]:
    """Return the statement for as many variants: `variant_0` and so on are its parameters."""
    parts = [
        sa.select(
            _HIGHEST_OF_ANY[section]
            .where(ratings.c.variant == sa.bindparam(f"variant_{number}"))
            .subquery()
        )
        for number in range(number_of_variants)
    ]
    every = sa.union_all(*parts).subquery()
    return sa.select(every).order_by(every.c.variant, every.c.mu.desc(), every.c.id.desc())


def count_higher(
    connection: sa.Connection, section: LadderSection, values: Limits, mu: float
) -> int:
    """Return how many of a section have a higher mean."""
    return connection.execute(_COUNT_HIGHER[section], {**values, "mu": mu}).scalar_one()


def count_equals_before(
    connection: sa.Connection, section: LadderSection, values: Limits, entry: LadderEntry
) -> int:
    """Return how many of a section with exactly the same mean stand before a rating."""
    values = {**values, "mu": entry.rating.mu, "rating_id": entry.id}
    return connection.execute(_COUNT_EQUALS_BEFORE[section], values).scalar_one()


def ratings_of_player(
    connection: sa.Connection, player_id: int, limits: Limits
) -> Mapping[LadderEntry, int | None]:
    """Return a player's ratings, one for each variant in which a game has counted.

    With each comes how many ranked ratings are higher, None for one without a rank. Counting stops
    at `MAX_RANK`.
    """
    values = {**limits, "player_id": player_id, "limit": MAX_RANK}
    return {_ENTRY.read(row): row.higher for row in connection.execute(_OF_PLAYER, values)}


def ratings_of_bots(connection: sa.Connection, variant: str) -> Sequence[LadderEntry]:
    """Return the ratings of a variant's bots, the highest first."""
    return _BOTS_ENTRY.fetch_all(connection, _OF_BOTS, {"variant": variant})


def ratings_of_programs(
    connection: sa.Connection, variant: str, now: datetime, limit: int
) -> Sequence[LadderEntry]:
    """Return the highest ratings of a variant's programs that are present, up to `limit`."""
    return _ENTRY.fetch_all(
        connection, _OF_PROGRAMS, {"variant": variant, "now": now, "limit": limit}
    )


def all_ratings(connection: sa.Connection, variant: str, now: datetime) -> Sequence[LadderEntry]:
    """Return the ratings of all players of a variant who are present, the highest first."""
    return _ENTRY.fetch_all(connection, _ALL, {"variant": variant, "now": now})
