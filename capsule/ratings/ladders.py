"""The ladders: the players of a variant, ordered by their ratings.

Players are ranked if their rating is no longer provisional and they have finished a rated game of
the variant within a year. Bots and programs have separate lists. Banned players are on none.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.accounts.queries import BANNED, is_present
from capsule.context import Transaction
from capsule.db.mapper import Mapper
from capsule.db.schema.base import Moment
from capsule.db.schema.players import players
from capsule.db.schema.ratings import ratings
from capsule.ratings.model import NEEDED_OPPONENTS, POINTS_PER_MU, PROVISIONAL_ABOVE, Rating
from capsule.ui.paging import Slice, read_slice
from engine import VARIANTS
from engine.bots.levels import level_label

MAX_RANK = 1_000
"""The largest rank that is counted for a single player."""

PAGE_SIZE = 50
"""The number of players of a section on one page."""

MAX_PROGRAMS = 50
"""The number of programs on a ladder."""

LEADERS = 3
"""The number of players of each ladder on the page of all players."""

ACTIVE = timedelta(days=365)
"""After this long without a rated game, a player has no rank in a variant until the next one."""

MAX_RANKED_SIGMA = (PROVISIONAL_ABOVE + 0.5) / (2 * POINTS_PER_MU)
"""The largest standard deviation of a rating that is not provisional: uncertainties are rounded."""


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
        # Erased players have no rating.
        table.c.player_id.not_in(BANNED),
        sa.and_(~is_uncertain, ~needs_opponents)
        if is_ranked
        else sa.or_(is_uncertain, needs_opponents),
        table.c.changed_at >= sa.bindparam("since", type_=Moment),
    )


def _highest(section: LadderSection, variant: sa.ColumnElement[str]) -> sa.Select[Any]:
    """Return the statement of the highest ratings of a section in a variant."""
    conditions = (ratings.c.variant == variant, *_in_section(section, ratings))
    return _OF_PLAYERS.where(*conditions).order_by(*_DOWNWARDS).limit(sa.bindparam("limit"))


_IN_SECTION = {section: (_OF_VARIANT, *_in_section(section, ratings)) for section in LadderSection}
_HIGHEST = {section: _highest(section, sa.bindparam("variant")) for section in LadderSection}
_BEYOND = {
    (section, upwards): _OF_PLAYERS.where(
        *conditions, sa.tuple_(*_KEYS) > _PLACE if upwards else sa.tuple_(*_KEYS) < _PLACE
    )
    .order_by(*(_KEYS if upwards else _DOWNWARDS))
    .limit(sa.bindparam("limit"))
    for section, conditions in _IN_SECTION.items()
    for upwards in (True, False)
}
# Ratings of the same mean that stand before a rating share its rank.
_COUNT_BEFORE = sa.select(
    sa.func.count().filter(ratings.c.mu > sa.bindparam("mu")), sa.func.count()
).where(*_IN_SECTION[LadderSection.RANKED], sa.tuple_(*_KEYS) > _PLACE)
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
            sa.and_(*_in_section(LadderSection.RANKED, ratings)),
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
    # Worded so that the index by player and variant is used.
    _BOTS_ENTRY.select.where(ratings.c.player_id.is_(None), _OF_VARIANT).order_by(*_DOWNWARDS)
)


def read_section(
    transaction: Transaction, variant: str, section: LadderSection, place: LadderPlace | None
) -> Slice[LadderEntry]:
    """Return a slice of a section of a variant's ladder, the highest entries first.

    It begins at a place, or at the top if there is none or nobody is beyond it. A place is a
    rating, not a rank: nobody is skipped because others climb meanwhile.
    """
    values = _values(transaction, variant=variant)

    def read(limit: int, beyond: LadderPlace | None) -> Sequence[LadderEntry]:
        statement, key = _HIGHEST[section], {}
        if beyond is not None:
            statement = _BEYOND[section, beyond.upwards]
            key = {"mu": beyond.mu, "rating_id": beyond.rating_id}
        return _ENTRY.fetch_all(
            transaction.connection, statement, {**values, **key, "limit": limit}
        )

    found = read_slice(PAGE_SIZE, read, place, backwards=place is not None and place.upwards)
    if not found.items or section is not LadderSection.RANKED:
        return found
    first = found.items[0]
    key = {"mu": first.rating.mu, "rating_id": first.id}
    higher, before = transaction.connection.execute(_COUNT_BEFORE, {**values, **key}).one()
    return replace(found, items=_with_ranks(found.items, higher, before))


def leaders(transaction: Transaction) -> Mapping[str, Sequence[LadderEntry]]:
    """Return the first of each ladder, by variant: ranked players, then provisional ones.

    Where there are enough of the former, none of the latter are read.
    """
    ranked = _leaders_in(transaction, LadderSection.RANKED, VARIANTS)
    short = [variant for variant, found in ranked.items() if len(found) < LEADERS]
    provisional = _leaders_in(transaction, LadderSection.PROVISIONAL, short)
    return {
        variant: [*_with_ranks(found), *provisional.get(variant, ())][:LEADERS]
        for variant, found in ranked.items()
    }


def _leaders_in(
    transaction: Transaction, section: LadderSection, variants: Iterable[str]
) -> Mapping[str, Sequence[LadderEntry]]:
    """Return the highest ratings of a section in each of these variants, by one statement."""
    found: dict[str, list[LadderEntry]] = {variant: [] for variant in variants}
    if found:
        statement = _highest_in_each(section, (*found,))
        values = _values(transaction, limit=LEADERS)
        for entry in _ENTRY.fetch_all(transaction.connection, statement, values):
            found[entry.variant].append(entry)
    return found


@cache
def _highest_in_each(section: LadderSection, variants: tuple[str, ...]) -> sa.Select[Any]:
    parts = [sa.select(_highest(section, sa.literal(variant)).subquery()) for variant in variants]
    every = sa.union_all(*parts).subquery()
    return sa.select(every).order_by(every.c.variant, every.c.mu.desc(), every.c.id.desc())


def bots_of(transaction: Transaction, variant: str) -> Sequence[LadderEntry]:
    """Return the rated bots of a variant by their labels, the highest first."""
    found = _bots_of(transaction, variant)
    return [replace(each, holder=level_label(each.holder)) for each in found]


def _bots_of(transaction: Transaction, variant: str) -> Sequence[LadderEntry]:
    return _BOTS_ENTRY.fetch_all(transaction.connection, _OF_BOTS, {"variant": variant})


def programs_of(transaction: Transaction, variant: str) -> Sequence[LadderEntry]:
    """Return the programs of a variant that are present, the highest first."""
    values = _values(transaction, variant=variant, limit=MAX_PROGRAMS)
    return _ENTRY.fetch_all(transaction.connection, _OF_PROGRAMS, values)


def entries_of(transaction: Transaction, player: Player) -> Mapping[str, LadderEntry]:
    """Return a player's entries by variant, in the order of the variants."""
    values = _values(transaction, player_id=player.id, limit=MAX_RANK)
    found = {
        row.variant: _with_rank(_ENTRY.read(row), row.higher)
        for row in transaction.connection.execute(_OF_PLAYER, values)
    }
    return {variant: found[variant] for variant in VARIANTS if variant in found}


