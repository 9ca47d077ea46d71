"""Time zones: what time it is in one, and which one a person means by a city."""

from __future__ import annotations

import difflib
import re
import unicodedata
from datetime import UTC
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from capsule.errors import Refused
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, tzinfo
    from importlib.resources.abc import Traversable

    from engine import Message


MOST_SUGGESTED = 5
"""Time zones that an answer proposes at most."""

LONGEST = 64
"""Characters of what may be typed for a time zone, and of the name of one."""

_NO_PLACES = {"Factory", "localtime", "posixrules"}


class ZoneRefused(Refused):
    """A text that names no time zone, or more than one; `message` says so and proposes some."""


def in_zone(moment: datetime, name: str) -> datetime:
    """Return an aware time as the clocks of a time zone show it.

    A zone that the database does not know, or no longer, counts as UTC. So do the first and the
    last hours of the calendar, which would leave it: certificates that never end have such dates.

    >>> from datetime import datetime
    >>> in_zone(datetime(2026, 7, 1, 12, tzinfo=UTC), "Europe/Vienna").hour
    14
    """
    try:
        return moment.astimezone(_zone(name))
    except OverflowError:
        return moment.astimezone(UTC)


def zone_name(moment: datetime) -> str:
    """Return what the time zone of an aware time is called then.

    Zones without letters of their own are called by how far they are from UTC.

    >>> from datetime import datetime
    >>> noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    >>> [zone_name(in_zone(noon, name)) for name in ("Asia/Kathmandu", "America/Santiago", "UTC")]
    ['UTC+05:45', 'UTC-04', 'UTC']
    """
    name = moment.tzname() or "UTC"
    if name[0] not in "+-":
        return name
    hours, minutes = f"{moment:%z}"[:3], f"{moment:%z}"[3:5]
    return f"UTC{hours}" + (f":{minutes}" if minutes != "00" else "")


def moment(at: datetime, time_zone: str) -> Message:
    """Return a time as a prompt tells it to somebody in a time zone."""
    there = in_zone(at, time_zone)
    return message(
        "{date} at {time} {zone}",
        date=there.date(),
        time=f"{there:%H:%M}",
        zone=zone_name(there),
    )


def find(typed: str) -> str:
    """Return the name of the time zone that a person means, who typed a city or such a name.

    A country with one time zone will do as well. Raises `ZoneRefused` where none is meant, or more
    than one.

    >>> find("vienna"), find("New York"), find("são paulo"), find("europe/london"), find("utc")
    ('Europe/Vienna', 'America/New_York', 'America/Sao_Paulo', 'Europe/London', 'UTC')
    """
    if len(typed) > LONGEST:
        raise ZoneRefused(message("That is too long for a city"))
    plain = _plain(typed)
    if plain in _by_name():
        return _by_name()[plain]
    cities, zones = _without_old_names(_by_city().get(plain, ())), _by_country().get(plain, ())
    if 1 in (len(cities), len(zones)):
        return cities[0] if len(cities) == 1 else zones[0]
    raise ZoneRefused(_doubt(typed.strip(), plain, cities or zones))


def _doubt(place: str, plain: str, zones: Sequence[str]) -> Message:
    """Return why a text names none of the time zones or all of these."""
    if zones:
        some = tuple(zones[:MOST_SUGGESTED])
        return message(
            "There is more than one time zone for {place}, such as {zones}", place=place, zones=some
        )
    if re.search("[+-] ?[0-9]", plain):
        return message(
            "{place} does not say when clocks are changed: name a large city that has your time",
            place=place,
        )
    near = _near(plain)
    if near:
        return message("No time zone is called {place}: perhaps {zones}", place=place, zones=near)
    return message(
        "No time zone is called {place}: name a large city that has your time", place=place
    )


# Bounded, though only names that `find` has returned are asked for.
@lru_cache(maxsize=1 << 10)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@cache
def _by_name() -> Mapping[str, str]:
    return {_plain(name): name for name in sorted(available_timezones() - _NO_PLACES)}


@cache
def _by_city() -> Mapping[str, Sequence[str]]:
    cities: dict[str, list[str]] = {}
    for plain, name in _by_name().items():
        cities.setdefault(plain.rpartition("/")[2], []).append(name)
    return cities


@cache
def _by_country() -> Mapping[str, Sequence[str]]:
    """Return the time zones of each country, those of the most people first."""
    folder = files("tzdata") / "zoneinfo"
    countries = dict(_table(folder / "iso3166.tab"))
    zones: dict[str, list[str]] = {}
    for country, _, zone, *_ in _table(folder / "zone.tab"):
        zones.setdefault(_plain(countries[country]), []).append(zone)
    return zones


def _table(file: Traversable) -> Iterator[list[str]]:
    for row in file.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            yield row.split("\t")


def _plain(text: str) -> str:
    """Return a text without case, accents and what may stand between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in letters if not unicodedata.combining(each) and each not in "'’")
    # A sign before a number is a part of the name: Etc/GMT-2 is another zone than Etc/GMT+2.
    return " ".join(re.sub(r"[\s_.,]+|-(?!\d)", " ", bare).split()).replace(" / ", "/")


def _without_old_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a city, without those that were replaced by one that says more."""
    found = tuple(names)
    deepest = max((name.count("/") for name in found), default=0)
    return tuple(name for name in found if name.count("/") == deepest)


def _near(plain: str) -> tuple[str, ...]:
    """Return time zones that may be meant: a part of a name was typed, or it was misspelt."""
    within = [
        name
        for key, name in _by_name().items()
        if len(plain) > 2 and re.search(rf"\b{re.escape(plain)}", key)
    ]
    alike = difflib.get_close_matches(plain, _by_city(), n=MOST_SUGGESTED)
    likely = [*within, *(name for city in alike for name in _by_city()[city])]
    return tuple(dict.fromkeys(likely))[:MOST_SUGGESTED]
