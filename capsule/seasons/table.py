"""The table of a month: who has how many points, and where a player stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games.eligibility import is_eligible
from capsule.languages.dates import month_in_words
from capsule.seasons import queries
from capsule.seasons.model import Standing, freezes_at, month_before, month_of
from capsule.seasons.queries import TablePlace, TableRow
from capsule.ui import paging
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


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A player on a table: the rank, the standing, and the name, "" for a former player."""

    rank: int
    name: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class TableSlice:
    """Neighbouring entries of a table, highest first, and where it continues on either side."""

    entries: Sequence[TableEntry]
    higher: TablePlace | None
    lower: TablePlace | None


@dataclass(frozen=True, slots=True)
class LastSeasons:
    """The season before the present one, and the first of the last one whose table is frozen.

    `unfrozen` is the season before, while its table can still change. Each is None if nobody has
    points in it, or none is early enough.
    """

    unfrozen: Season | None
    frozen: Season | None
    leaders: Sequence[TableEntry]


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
) -> TableSlice:
    """Return a slice of a table: its top, or what lies beyond a place.

    A place is a standing, not a rank: nobody is skipped because others climb meanwhile.
    """
    connection = transaction.connection
    found = paging.read_slice(
        PAGE_SIZE,
        lambda limit, beyond: queries.rows_in(connection, month, limit, beyond),
        place,
        backwards=place is not None and place.upwards,
    )
    rows = found.items
    return TableSlice(
        _entries(connection, month, rows),
        _place_of(rows[0], upwards=True) if found.has_previous else None,
        _place_of(rows[-1], upwards=False) if found.has_next else None,
    )


def last_seasons(transaction: Transaction) -> LastSeasons:
    """Return the season before the present one while it can change, and the last frozen one."""
    connection, before = transaction.connection, present(transaction.now).before
    frozen = before if before.is_frozen else before.before
    leaders = queries.rows_in(connection, frozen.month, LEADERS)
    is_unfrozen = not before.is_frozen and bool(queries.rows_in(connection, before.month, 1))
    return LastSeasons(
        before if is_unfrozen else None,
        frozen if leaders else None,
        _entries(connection, frozen.month, leaders),
    )


def entry_of(transaction: Transaction, season: Season, player: Player) -> TableEntry | None:
    """Return a player's entry in a table, None without points."""
    row = queries.row_of(transaction.connection, season.month, player.id)
    return None if row is None else _entries(transaction.connection, season.month, [row])[0]


def counts(transaction: Transaction, player: Player) -> bool:
    """Return whether what a player does now can earn points."""
    return is_eligible(transaction.connection, player, transaction.now)


def place_above(entry: TableEntry, player: Player) -> TablePlace | None:
    """Return the place just above a player's entry, None on the first page."""
    if entry.rank <= PAGE_SIZE:
        return None
    # A page from there begins with the entry itself.
    return TablePlace(entry.standing.sort_key, player.id + 1, upwards=False)


def _entries(connection: Connection, month: date, rows: Sequence[TableRow]) -> Sequence[TableEntry]:
    """Return neighbouring rows with their ranks."""
    if not rows:
        return ()
    first = queries.count_above(connection, month, rows[0]) + 1
    return [TableEntry(rank, row.name, row.standing) for rank, row in enumerate(rows, start=first)]


def _place_of(row: TableRow, *, upwards: bool) -> TablePlace:
    return TablePlace(row.standing.sort_key, row.player_id, upwards)
