"""The ladders: who plays a variant best, as rated games say.

Ranked are the players whose rating is no longer provisional and who have played a rated game of
the variant within a year. Bots have a list of their own.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.ratings import ladder_queries
from capsule.ratings.ladder_queries import Section, Step
from capsule.ratings.model import POINTS_PER_MU, PROVISIONAL_ABOVE, Rating
from capsule.ui import paging
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.ratings.ladder_queries import StoredRating


PAGE_SIZE = 50

LEADERS = 3
"""How many of a ladder stand on the page of all ladders."""

ACTIVE = timedelta(days=365)
"""Who has played no rated game of a variant for so long has no rank in it, until the next one."""

MAX_RANKED_SIGMA = (PROVISIONAL_ABOVE + 0.5) / (2 * POINTS_PER_MU)
"""The largest standard deviation of a rating that is not provisional: uncertainties are rounded."""

MAX_RANK = 1_000
"""Ranks are counted up to here where not the ladder itself is shown, but a player's place on it."""

RANKED, PROVISIONAL = "ranked", "provisional"


@dataclass(frozen=True)
class Standing:
    """Whose rating it is, a player's name or a bot's level, and the rank where there is one.

    Outside a ladder, a rank greater than `MAX_RANK` means that it is beyond that.
    """

    holder: str
    rating: Rating
    last_game: datetime
    rank: int | None = None


@dataclass(frozen=True)
class Part:
    """A part of a ladder, the highest first, and where it goes on in both directions."""

    standings: Sequence[Standing]
    higher: Step | None
    lower: Step | None


@dataclass(frozen=True)
class Ladder:
    """Parts of a variant's ladder by section, its bots, and where a player stands.

    `own` is None for who has no rating in the variant; `own_part` is where the ladder has to be
    entered to see them, None where they are on the first page or have no rank.
    """

    parts: Mapping[str, Part]
    bots: Sequence[Standing]
    own: Standing | None
    own_part: Step | None


def ladder(
    context: AppContext,
    variant: str,
    sections: Sequence[str] = (RANKED, PROVISIONAL),
    step: Step | None = None,
    player: Player | None = None,
) -> Ladder:
    """Return parts of a variant's ladder as `player` sees it: from a step on, or from the top.

    Where there is nobody from the step on, it is from the top. A step goes by rating, so that who
    moves meanwhile moves nobody else out of sight.
    """
    with context.database.reading() as connection:
        parts = {
            name: _part(connection, _section(context, variant, is_ranked=name == RANKED), step)
            for name in sections
        }
        own, own_part = _own(context, connection, variant, player)
        bots = ladder_queries.ratings_of_bots(connection, variant)
    return Ladder(parts, [_standing(each) for each in bots], own, own_part)


def leaders(context: AppContext) -> Mapping[str, Sequence[Standing]]:
    """Return the first of each ladder, by variant."""
    with context.database.reading() as connection:
        found = {
            variant: ladder_queries.ratings_in(connection, _section(context, variant), LEADERS)
            for variant in VARIANTS
        }
    return {variant: _ranked(ratings) for variant, ratings in found.items()}


def standings_of(
    context: AppContext, connection: Connection, player: Player
) -> Mapping[str, Standing]:
    """Return where a player stands, by variant, in the capsule's order."""
    found = {each.variant: each for each in ladder_queries.ratings_of_player(connection, player.id)}
    return {
        variant: _with_rank(context, connection, found[variant])
        for variant in VARIANTS
        if variant in found
    }


def as_csv(context: AppContext, variant: str) -> str:
    """Return a variant's whole ladder as CSV (RFC 4180), whoever has no rank with none.

    No field can be taken for a formula: a name begins with a letter or a digit.
    """
    with context.database.reading() as connection:
        found = ladder_queries.all_ratings(connection, variant)
    section = _section(context, variant)
    ranks = _ranks(each for each in found if _is_ranked(each, section))
    header = ("rank", "name", "rating", "uncertainty", "provisional", "games", "last_game")
    return _csv(
        header,
        ((next(ranks) if _is_ranked(each, section) else "", *_fields(each)) for each in found),
    )


