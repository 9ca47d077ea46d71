"""Durations in words: the less time is left, the more precise."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from babel.dates import format_timedelta

from capsule.ui.languages import locale_of
from engine.game import ENGLISH, Message, message, plural

if TYPE_CHECKING:
    from gettext import NullTranslations

    from babel import Locale


class _Unit(NamedTuple):
    """A unit of time; what lacks less than `lack` of a whole one counts as a whole one."""

    name: Literal["day", "hour", "minute"]
    length: timedelta
    lack: timedelta
    left: Message


_UNITS = (
    _Unit(
        "day",
        timedelta(days=1),
        timedelta(hours=1),
        plural("{count} day left", "{count} days left"),
    ),
    _Unit(
        "hour",
        timedelta(hours=1),
        timedelta(minutes=5),
        plural("{count} hour left", "{count} hours left"),
    ),
    _Unit(
        "minute",
        timedelta(minutes=1),
        timedelta(seconds=5),
        plural("{count} minute left", "{count} minutes left"),
    ),
)


class FormattedDuration(Message):
    """A whole number of days, hours or minutes, whose text names the unit."""

    def render(self, translations: NullTranslations = ENGLISH) -> str:
        """Return the duration in a language."""
        return _formatted(self.text, cast("int", self.values["count"]), locale_of(translations))


@lru_cache(maxsize=1 << 10)
def _formatted(unit: Literal["day", "hour", "minute"], count: int, locale: Locale) -> str:
    time = next(each.length for each in _UNITS if each.name == unit) * count
    # Above a threshold, Babel would go on to weeks or days.
    return format_timedelta(time, granularity=unit, threshold=float("inf"), locale=locale)


def duration(time: timedelta) -> Message:
    """Return a length of time in whole days, or hours, or minutes.

    It is rounded down, as nobody should count on more time than there is, but not for the sake of a
    moment: a clock of seven days that has run for two minutes still says seven days.

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
