"""The ladders, as pages and as CSV."""

from __future__ import annotations

import math
import re
import struct
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.ratings import ladders
from capsule.ratings.ladder_queries import Step
from capsule.ratings.ladders import PROVISIONAL, RANKED
from capsule.ui import responses
from capsule.ui.routes import VARIANT
from capsule.ui.tables import table
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ratings.ladders import Standing
    from capsule.ui.routes import Routes


CSV = "text/csv; charset=utf-8"

_STEP = re.compile(rf"({RANKED}|{PROVISIONAL})-(higher|lower)-([0-9a-f]{{16}})-([0-9]{{1,9}})")


def ladder(context: AppContext, request: Request, variant: str) -> Response:
    """Return the ladder of a variant, and where the reader stands on it.

    The query is a step of one of its sections, from a link of such a page, and that section alone
    is shown from there on. Any other query counts as none.
    """
    visitor = identity.visitor_of(context, request)
    section, step = step_in(request.query or "") or (None, None)
    sections = (section,) if section else (RANKED, PROVISIONAL)
    return responses.page(
        visitor.reader,
        "ratings/ladder.gmi",
        variant=VARIANTS[variant],
        variants=VARIANTS,
        here=f"/players/ladder/{variant}",
        ladder=ladders.ladder(context, variant, sections, step, visitor.player),
        is_whole=section is None,
        query_of=query_of,
        table=table,
        rows=rows,
        active_days=ladders.ACTIVE.days,
        ranks_told=ladders.MAX_RANK,
    )


def as_csv(context: AppContext, request: Request, variant: str) -> Response:
    """Return the whole ladder of a variant as CSV."""
    del request
    with context.exclusive.acquire():
        return responses.text(ladders.as_csv(context, variant), CSV)


def bots_as_csv(context: AppContext, request: Request, variant: str) -> Response:
    """Return the ratings of a variant's bots as CSV."""
    del request
    return responses.text(ladders.bots_as_csv(context, variant), CSV)


def rows(standings: Sequence[Standing], *, ranked: bool) -> Sequence[Sequence[object]]:
    """Return the rows of a table of standings, with a rank at the front where they are ranked."""
    # Digits stand below digits, whether a question mark comes after them or not.
    width = max((len(each.rating.short.partition("?")[1]) for each in standings), default=0)
    return [
        (
            *((each.rank,) if ranked else ()),
            each.holder,
            each.rating.short if each.rating.is_provisional else each.rating.short + " " * width,
            each.rating.uncertainty,
            each.rating.games,
        )
        for each in standings
    ]


def query_of(section: str, step: Step) -> str:
    """Return the query that leads to a step of a section, with the mean to its last bit.

    >>> query_of("ranked", Step(25.5, 7, upwards=False))
    'ranked-lower-4039800000000000-7'
    """
    way = "higher" if step.upwards else "lower"
    return f"{section}-{way}-{struct.pack('>d', step.mu).hex()}-{step.rating_id}"


def step_in(query: str) -> tuple[str, Step] | None:
    """Return the section and the step that a query leads to, None where it leads nowhere.

    >>> step_in("ranked-lower-4039800000000000-7")
    ('ranked', Step(mu=25.5, rating_id=7, upwards=False))
    >>> step_in("ranked-lower-top-7") is None
    True
    """
    match = _STEP.fullmatch(query)
    if match is None:
        return None
    section, way, mean, rating_id = match.groups()
    (mu,) = struct.unpack(">d", bytes.fromhex(mean))
    if not math.isfinite(mu):
        return None
    return section, Step(mu, int(rating_id), way == "higher")


ROUTES: Routes = (
    (f"/players/ladder/{VARIANT}", ladder),
    (rf"/players/ladder/{VARIANT}\.csv", as_csv),
    (rf"/players/ladder/{VARIANT}/bots\.csv", bots_as_csv),
)