def bots_as_csv(context: AppContext, variant: str) -> str:
    """Return the ratings of a variant's bots as CSV."""
    with context.database.reading() as connection:
        found = ladder_queries.ratings_of_bots(connection, variant)
    header = ("level", "rating", "uncertainty", "provisional", "games", "last_game")
    return _csv(header, map(_fields, found))


def _section(context: AppContext, variant: str, *, is_ranked: bool = True) -> Section:
    return Section(variant, context.clock() - ACTIVE, MAX_RANKED_SIGMA, is_ranked)


def _part(connection: Connection, section: Section, step: Step | None) -> Part:
    found = paging.page(
        PAGE_SIZE,
        lambda most, beyond: ladder_queries.ratings_in(connection, section, most, beyond),
        step,
        backwards=step is not None and step.upwards,
    )
    shown = found.items
    if section.is_ranked and shown:
        higher = ladder_queries.count_higher(connection, section, shown[0].mu, None)
        equals = ladder_queries.count_equals_before(connection, section, shown[0])
        standings = _ranked(shown, higher, equals)
    else:
        standings = [_standing(each) for each in shown]
    return Part(
        standings,
        Step(shown[0].mu, shown[0].id, upwards=True) if found.has_before else None,
        Step(shown[-1].mu, shown[-1].id, upwards=False) if found.has_behind else None,
    )


def _own(
    context: AppContext, connection: Connection, variant: str, player: Player | None
) -> tuple[Standing | None, Step | None]:
    found = ladder_queries.ratings_of_player(connection, player.id) if player is not None else ()
    rating = next((each for each in found if each.variant == variant), None)
    if rating is None:
        return None, None
    own = _with_rank(context, connection, rating)
    is_far = own.rank is not None and own.rank > PAGE_SIZE
    # Just above the own place, so that the page begins with it.
    return own, Step(rating.mu, rating.id + 1, upwards=False) if is_far else None


def _with_rank(context: AppContext, connection: Connection, rating: StoredRating) -> Standing:
    section = _section(context, rating.variant)
    if not _is_ranked(rating, section):
        return _standing(rating)
    higher = ladder_queries.count_higher(connection, section, rating.mu, MAX_RANK)
    return replace(_standing(rating), rank=higher + 1)


def _is_ranked(rating: StoredRating, section: Section) -> bool:
    return rating.sigma <= section.certain and rating.changed_at >= section.since


def _standing(rating: StoredRating) -> Standing:
    return Standing(rating.holder, Rating(rating.mu, rating.sigma, rating.games), rating.changed_at)


def _ranked(
    ratings: Sequence[StoredRating], higher: int = 0, equals: int = 0
) -> Sequence[Standing]:
    """Return standings in a row with their ranks; see `_ranks`."""
    return [
        replace(_standing(rating), rank=rank)
        for rating, rank in zip(ratings, _ranks(ratings, higher, equals), strict=True)
    ]


def _ranks(ratings: Iterable[StoredRating], higher: int = 0, equals: int = 0) -> Iterator[int]:
    """Yield the ranks of ratings in a row: equals share the first of theirs.

    Before the first of them stand `higher` of their section, and then `equals`.
    """
    rank, before = higher + 1, None
    for number, rating in enumerate(ratings, start=higher + equals + 1):
        if before is not None and rating.mu != before:
            rank = number
        yield rank
        before = rating.mu


def _fields(rating: StoredRating) -> tuple[str | int, ...]:
    shown = Rating(rating.mu, rating.sigma, rating.games)
    return (
        rating.holder,
        shown.number,
        shown.uncertainty,
        "yes" if shown.is_provisional else "no",
        rating.games,
        rating.changed_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
