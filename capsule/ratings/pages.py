"""The ladders, as pages and as CSV."""

import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from capsule.accounts import identity
from capsule.context import AppContext, Transaction, reading
from capsule.db.schema.ratings import rating_changes, ratings
from capsule.feature import Feature
from capsule.gemini.types import Request, Response, Wait
from capsule.ratings import ladders, queries
from capsule.ratings.ladders import LadderEntry, LadderPlace, LadderSection
from capsule.ui import drawings, paging, responses
from capsule.ui.routes import VARIANT, Routes
from engine import VARIANTS

CSV = "text/csv; charset=utf-8"

_PLACE = re.compile(rf"({'|'.join(LadderSection)})-(higher|lower)-([0-9a-f]{{16}})-([0-9]{{1,9}})")


@dataclass(frozen=True, slots=True)
class LadderPart:
    """Some entries of a ladder, and the addresses of those above and below them."""

    entries: Sequence[LadderEntry]
    is_ranked: bool = False
    higher: str | None = None
    lower: str | None = None

    def table(self, columns: int, *headings: str) -> str:
        """Return the entries as a table in plain text, at most `columns` wide.

        The first heading is the ranks', if any.
        """
        name_column = 1 if self.is_ranked else 0
        return drawings.table([headings, *self._rows()], {name_column}, columns)

    def _rows(self) -> Sequence[Sequence[object]]:
        # Digits stand below digits, whether a question mark follows them or not.
        mark = " " if any(entry.rating.is_provisional for entry in self.entries) else ""
        return [
            (
                *((entry.rank,) if self.is_ranked else ()),
                entry.holder,
                entry.rating.short + ("" if entry.rating.is_provisional else mark),
                entry.rating.uncertainty,
                entry.rating.games,
            )
            for entry in self.entries
        ]


@reading
def show(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page of a variant's ladder, from the top, with the visitor's own place.

    The query is a place in one of its sections, from a link of such a page; then the page has the
    rest of that section alone. Any other query counts as none.
    """
    visitor = identity.visitor_of(transaction, request)
    section, place = place_in(request.query or "") or (None, None)
    is_first, player = section is None, visitor.player
    own = ladders.entries_of(transaction, player).get(variant) if player is not None else None
    own_place = None
    if is_first and own is not None and own.rank is not None and own.rank > ladders.PAGE_SIZE:
        # Just above the entry itself, so that the page begins with it.
        own_place = _path_of(LadderSection.RANKED, replace(own, id=own.id + 1), upwards=False)
    return responses.page(
        visitor.preferences,
        "ratings/ladder.gmi",
        variant=VARIANTS[variant],
        path=f"/players/ladder/{variant}",
        is_first=is_first,
        active_days=ladders.ACTIVE.days,
        own=own,
        own_place=own_place,
        sections=[
            _part(each, ladders.read_section(transaction, variant, each, place))
            for each in (LadderSection if section is None else (section,))
        ],
        bots=LadderPart(ladders.bots_of(transaction, variant)),
        programs=LadderPart(ladders.programs_of(transaction, variant)),
    )


def _part(section: LadderSection, found: paging.Slice[LadderEntry]) -> LadderPart:
    items = found.items
    return LadderPart(
        items,
        is_ranked=section is LadderSection.RANKED,
        higher=_path_of(section, items[0], upwards=True) if found.has_previous else None,
        lower=_path_of(section, items[-1], upwards=False) if found.has_next else None,
    )


def _path_of(section: LadderSection, entry: LadderEntry, *, upwards: bool) -> str:
    """Return the address of the entries of a section beyond an entry."""
    place = LadderPlace(entry.rating.mu, entry.id, upwards)
    return f"/players/ladder/{entry.variant}?{query_of(section, place)}"


def as_csv(context: AppContext, request: Request, variant: str) -> Wait:
    """Return the whole ladder of a variant as CSV."""
    ladder = reading(ladders.as_csv)
    return context.exclusive.wait(request, lambda: responses.text(ladder(context, variant), CSV))


@reading
def bots_as_csv(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the ratings of a variant's bots as CSV."""
    del request
    return responses.text(ladders.bots_as_csv(transaction, variant), CSV)


def query_of(section: LadderSection, place: LadderPlace) -> str:
    """Return the query of a place in a section, which has the mean to its last bit.

    >>> query_of(LadderSection.RANKED, LadderPlace(25.5, 7, upwards=False))
    'ranked-lower-4039800000000000-7'
    """
    direction = "higher" if place.upwards else "lower"
    return f"{section}-{direction}-{struct.pack('>d', place.mu).hex()}-{place.rating_id}"


def place_in(query: str) -> tuple[LadderSection, LadderPlace] | None:
    """Return the section and the place that a query names, or None.

    >>> place_in("ranked-lower-4039800000000000-7")[1]
    LadderPlace(mu=25.5, rating_id=7, upwards=False)
    >>> place_in("ranked-lower-top-7") is None
    True
    """
    match = _PLACE.fullmatch(query)
    if match is None:
        return None
    section, direction, mean, rating_id = match.groups()
    (mu,) = struct.unpack(">d", bytes.fromhex(mean))
    if not math.isfinite(mu):
        return None
    return LadderSection(section), LadderPlace(mu, int(rating_id), direction == "higher")


ROUTES: Routes = (
    (f"/players/ladder/{VARIANT}", show, _PLACE.pattern),
    (rf"/players/ladder/{VARIANT}\.csv", as_csv),
    (rf"/players/ladder/{VARIANT}/bots\.csv", bots_as_csv),
)

FEATURE = Feature(
    ROUTES,
    (ratings, rating_changes),
    export=lambda transaction, player: {
        "ratings": queries.ratings_of_player(transaction.connection, player.id)
    },
    # So that no rating of the player is being recomputed: see `capsule.cli.ratings`.
    erase=lambda transaction, __: queries.lock_ratings(transaction.connection),
)
