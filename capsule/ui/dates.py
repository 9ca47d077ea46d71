"""Dates as sentences say them, as "22 November 2026"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import message

if TYPE_CHECKING:
    from datetime import date

    from engine import Message


_MONTHS: tuple[Message, ...] = (
    message("January"),
    message("February"),
    message("March"),
    message("April"),
    message("May"),
    message("June"),
    message("July"),
    message("August"),
    message("September"),
    message("October"),
    message("November"),
    message("December"),
)


def in_words(day: date) -> Message:
    """Return a date with its month's name: figures with hyphens break at the end of a line.

    >>> from datetime import date
    >>> str(in_words(date(2026, 3, 4)))
    '4 March 2026'
    """
    return message("{day} {month} {year}", day=day.day, month=_MONTHS[day.month - 1], year=day.year)


def month_in_words(day: date) -> Message:
    """Return the month of a date with its year.

    >>> from datetime import date
    >>> str(month_in_words(date(2026, 3, 1)))
    'March 2026'
    """
    return message("{month} {year}", month=_MONTHS[day.month - 1], year=day.year)
