"""The table of a month: who has how many points, and where a player stands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.languages.dates import month_in_words
from capsule.seasons import queries
from capsule.seasons.model import freezes_at, month_before, month_of
from capsule.seasons.queries import TablePlace, TableRow
from capsule.ui.paging import Slice, read_slice
from engine import Message

CACHE_TAG = "season"
"""The cache tag of pages that show a table: see `capsule.db.changes`."""

PAGE_SIZE = 50
"""The number of players on one page."""

LEADERS = 3
"""The number of players of a frozen table that the page of the season shows."""


@dataclass(frozen=True, slots=True)
class Season:
    """A month and its table, as of a time."""

    month: date
    now: datetime

    @property
    def name(self) -> Message:
        """The month in words."""
        return month_in_words(self.month)

    @property
    def path(self) -> str:
        """The permanent address of its table."""
        return f"/season/{self.month:%Y-%m}"

    @property
    def is_present(self) -> bool:
        """Whether it is the present month."""
        return self.month == month_of(self.now)

    @property
    def freezes_at(self) -> datetime:
        """The time at which the table freezes."""
        return freezes_at(self.month)

    @property
    def is_frozen(self) -> bool:
        """Whether its table can change no more."""
        return self.now >= self.freezes_at

    @property
    def before(self) -> "Season":
        """The season of the month before."""
        return Season(month_before(self.month), self.now)


def present(now: datetime) -> Season:
    """Return the season of the present month."""
    return Season(month_of(now), now)


def season_of(transaction: Transaction, month: date) -> Season | None:
    """Return the season of a month, None for one to come or before the first with points."""
    season = Season(month, transaction.now)
    if season.is_present:
        return season
    if month > month_of(season.now):
        return None
    first = queries.first_month(transaction.connection)
    return None if first is None or month < first else season


def read_table(
    transaction: Transaction, month: date, place: TablePlace | None = None
) -> Slice[TableRow]:
    """Return a slice of a table, the highest row first: its top, or what lies beyond a place.

    A place is a standing, not a rank: nobody is skipped because others climb meanwhile.
    """
    connection = transaction.connection
    found = read_slice(
        PAGE_SIZE,
        lambda limit, beyond: queries.rows_in(connection, month, limit, beyond),
        place,
        backwards=place is not None and place.upwards,
    )
    return replace(found, items=_ranked(connection, month, found.items))


def unfrozen_season(transaction: Transaction) -> Season | None:
    """Return the season before the present one while its table can change, None without points."""
    before = present(transaction.now).before
    has_points = not before.is_frozen and queries.rows_in(transaction.connection, before.month, 1)
    return before if has_points else None


def frozen_season(transaction: Transaction) -> tuple[Season, Sequence[TableRow]]:
    """Return the last season whose table is frozen, and the first of it."""
    before = present(transaction.now).before
    frozen = before if before.is_frozen else before.before
    leaders = queries.rows_in(transaction.connection, frozen.month, LEADERS)
    return frozen, _ranked(transaction.connection, frozen.month, leaders)


def row_of(transaction: Transaction, season: Season, player: Player) -> TableRow | None:
    """Return a player's row in a table, None without points."""
    row = queries.row_of(transaction.connection, season.month, player.id)
    return row and _ranked(transaction.connection, season.month, [row])[0]


def _ranked(connection: sa.Connection, month: date, rows: Sequence[TableRow]) -> Sequence[TableRow]:
    """Return neighbouring rows with their ranks."""
    if not rows:
        return ()
    first = queries.count_above(connection, month, rows[0]) + 1
    return [replace(row, rank=rank) for rank, row in enumerate(rows, start=first)]
