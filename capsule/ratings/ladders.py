"""The ladders: the players of a variant, ordered by their ratings.

Players are ranked if their rating is no longer provisional and they have finished a rated game of
the variant within a year. Bots have lists of their own, and so have players who are programs. Those
who are banned are on none.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.ratings import ladder_queries
from capsule.ratings.ladder_queries import (
    MAX_RANK,
    LadderPlace,
    LadderRating,
    LadderSection,
    SectionFilter,
)
from capsule.ratings.model import POINTS_PER_MU, PROVISIONAL_ABOVE, Rating
from capsule.ui import paging
from engine import VARIANTS
from engine.bots.levels import level_label

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


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """A rating on a ladder: its holder, a player's name or a bot's level, and the rank, if any.

    If `rank_is_capped`, the rank itself was not counted, but is beyond `rank`. `is_program` says
    that the player is a program, which has no rank.
    """

    holder: str
    rating: Rating
    last_game: datetime
    rank: int | None = None
    rank_is_capped: bool = False
    is_program: bool = False


@dataclass(frozen=True, slots=True)
class LadderSlice:
    """Neighbouring entries of a ladder, highest first, and where it continues on either side."""

    entries: Sequence[LadderEntry]
    higher: LadderPlace | None
    lower: LadderPlace | None


@dataclass(frozen=True, slots=True)
class Ladder:
    """A slice of each section of a variant's ladder, its bots, programs, and one player's entry.

    `own` is None unless the player has a rating in the variant. `own_place` is just above it, and
    None for a player on the first page or without a rank.
    """

    sections: Mapping[LadderSection, LadderSlice]
    bots: Sequence[LadderEntry]
    programs: Sequence[LadderEntry]
    own: LadderEntry | None
    own_place: LadderPlace | None


def read_ladder(
    transaction: Transaction,
    variant: str,
    sections: Iterable[LadderSection] = tuple(LadderSection),
    place: LadderPlace | None = None,
    player: Player | None = None,
) -> Ladder:
    """Return sections of a variant's ladder, and the entry of `player`.

    They begin at a place, or at the top if there is none or nobody is beyond it. A place is a
    rating, not a rank: nobody is skipped because others climb meanwhile.
    """
    connection, now = transaction.connection, transaction.now
    own, own_place = _own(transaction, variant, player)
    bots = ladder_queries.ratings_of_bots(connection, variant)
    programs = ladder_queries.ratings_of_programs(connection, variant, now, MAX_PROGRAMS)
    return Ladder(
        {
            section: _slice(connection, _filter(now, variant, section), place)
            for section in sections
        },
        [replace(_entry(each), holder=level_label(each.holder)) for each in bots],
        [_entry(each) for each in programs],
        own,
        own_place,
    )


def leaders(transaction: Transaction) -> Mapping[str, Sequence[LadderEntry]]:
    """Return the first of each ladder, by variant: ranked players, then provisional ones.

    Where there are enough of the former, none of the latter are read.
    """
    connection, now = transaction.connection, transaction.now
    ranks = [_filter(now, variant) for variant in VARIANTS]
    ranked = ladder_queries.highest_in_each(connection, ranks, LEADERS)
    short = [
        _filter(now, variant, LadderSection.PROVISIONAL)
        for variant, found in ranked.items()
        if len(found) < LEADERS
    ]
    provisional = ladder_queries.highest_in_each(connection, short, LEADERS)
    return {
        variant: [*_with_ranks(found), *map(_entry, provisional.get(variant, ()))][:LEADERS]
        for variant, found in ranked.items()
    }


def entries_of(transaction: Transaction, player: Player) -> Mapping[str, LadderEntry]:
    """Return a player's entries by variant, in the order of the variants."""
    found = _entries_of(transaction, player)
    return {variant: found[variant][1] for variant in VARIANTS if variant in found}


def as_csv(transaction: Transaction, variant: str) -> str:
    """Return a variant's whole ladder as CSV (RFC 4180); without a rank, that field is empty.

    Programs are in it, and have no rank.

    No spreadsheet takes a field for a formula: a name begins with a letter or a digit.
    """
    found = ladder_queries.all_ratings(transaction.connection, variant, transaction.now)
    which = _filter(transaction.now, variant)
    ranks = _ranks(each for each in found if _is_ranked(each, which))
    header = (
        "rank", "name", "rating", "uncertainty", "provisional", "games", "last_game", "program",
    )  # fmt: skip
    return _csv(
        header,
        (
            (next(ranks) if _is_ranked(each, which) else "", *_fields(each), _word(each.is_program))
            for each in found
        ),
    )


