"""Calendar months in UTC, as addresses and sentences name them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from capsule.ui.dates import month_in_words

if TYPE_CHECKING:
    from engine import Message


MONTH = "(?P<month>20[0-9]{2}-(?:0[1-9]|1[0-2]))"
"""The pattern of a month in an address."""


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A calendar month.

    >>> Month.parse("2026-12").after.key
    '2027-01'
    >>> str(Month(2027, 1).words)
    'January 2027'
    """

    year: int
    number: int

    @classmethod
    def parse(cls, key: str) -> Month:
        """Return the month with a key such as "2027-01"."""
        year, _, number = key.partition("-")
        return cls(int(year), int(number))

    @classmethod
    def of(cls, moment: datetime) -> Month:
        """Return the month of an aware time."""
        day = moment.astimezone(UTC)
        return cls(day.year, day.month)

    @property
    def key(self) -> str:
        """The month as addresses and the database name it."""
        return f"{self.year:04}-{self.number:02}"

    @property
    def words(self) -> Message:
        """The month as a sentence names it."""
        return month_in_words(date(self.year, self.number, 1))

    @property
    def begins_at(self) -> datetime:
        """The first moment of the month."""
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def after(self) -> Month:
        """The next month."""
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    @property
    def before(self) -> Month:
        """The month before."""
        return Month(self.year - (self.number == 1), (self.number - 2) % 12 + 1)

    @property
    def count(self) -> int:
        """The number of months since the year 0."""
        return 12 * self.year + self.number - 1
