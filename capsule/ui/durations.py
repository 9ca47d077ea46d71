"""Durations in words: the less time is left, the more precise."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from engine.game import Message, message


class _Unit(NamedTuple):
    """A unit of time; what lacks less than `lack` of a whole one counts as a whole one."""

    length: timedelta
    lack: timedelta
    one: Message
    several: Message


_UNITS = (
    _Unit(timedelta(days=1), timedelta(hours=1), message("1 day"), message("{count} days")),
    _Unit(timedelta(hours=1), timedelta(minutes=5), message("1 hour"), message("{count} hours")),
    _Unit(
        timedelta(minutes=1), timedelta(seconds=5), message("1 minute"), message("{count} minutes")
    ),
)


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
            return unit.one if count == 1 else Message(unit.several.text, {"count": count})
    return message("less than a minute")


def time_left(time: timedelta) -> Message:
    """Return the words for the time that is left until a deadline.

    >>> str(time_left(timedelta(hours=7))), str(time_left(timedelta(0)))
    ('7 hours left', 'the time is up')
    """
    if time <= timedelta(0):
        return message("the time is up")
    return message("{duration} left", duration=duration(time))


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