def bots_as_csv(transaction: Transaction, variant: str) -> str:
    """Return the ratings of a variant's bots as CSV."""
    found = ladder_queries.ratings_of_bots(transaction.connection, variant)
    header = ("level", "rating", "uncertainty", "provisional", "games", "last_game")
    return _csv(header, map(_fields, found))


def _filter(
    now: datetime, variant: str, section: LadderSection = LadderSection.RANKED
) -> SectionFilter:
    return SectionFilter(section, variant, now - ACTIVE, MAX_RANKED_SIGMA, now)


def _slice(connection: Connection, which: SectionFilter, place: LadderPlace | None) -> LadderSlice:
    found = paging.read_slice(
        PAGE_SIZE,
        lambda limit, beyond: ladder_queries.ratings_in(connection, which, limit, beyond),
        place,
        backwards=place is not None and place.upwards,
    )
    shown = found.items
    if shown and which.section is LadderSection.RANKED:
        higher = ladder_queries.count_higher(connection, which, shown[0].mu)
        equals = ladder_queries.count_equals_before(connection, which, shown[0])
        entries = _with_ranks(shown, higher, equals)
    else:
        entries = [_entry(each) for each in shown]
    return LadderSlice(
        entries,
        LadderPlace(shown[0].mu, shown[0].id, upwards=True) if found.has_previous else None,
        LadderPlace(shown[-1].mu, shown[-1].id, upwards=False) if found.has_next else None,
    )


def _own(
    transaction: Transaction, variant: str, player: Player | None
) -> tuple[LadderEntry | None, LadderPlace | None]:
    found = _entries_of(transaction, player) if player is not None else {}
    if variant not in found:
        return None, None
    rating, own = found[variant]
    is_far_down = own.rank is not None and own.rank > PAGE_SIZE
    # Just above the rating itself, so that the page begins with it.
    return own, LadderPlace(rating.mu, rating.id + 1, upwards=False) if is_far_down else None


def _entries_of(
    transaction: Transaction, player: Player
) -> Mapping[str, tuple[LadderRating, LadderEntry]]:
    """Return a player's ratings by variant, each with its entry and its rank, if it has one."""
    now = transaction.now
    found = ladder_queries.ratings_of_player(
        transaction.connection, player.id, now - ACTIVE, MAX_RANKED_SIGMA, now
    )
    return {
        rating.variant: (rating, _with_rank(rating, higher)) for rating, higher in found.items()
    }


def _with_rank(rating: LadderRating, higher: int | None) -> LadderEntry:
    if higher is None:
        return _entry(rating)
    is_capped = higher >= MAX_RANK
    rank = MAX_RANK if is_capped else higher + 1
    return replace(_entry(rating), rank=rank, rank_is_capped=is_capped)


def _is_ranked(rating: LadderRating, which: SectionFilter) -> bool:
    is_certain = rating.sigma <= which.max_sigma and not rating.rating.needs_opponents
    return is_certain and rating.changed_at >= which.since and not rating.is_program


def _entry(rating: LadderRating) -> LadderEntry:
    return LadderEntry(
        rating.holder, rating.rating, rating.changed_at, is_program=rating.is_program
    )


def _with_ranks(
    ratings: Sequence[LadderRating], higher: int = 0, equals: int = 0
) -> Sequence[LadderEntry]:
    """Return neighbouring ratings as entries with their ranks; see `_ranks`."""
    return [
        replace(_entry(rating), rank=rank)
        for rating, rank in zip(ratings, _ranks(ratings, higher, equals), strict=True)
    ]


def _ranks(ratings: Iterable[LadderRating], higher: int = 0, equals: int = 0) -> Iterator[int]:
    """Yield the ranks of neighbouring ratings: equal ratings share the first of their ranks.

    Before the first rating come `higher` ratings that are higher, and `equals` that are the same.
    """
    rank, before = higher + 1, None
    for number, rating in enumerate(ratings, start=higher + equals + 1):
        if before is not None and rating.mu != before:
            rank = number
        yield rank
        before = rating.mu


def _word(holds: bool) -> str:  # noqa: FBT001 - what it puts into a word
    return "yes" if holds else "no"


def _fields(rating: LadderRating) -> tuple[str | int, ...]:
    shown = rating.rating
    return (
        rating.holder,
        shown.number,
        shown.uncertainty,
        _word(shown.is_provisional),
        rating.games,
        rating.changed_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
