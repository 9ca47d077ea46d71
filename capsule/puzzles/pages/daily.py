"""The page of the position of the day, those of the days before it, and their feed."""

from datetime import date, datetime

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.puzzles import daily
from capsule.puzzles.pages.puzzle import cached_page, panel_for, today_address, visitor_in
from capsule.ui.responses import FORM, Share, links_to_game, share_response, shared_text
from capsule.ui.routes import CELL, FEED, Routes, cacheable, named, narrowable
from engine import message

DAYS_LISTED = 7
"""The number of past days that the page links to."""


def _position_of(day: str, now: datetime) -> daily.DailyPosition:
    """Return the position of a day as addresses write it; raises `NotFound` if there is none."""
    try:
        position = daily.position_on(date.fromisoformat(day), now)
    except ValueError as error:
        raise NotFound from error
    if position is None:
        raise NotFound
    return position


@cacheable
@reading
def show(transaction: Transaction, request: Request, area: str | None) -> Response:
    """Return the page of the position of the day."""
    visitor = visitor_in(transaction, request, area)
    position = daily.position_today(transaction.now)
    if position is None:
        return cached_page(transaction, visitor, "puzzles/no_daily.gmi")
    return _page(transaction, request, visitor, position)


@cacheable
@reading
def show_day(transaction: Transaction, request: Request, area: str | None, day: str) -> Response:
    """Return the page of a day's position; of a past day, with the solution."""
    position = _position_of(day, transaction.now)
    return _page(transaction, request, visitor_in(transaction, request, area), position)


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of the positions of the day."""
    return identity.feed_page(transaction, request, daily.feed(transaction.now), form)


def _page(
    transaction: Transaction, request: Request, visitor: Visitor, position: daily.DailyPosition
) -> Response:
    now = transaction.now
    panel = panel_for(transaction, visitor, position.puzzle)
    is_today = position.day == now.date()
    earlier = (position.day - number * daily.ONE_DAY for number in range(1, DAYS_LISTED + 1))
    found = (daily.position_on(day, now) for day in earlier)
    return cached_page(
        transaction,
        visitor,
        "puzzles/daily.gmi" if is_today else "puzzles/past_day.gmi",
        daily.CACHE_TAG,
        daily=position,
        panel=panel,
        drawn=panel.line.view(visitor.preferences.style, request.query),
        today=today_address(now, visitor),
        standing=daily.standing(transaction, position.day, visitor.player),
        before=[each for each in found if each is not None],
        following=None if is_today else daily.position_on(position.day + daily.ONE_DAY, now),
    )


@narrowable
@reading
def share(
    transaction: Transaction, request: Request, area: str | None, day: str, form: str | None
) -> Response:
    """Return a day's position as a text to paste; below `/play/`, with the reader's own tries."""
    visitor = visitor_in(transaction, request, area)
    position = _position_of(day, transaction.now)
    preferences = visitor.preferences
    panel = panel_for(transaction, visitor, position.puzzle)
    own = daily.own_result(transaction.connection, position, visitor.player if area else None)
    text = shared_text(
        preferences,
        "puzzles/share.gmi",
        transaction.context.origin,
        [(position.path, message("This position, to solve")), *links_to_game(panel.line.variant)],
        daily=position,
        panel=panel,
        board=panel.line.view(preferences.style),
        standing=daily.standing(transaction, position.day, None),
        own=own,
    )
    home = f"{area or ''}{position.path}"
    twin = "" if area else f"/play{position.path}/share"
    return share_response(preferences, form, Share(text, f"{home}/share", home, twin))


ROUTES: Routes = (
    ("(?P<area>/play)?/daily/", show, CELL),
    ("(?P<area>/play)?/daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})", show_day, CELL),
    (f"/daily/{FEED}", feed),
    *named(
        "puzzles.pages.share",
        ((f"(?P<area>/play)?/daily/(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})/{FORM}", share),),
    ),
)
