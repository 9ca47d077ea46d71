"""Dates, times, durations and months, in words."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from gettext import NullTranslations
from typing import Literal, NamedTuple, cast

from babel import Locale, dates

from capsule.languages.model import locale_of
from engine import Message
from engine.game import ENGLISH, in_context, message, plural

# Translators: these are formats, not words. d, MMMM and y are the day, the month's name and the
# Translators: year; see unicode.org/reports/tr35/tr35-dates.html. Words stand in single quotes.
_DATE = in_context("the format of a date", "d MMMM y")
_MONTH = in_context("the format of a month with its year", "MMMM y")
_TIME = in_context("the format of a date with a time", "d MMMM y 'at' HH:mm")


class FormattedDate(Message):
    """A date or time, whose text is its format."""

    def render(self, translations: NullTranslations = ENGLISH) -> str:
        """Return the date in a language, with the names of its months."""
        return _formatted(self.values["day"], self.template(translations), locale_of(translations))


def in_words(day: date) -> Message:
    """Return a date with its month's name: figures with hyphens break at the end of a line.

    >>> from datetime import date
    >>> str(in_words(date(2026, 3, 4)))
    '4 March 2026'
    """
    return _with_format(_DATE, date(day.year, day.month, day.day))


def with_time(moment: datetime) -> Message:
    """Return a time with its date, to the minute, in its time zone.

    >>> str(with_time(datetime(2026, 3, 4, 14, 2)))
    '4 March 2026 at 14:02'
    """
    return _with_format(_TIME, moment.replace(second=0, microsecond=0, tzinfo=None))


def _with_format(written: Message, day: date) -> Message:
    return FormattedDate(written.text, {"day": day}, context=written.context)


# Lists of games show the same days again and again.
@lru_cache(maxsize=1 << 10)
def _formatted(day: date, written: str, locale: Locale) -> str:
    if isinstance(day, datetime):
        return dates.format_datetime(day, written, locale=locale)
    return dates.format_date(day, written, locale=locale)


class _Unit(NamedTuple):
    """A unit of time; what lacks less than `lack` of a whole one counts as a whole one."""

    name: Literal["day", "hour", "minute"]
    length: timedelta
    lack: timedelta
    left: Message


_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_MINUTE, _SECOND = timedelta(minutes=1), timedelta(seconds=1)

_UNITS = (
    _Unit("day", _DAY, _HOUR, plural("{count} day left", "{count} days left")),
    _Unit("hour", _HOUR, 5 * _MINUTE, plural("{count} hour left", "{count} hours left")),
    _Unit("minute", _MINUTE, 5 * _SECOND, plural("{count} minute left", "{count} minutes left")),
)


class FormattedDuration(Message):
    """A whole number of days, hours or minutes, whose text names the unit."""

    def render(self, translations: NullTranslations = ENGLISH) -> str:
        """Return the duration in a language."""
        return _formatted_duration(
            self.text, cast("int", self.values["count"]), locale_of(translations)
        )


@lru_cache(maxsize=1 << 10)
def _formatted_duration(unit: Literal["day", "hour", "minute"], count: int, locale: Locale) -> str:
    time = next(each.length for each in _UNITS if each.name == unit) * count
    # Above a threshold, Babel would switch to days or weeks.
    return dates.format_timedelta(time, granularity=unit, threshold=float("inf"), locale=locale)


def duration(time: timedelta) -> Message:
    """Return a length of time in whole days, or hours, or minutes.

    It is rounded down, so that no player counts on more time than there is, but a moment is not
    missed: a clock of seven days that has run for two minutes still says seven days.

    >>> for time in (timedelta(days=6, hours=23, minutes=58), timedelta(days=6, hours=12)):
    ...     print(duration(time))
    7 days
    6 days
    >>> for time in (timedelta(hours=22, minutes=40), timedelta(minutes=12), timedelta(seconds=9)):
    ...     print(duration(time))
    22 hours
    12 minutes
    less than a minute
    """
    for unit in _UNITS:
        count = (time + unit.lack) // unit.length
        if count > 0:
            return FormattedDuration(unit.name, {"count": count})
    return message("less than a minute")


def time_left(time: timedelta) -> Message:
    """Return the words for the time that is left until a deadline, rounded like a duration.

    >>> str(time_left(timedelta(hours=7))), str(time_left(timedelta(0)))
    ('7 hours left', 'the time is up')
    """
    if time <= timedelta(0):
        return message("the time is up")
    for unit in _UNITS:
        count = (time + unit.lack) // unit.length
        if count > 0:
            return unit.left.filled(count=count)
    return message("less than a minute left")


def same_words_for(time: timedelta) -> timedelta:
    """Return for how long the words of a positive time that is left stay as they are.

    >>> print(same_words_for(timedelta(hours=7, minutes=20)))
    0:25:00
    >>> print(same_words_for(timedelta(seconds=9)))
    0:00:09
    """
    for unit in _UNITS:
        count, rest = divmod(time + unit.lack, unit.length)
        if count > 0:
            return rest
    return time


MONTH = "(?P<month>20[0-9]{2}-(?:0[1-9]|1[0-2]))"


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
    def parse(cls, key: str) -> "Month":
        """Return the month with a key such as "2027-01"."""
        year, _, number = key.partition("-")
        return cls(int(year), int(number))

    @classmethod
    def of(cls, moment: datetime) -> "Month":
        """Return the month of an aware time."""
        day = moment.astimezone(UTC)
        return cls(day.year, day.month)

    @property
    def key(self) -> str:
        """The month as addresses and the database name it."""
        return f"{self.year:04}-{self.number:02}"

    @property
    def first_day(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def words(self) -> Message:
        """The month as a sentence names it."""
        return _with_format(_MONTH, self.first_day)

    @property
    def begins_at(self) -> datetime:
        """The first moment of the month."""
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def after(self) -> "Month":
        """The next month."""
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    @property
    def before(self) -> "Month":
        return Month(self.year - (self.number == 1), (self.number - 2) % 12 + 1)

    @property
    def count(self) -> int:
        """The number of months since the year 0."""
        return 12 * self.year + self.number - 1
