"""The page of the position of the day, those of the days before it, and their feed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import NotFound
from capsule.puzzles import daily, schedule
from capsule.puzzles.pages.panel import freshness, panel_for, today_address, visitor_in
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import CELL, FEED, cacheable

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.puzzles.daily import DailyPosition
    from capsule.ui.routes import Routes

DAYS_LISTED = 7
"""The number of past days that the page links to."""


@cacheable
def show(context: AppContext, request: Request, area: str | None) -> Response:
    """Return the page of the position of the day."""
    visitor = visitor_in(context, request, area)
    position = daily.position_on(context, daily.today(context))
    if position is None:
        page = responses.page(visitor.preferences, "puzzles/no_daily.gmi")
        return replace(page, freshness=freshness(context, visitor))
    return _page(context, request, area, position)


@cacheable
def show_day(context: AppContext, request: Request, area: str | None, day: str) -> Response:
    """Return the page of a day's position; of a past day, with the solution."""
    try:
        position = daily.position_on(context, date.fromisoformat(day))
    except ValueError as error:
        raise NotFound from error
    if position is None:
        raise NotFound
    return _page(context, request, area, position)


def feed(context: AppContext, request: Request, form: str | None) -> Response:
    """Return the feed of the positions of the day."""
    preferences = identity.preferences_of(context, request)
    return feed_response(preferences, daily.feed(context), form, context.origin)


def _page(
    context: AppContext, request: Request, area: str | None, position: DailyPosition
) -> Response:
    visitor = visitor_in(context, request, area)
    panel = panel_for(context, visitor, position.puzzle)
    is_today = position.day == daily.today(context)
    earlier = (position.day - number * schedule.ONE_DAY for number in range(1, DAYS_LISTED + 1))
    found = (daily.position_on(context, day) for day in earlier)
    drawn = panel.line.view(visitor.preferences.style, request.query)
    response = responses.page(
        visitor.preferences,
        "puzzles/daily.gmi" if is_today else "puzzles/past_day.gmi",
        daily=position,
        panel=panel,
        drawn=drawn,
        today=today_address(context, visitor),
        standing=daily.standing(context, position.day, visitor.player),
        before=[each for each in found if each is not None],
        following=None if is_today else daily.position_on(context, position.day + schedule.ONE_DAY),
    )
    return replace(
        response,
        freshness=freshness(context, visitor, daily.SUBJECT),
        ignores_query=not drawn.ways,
    )


ROUTES: Routes = (
    ("(?P<area>/play)?/daily/", show, CELL),
    ("(?P<area>/play)?/daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})", show_day, CELL),
    (f"/daily/{FEED}", feed),
)
