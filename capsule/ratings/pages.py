"""The ladders, as pages and as CSV."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.ratings import ladders
from capsule.ratings.ladder_queries import LadderPlace, LadderSection
from capsule.ui import responses
from capsule.ui.routes import VARIANT
from capsule.ui.tables import table
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ratings.ladders import Ladder, LadderEntry
    from capsule.ui.routes import Routes
    from engine import Variant


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
        return table([headings, *self._rows()], {name_column}, columns)

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


@dataclass(frozen=True, slots=True)
class LadderPage:
    """The page of a ladder: at first the whole of it, later the rest of one section."""

    variant: Variant
    ladder: Ladder
    is_first: bool
    active_days: int = ladders.ACTIVE.days

    @property
    def path(self) -> str:
        """The address of the whole ladder."""
        return f"/players/ladder/{self.variant.key}"

    @property
    def sections(self) -> Sequence[LadderPart]:
        """The sections that the page shows, those who are ranked first."""
        return [
            LadderPart(
                found.entries,
                is_ranked=section is LadderSection.RANKED,
                higher=self._path_of(section, found.higher),
                lower=self._path_of(section, found.lower),
            )
            for section, found in self.ladder.sections.items()
        ]

    @property
    def bots(self) -> LadderPart:
        """The bots, which have no ranks."""
        return LadderPart(self.ladder.bots)

    @property
    def programs(self) -> LadderPart:
        """The players who are programs, which have no ranks either."""
        return LadderPart(self.ladder.programs)

    @property
    def own(self) -> LadderEntry | None:
        """The visitor's own entry."""
        return self.ladder.own

    @property
    def own_place(self) -> str | None:
        """The address of the ladder from the visitor's place down, where that is another page."""
        return self._path_of(LadderSection.RANKED, self.ladder.own_place) if self.is_first else None

    def _path_of(self, section: LadderSection, place: LadderPlace | None) -> str | None:
        return None if place is None else f"{self.path}?{query_of(section, place)}"


def show(context: AppContext, request: Request, variant: str) -> Response:
    """Return the ladder of a variant, and where the visitor stands on it.

    The query is a place in one of its sections, from a link of such a page; then the page has the
    rest of that section alone. Any other query counts as none.
    """
    visitor = identity.visitor_of(context, request)
    section, place = place_in(request.query or "") or (None, None)
    sections = tuple(LadderSection) if section is None else (section,)
    page = LadderPage(
        VARIANTS[variant],
        ladders.read_ladder(context, variant, sections, place, visitor.player),
        is_first=section is None,
    )
    return responses.page(visitor.preferences, "ratings/ladder.gmi", page=page)


def as_csv(context: AppContext, request: Request, variant: str) -> Response:
    """Return the whole ladder of a variant as CSV."""
    del request
    with context.exclusive.acquire():
        return responses.text(ladders.as_csv(context, variant), CSV)


def bots_as_csv(context: AppContext, request: Request, variant: str) -> Response:
    """Return the ratings of a variant's bots as CSV."""
    del request
    return responses.text(ladders.bots_as_csv(context, variant), CSV)


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
    (f"/players/ladder/{VARIANT}", show),
    (rf"/players/ladder/{VARIANT}\.csv", as_csv),
    (rf"/players/ladder/{VARIANT}/bots\.csv", bots_as_csv),
)