def as_csv(transaction: Transaction, variant: str) -> str:
    """Return a variant's whole ladder as CSV (RFC 4180); without a rank, that field is empty.

    Programs are in it, and have no rank.

    No spreadsheet takes a field for a formula: a name begins with a letter or a digit.
    """
    values = _values(transaction, variant=variant)
    found = _ENTRY.fetch_all(transaction.connection, _ALL, values)
    since = transaction.now - ACTIVE
    ranks = _ranks(each for each in found if _is_ranked(each, since))
    header = (
        "rank", "name", "rating", "uncertainty", "provisional", "games", "last_game", "program",
    )  # fmt: skip
    return _csv(
        header,
        (
            (next(ranks) if _is_ranked(each, since) else "", *_fields(each), _word(each.is_program))
            for each in found
        ),
    )


def bots_as_csv(transaction: Transaction, variant: str) -> str:
    """Return the ratings of a variant's bots as CSV."""
    header = ("level", "rating", "uncertainty", "provisional", "games", "last_game")
    return _csv(header, map(_fields, _bots_of(transaction, variant)))


def _values(transaction: Transaction, **others: object) -> Mapping[str, object]:
    """Return the values of a statement: those that decide who has a rank now, and others."""
    now = transaction.now
    return {"now": now, "since": now - ACTIVE, "max_sigma": MAX_RANKED_SIGMA, **others}


def _with_rank(entry: LadderEntry, higher: int | None) -> LadderEntry:
    """Return an entry with its rank, given how many are higher; None means that it has no rank."""
    if higher is None:
        return entry
    is_capped = higher >= MAX_RANK
    return replace(entry, rank=MAX_RANK if is_capped else higher + 1, rank_is_capped=is_capped)


def _is_ranked(entry: LadderEntry, since: datetime) -> bool:
    is_certain = entry.rating.sigma <= MAX_RANKED_SIGMA and not entry.rating.needs_opponents
    return is_certain and entry.changed_at >= since and not entry.is_program


def _with_ranks(
    entries: Sequence[LadderEntry], higher: int = 0, before: int = 0
) -> Sequence[LadderEntry]:
    """Return neighbouring entries with their ranks; see `_ranks`."""
    ranks = _ranks(entries, higher, before)
    return [replace(each, rank=rank) for each, rank in zip(entries, ranks, strict=True)]


def _ranks(entries: Iterable[LadderEntry], higher: int = 0, before: int = 0) -> Iterator[int]:
    """Yield the ranks of neighbouring ratings: equal ratings share the first of their ranks.

    Of the ratings `before` the first one, as many as `higher` are higher, the others the same.
    """
    rank, last = higher + 1, None
    for number, each in enumerate(entries, start=before + 1):
        if last is not None and each.rating.mu != last:
            rank = number
        yield rank
        last = each.rating.mu


def _word(holds: bool) -> str:  # noqa: FBT001 - what it puts into a word
    return "yes" if holds else "no"


def _fields(entry: LadderEntry) -> tuple[str | int, ...]:
    shown = entry.rating
    return (
        entry.holder,
        shown.number,
        shown.uncertainty,
        _word(shown.is_provisional),
        shown.games,
        entry.changed_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
