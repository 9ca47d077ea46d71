"""The pages of the season: the tables of this and other months, and the reader's own place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from capsule.accounts import identity
from capsule.context import Transaction, reading
from capsule.db.schema.ratings import season_bans, season_events, season_standings
from capsule.errors import NotFound
from capsule.feature import Feature
from capsule.games.eligibility import MIN_AGE, is_eligible
from capsule.gemini.types import CachePolicy, CacheTag, PlayerGames, Request, Response
from capsule.languages.dates import MONTH, Month
from capsule.seasons import model, queries, scoring
from capsule.seasons.queries import TablePlace, TableRow
from capsule.ui import paging, responses
from capsule.ui.routes import Routes, cacheable, named

HERE = "/season/"

_PLACE = re.compile(r"(higher|lower)-([1-9][0-9]{0,17})-([1-9][0-9]{0,8})")

CACHE_TAG = "season"
"""The cache tag of pages that show a table: see `capsule.db.changes`."""

PAGE_SIZE = 50
"""The number of players on one page."""

LEADERS = 3
"""The number of players of a frozen table that the page of the season shows."""


@dataclass(frozen=True, slots=True)
class Season:
    """A month and its table, as of a time."""

    month: Month
    now: datetime

    @property
    def path(self) -> str:
        """The permanent address of its table."""
        return f"{HERE}{self.month.key}"

    @property
    def is_present(self) -> bool:
        """Whether it is the present month."""
        return self.month == Month.of(self.now)

    @property
    def freezes_at(self) -> datetime:
        """The time at which the table freezes."""
        return model.freezes_at(self.month)

    @property
    def is_frozen(self) -> bool:
        """Whether its table can change no more."""
        return self.now >= self.freezes_at

    @property
    def before(self) -> "Season":
        """The season of the month before."""
        return Season(self.month.before, self.now)


@cacheable
@reading
def present(transaction: Transaction, request: Request) -> Response:
    """Return the page of the season: this month's table, and the first of the last frozen one.

    The query is a place in the table, from a link of such a page; any other query counts as none.
    """
    season = Season(Month.of(transaction.now), transaction.now)
    before = season.before
    frozen = before if before.is_frozen else before.before
    has_unfrozen = frozen != before and queries.rows_in(transaction.connection, before.month, 1)
    leaders = queries.rows_in(transaction.connection, frozen.month, LEADERS)
    return _page(
        transaction,
        request,
        season,
        HERE,
        has_last=True,
        earlier=None,
        unfrozen=before if has_unfrozen else None,
        frozen=frozen,
        leaders=_ranked(transaction, frozen.month, leaders),
    )


@cacheable
@reading
def show_month(transaction: Transaction, request: Request, month: str) -> Response:
    """Return the table of a month."""
    season = Season(Month.parse(month), transaction.now)
    if not _has_table(transaction, season):
        raise NotFound
    earlier = season.before if _has_table(transaction, season.before) else None
    return _page(transaction, request, season, season.path, has_last=False, earlier=earlier)


@cacheable
@reading
def own(transaction: Transaction, request: Request) -> Response:
    """Return the page that says where its reader stands this month."""
    visitor = identity.signed_in(transaction, request)
    season = Season(Month.of(transaction.now), transaction.now)
    row = around = None
    if (player := visitor.player) is not None:
        row = queries.row_of(transaction.connection, season.month, player.id)
    entry = row and _ranked(transaction, season.month, [row])[0]
    if entry is not None and entry.rank > PAGE_SIZE:
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
    if player is None:
        return replace(page, cache_policy=_cache_policy(season, visitor))
    # Whether the player counts may change with a game, or once a day has passed.
    until = (player.created_at + MIN_AGE,)
    policy = _cache_policy(season, visitor, PlayerGames(player.id), until=until)
    return replace(page, cache_policy=policy)


def _page(
    transaction: Transaction, request: Request, season: Season, path: str, **values: object
) -> Response:
    visitor = identity.visitor_of(transaction, request)
    place = place_in(request.query or "")
    # A place is a standing, not a rank: nobody is skipped because others climb meanwhile.
    found = paging.read_slice(
        PAGE_SIZE,
        partial(queries.rows_in, transaction.connection, season.month),
        place,
        backwards=place is not None and place.upwards,
    )
    rows = found.items
    page = responses.page(
        visitor.preferences,
        "seasons/table.gmi",
        season=season,
        entries=_ranked(transaction, season.month, rows),
        higher=_address(path, rows[0], upwards=True) if found.has_previous else None,
        lower=_address(path, rows[-1], upwards=False) if found.has_next else None,
        min_plies=model.MIN_PLIES,
        games_a_day=model.GAMES_A_DAY,
        games_a_month=model.GAMES_A_MONTH,
        **values,
    )
    return replace(page, cache_policy=_cache_policy(season, visitor))


def _address(path: str, row: TableRow, *, upwards: bool) -> str:
    """Return the address of the rows of a table beyond a row."""
    direction = "higher" if upwards else "lower"
    return f"{path}?{direction}-{row.standing.sort_key}-{row.player_id}"


def _cache_policy(
    season: Season, visitor: identity.Visitor, *tags: CacheTag, until: Sequence[datetime] = ()
) -> CachePolicy:
    """Return the cache policy of a page with tables, which change with the month, and freeze."""
    times = (season.month.after.begins_at, season.freezes_at, season.before.freezes_at, *until)
    return identity.cache_policy(visitor.player, season.now, CACHE_TAG, *tags, until=times)


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


def _has_table(transaction: Transaction, season: Season) -> bool:
    """Return whether a season has a table: the present one, or one since the first points."""
    if season.is_present or season.month > Month.of(season.now):
        return season.is_present
    first = queries.first_month(transaction.connection)
    return first is not None and season.month >= first


def _ranked(transaction: Transaction, month: Month, rows: Sequence[TableRow]) -> Sequence[TableRow]:
    """Return neighbouring rows with their ranks."""
    if not rows:
        return ()
    first = queries.count_above(transaction.connection, month, rows[0]) + 1
    return [replace(row, rank=rank) for rank, row in enumerate(rows, start=first)]


ROUTES: Routes = named(
    "seasons.pages.table",
    (
        (HERE, present, _PLACE.pattern),
        (f"{HERE}{MONTH}", show_month, _PLACE.pattern),
        (f"/play{HERE}", own),
    ),
)

FEATURE = Feature(
    ROUTES,
    (season_standings, season_events, season_bans),
    erase=scoring.erase,
    sweep=((scoring.score_due, "Points of the season could not be given"),),
    on_ban=scoring.exclude,
    on_unban=scoring.reinstate,
)
