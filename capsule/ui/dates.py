"""Dates and times as sentences say them, as "22 November 2026", in each language's format."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from babel import dates

from capsule.ui.languages import locale_of
from engine.game import ENGLISH, Message, in_context

if TYPE_CHECKING:
    from gettext import NullTranslations

    from babel import Locale

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


def month_in_words(day: date) -> Message:
    """Return the month of a date with its year.

    >>> from datetime import date
    >>> str(month_in_words(date(2026, 3, 1)))
    'March 2026'
    """
    return _with_format(_MONTH, date(day.year, day.month, 1))


def with_time(moment: datetime) -> Message:
    """Return a time with its date, to the minute, by the clocks of its own time zone.

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
