"""The ladders: the players of a variant, ordered by their ratings.

Players are ranked if their rating is no longer provisional and they have finished a rated game of
the variant within a year. Bots have their own lists, and so have players who are programs. Those
who are banned are on none.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.ratings import ladder_queries
from capsule.ratings.ladder_queries import MAX_RANK, LadderEntry, LadderPlace, LadderSection, Limits
from capsule.ratings.model import POINTS_PER_MU, PROVISIONAL_ABOVE
from capsule.ui import paging
from capsule.ui.paging import Slice
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


def read_section(
    transaction: Transaction, variant: str, section: LadderSection, place: LadderPlace | None
) -> Slice[LadderEntry]:
    """Return a slice of a section of a variant's ladder, the highest entries first.

    It begins at a place, or at the top if there is none or nobody is beyond it. A place is a
    rating, not a rank: nobody is skipped because others climb meanwhile.
    """
    connection = transaction.connection
    values = {**_limits(transaction.now), "variant": variant}
    found = paging.read_slice(
        PAGE_SIZE,
        lambda limit, beyond: ladder_queries.ratings_in(connection, section, values, limit, beyond),
        place,
        backwards=place is not None and place.upwards,
    )
    if not found.items or section is not LadderSection.RANKED:
        return found
    first = found.items[0]
    higher = ladder_queries.count_higher(connection, section, values, first.rating.mu)
    equals = ladder_queries.count_equals_before(connection, section, values, first)
    return replace(found, items=_with_ranks(found.items, higher, equals))


def bots_of(transaction: Transaction, variant: str) -> Sequence[LadderEntry]:
    """Return the bots of a variant that have a rating, the highest first, by their labels."""
    found = ladder_queries.ratings_of_bots(transaction.connection, variant)
    return [replace(each, holder=level_label(each.holder)) for each in found]


def programs_of(transaction: Transaction, variant: str) -> Sequence[LadderEntry]:
    """Return the programs of a variant, the highest first."""
    connection, now = transaction.connection, transaction.now
    return ladder_queries.ratings_of_programs(connection, variant, now, MAX_PROGRAMS)


def leaders(transaction: Transaction) -> Mapping[str, Sequence[LadderEntry]]:
    """Return the first of each ladder, by variant: ranked players, then provisional ones.

    Where there are enough of the former, none of the latter are read.
    """
    connection, now = transaction.connection, transaction.now
    limits = _limits(now)
    ranked = ladder_queries.highest_in_each(
        connection, LadderSection.RANKED, tuple(VARIANTS), limits, LEADERS
    )
    short = [variant for variant, found in ranked.items() if len(found) < LEADERS]
    provisional = ladder_queries.highest_in_each(
        connection, LadderSection.PROVISIONAL, short, limits, LEADERS
    )
    return {
        variant: [*_with_ranks(found), *provisional.get(variant, ())][:LEADERS]
        for variant, found in ranked.items()
    }


def entries_of(transaction: Transaction, player: Player) -> Mapping[str, LadderEntry]:
    """Return a player's entries by variant, in the order of the variants."""
    limits = _limits(transaction.now)
    found = ladder_queries.ratings_of_player(transaction.connection, player.id, limits)
    by_variant = {entry.variant: _with_rank(entry, higher) for entry, higher in found.items()}
    return {variant: by_variant[variant] for variant in VARIANTS if variant in by_variant}


def as_csv(transaction: Transaction, variant: str) -> str:
    """Return a variant's whole ladder as CSV (RFC 4180); without a rank, that field is empty.

    Programs are in it, and have no rank.

    No spreadsheet takes a field for a formula: a name begins with a letter or a digit.
    """
    found = ladder_queries.all_ratings(transaction.connection, variant, transaction.now)
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
    found = ladder_queries.ratings_of_bots(transaction.connection, variant)
    header = ("level", "rating", "uncertainty", "provisional", "games", "last_game")
    return _csv(header, map(_fields, found))


def _limits(now: datetime) -> Limits:
    return {"now": now, "since": now - ACTIVE, "max_sigma": MAX_RANKED_SIGMA}


def _with_rank(entry: LadderEntry, higher: int | None) -> LadderEntry:
    if higher is None:
        return entry
    is_capped = higher >= MAX_RANK
    return replace(entry, rank=MAX_RANK if is_capped else higher + 1, rank_is_capped=is_capped)


def _is_ranked(entry: LadderEntry, since: datetime) -> bool:
    is_certain = entry.rating.sigma <= MAX_RANKED_SIGMA and not entry.rating.needs_opponents
    return is_certain and entry.changed_at >= since and not entry.is_program


def _with_ranks(
    entries: Sequence[LadderEntry], higher: int = 0, equals: int = 0
) -> Sequence[LadderEntry]:
    """Return neighbouring entries with their ranks; see `_ranks`."""
    ranks = _ranks(entries, higher, equals)
    return [replace(each, rank=rank) for each, rank in zip(entries, ranks, strict=True)]


def _ranks(entries: Iterable[LadderEntry], higher: int = 0, equals: int = 0) -> Iterator[int]:
    """Yield the ranks of neighbouring ratings: equal ratings share the first of their ranks.

    Before the first rating come `higher` ratings that are higher, and `equals` that are the same.
    """
    rank, before = higher + 1, None
    for number, each in enumerate(entries, start=higher + equals + 1):
        if before is not None and each.rating.mu != before:
            rank = number
        yield rank
        before = each.rating.mu


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
