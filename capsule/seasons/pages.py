"""The pages of the season: this month's table, those of other months, and one's own place."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.games.eligibility import MIN_AGE, is_eligible
from capsule.gemini.types import CachePolicy, CacheTag, PlayerGames, Request, Response
from capsule.seasons import table
from capsule.seasons.model import GAMES_A_DAY, GAMES_A_MONTH, MIN_PLIES, end_of
from capsule.seasons.queries import TablePlace, TableRow
from capsule.seasons.table import Season
from capsule.ui import responses
from capsule.ui.routes import Routes, cacheable, named

HERE = "/season/"

_PLACE = re.compile(r"(higher|lower)-([1-9][0-9]{0,17})-([1-9][0-9]{0,8})")


@cacheable
@reading
def present(transaction: Transaction, request: Request) -> Response:
    """Return the page of the season: this month's table, and the first of the last frozen one.

    The query is a place in the table, from a link of such a page; any other query counts as none.
    """
    frozen, leaders = table.frozen_season(transaction)
    last = {"unfrozen": table.unfrozen_season(transaction), "frozen": frozen, "leaders": leaders}
    season = table.present(transaction.now)
    return _page(transaction, request, season, HERE, has_last=True, earlier=None, **last)


@cacheable
@reading
def show_month(transaction: Transaction, request: Request, month: str) -> Response:
    """Return the table of a month."""
    try:
        season = table.season_of(transaction, date.fromisoformat(f"{month}-01"))
    except ValueError as error:
        raise NotFound from error
    if season is None:
        raise NotFound
    earlier = table.season_of(transaction, season.before.month)
    return _page(transaction, request, season, season.path, has_last=False, earlier=earlier)


@cacheable
@reading
def own(transaction: Transaction, request: Request) -> Response:
    """Return the page that says where its reader stands this month."""
    visitor = identity.signed_in(transaction, request)
    season, player = table.present(transaction.now), visitor.player
    entry = None if player is None else table.row_of(transaction, season, player)
    around = None
    if entry is not None and entry.rank > table.PAGE_SIZE:
        # Just above the row itself, so that the page begins with it.
        around = _address(HERE, replace(entry, player_id=entry.player_id + 1), upwards=False)
    page = responses.page(
        visitor.preferences,
        "seasons/own.gmi",
        season=season,
        entry=entry,
        counts=player is not None and is_eligible(transaction.connection, player, transaction.now),
        around=around,
    )
    return replace(page, cache_policy=_own_cache_policy(season, visitor))


def _own_cache_policy(season: Season, visitor: Visitor) -> CachePolicy:
    """Return the cache policy of a page that says whether a player counts.

    That may change with a game, or once a day has passed.
    """
    if (player := visitor.player) is None:
        return _cache_policy(season, visitor)
    counts_from = player.created_at + MIN_AGE
    return _cache_policy(season, visitor, PlayerGames(player.id), until=(counts_from,))


def _page(
    transaction: Transaction, request: Request, season: Season, path: str, **values: object
) -> Response:
    visitor = identity.visitor_of(transaction, request)
    place = place_in(request.query or "")
    found = table.read_table(transaction, season.month, place)
    rows = found.items
    page = responses.page(
        visitor.preferences,
        "seasons/table.gmi",
        season=season,
        entries=rows,
        higher=_address(path, rows[0], upwards=True) if found.has_previous else None,
        lower=_address(path, rows[-1], upwards=False) if found.has_next else None,
        min_plies=MIN_PLIES,
        games_a_day=GAMES_A_DAY,
        games_a_month=GAMES_A_MONTH,
        **values,
    )
    return replace(page, cache_policy=_cache_policy(season, visitor))


def _address(path: str, row: TableRow, *, upwards: bool) -> str:
    """Return the address of the rows of a table beyond a row."""
    return f"{path}?{query_of(TablePlace(row.standing.sort_key, row.player_id, upwards))}"


def _cache_policy(
    season: Season, visitor: Visitor, *tags: CacheTag, until: Sequence[datetime] = ()
) -> CachePolicy:
    """Return the cache policy of a page with tables, which change with the month, and freeze."""
    times = (end_of(season.month), season.freezes_at, season.before.freezes_at, *until)
    return identity.cache_policy(visitor.player, season.now, table.CACHE_TAG, *tags, until=times)


def query_of(place: TablePlace) -> str:
    """Return the query of a place.

    >>> query_of(TablePlace(90000, 7, upwards=False))
    'lower-90000-7'
    """
    return f"{'higher' if place.upwards else 'lower'}-{place.sort_key}-{place.player_id}"


def place_in(query: str) -> TablePlace | None:
    """Return the place that a query names, or None.

    >>> place_in("lower-90000-7")
    TablePlace(sort_key=90000, player_id=7, upwards=False)
    """
    match = _PLACE.fullmatch(query)
    if match is None:
        return None
    direction, sort_key, player_id = match.groups()
    return TablePlace(int(sort_key), int(player_id), direction == "higher")


ROUTES: Routes = (
    *named(
        "seasons.pages.table",
        (
            (HERE, present, _PLACE.pattern),
            (f"{HERE}(?P<month>[0-9]{{4}}-[0-9]{{2}})", show_month, _PLACE.pattern),
            (f"/play{HERE}", own),
        ),
    ),
)
