"""Time zones: the local time in one, and finding one by a typed city or distance.

A zone has a name in the IANA database, like "Europe/Vienna", or is a fixed distance from UTC, like
"UTC+02:00": two hours ahead of it. The database's own names for such distances have the opposite
sign, Etc/GMT-2 being two hours ahead, and are understood only if they are typed in full.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from capsule.errors import Refused
from capsule.languages.dates import with_time
from capsule.languages.model import Language, active_language
from engine import Message, message

MAX_SUGGESTIONS = 5

MAX_LENGTH = 64
"""The greatest length of a time zone's name, and of what is typed to find one."""

_NOT_PLACES = {"Factory", "localtime", "posixrules"}

_FIRST_OFFSET, _LAST_OFFSET = timedelta(hours=-12), timedelta(hours=14)
_MINUS_SIGNS = str.maketrans("−–‒", "---")
_TYPED_OFFSET = re.compile(
    r"(?:utc|gmt)? ?([+-]) ?([0-9]{1,2})(?::?([0-5][0-9]))?(?: ?(?:h|hours))?"
)
_OFFSET = re.compile(r"UTC([+-])([0-9]{2}):([0-9]{2})")


class ZoneRefused(Refused):
    """A text that names no time zone, or several; `message` says so and suggests some."""


def in_zone(moment: datetime, name: str) -> datetime:
    """Return an aware time in a time zone, as its clocks show it.

    An unknown zone counts as UTC. A time that the zone would move out of the calendar stays in UTC:
    certificates that never expire have such dates.

    >>> from datetime import datetime
    >>> in_zone(datetime(2026, 7, 1, 12, tzinfo=UTC), "Europe/Vienna").hour
    14
    """
    try:
        return moment.astimezone(_zone(name))
    except OverflowError:
        return moment.astimezone(UTC)


def zone_name(moment: datetime) -> str:
    """Return the abbreviation of an aware time's zone at that time.

    A zone without an abbreviation is named by its distance from UTC.

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


def local_time(moment: datetime, time_zone: str) -> Message:
    """Return a time in a time zone, as sentences say it.

    >>> from datetime import datetime
    >>> moment = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)
    >>> str(local_time(moment, "UTC")), str(local_time(moment, "Europe/Vienna"))
    ('20 November 2026 at 14:02 UTC', '20 November 2026 at 15:02 CET')
    """
    there = in_zone(moment, time_zone)
    return message("{time} {zone}", time=with_time(there), zone=zone_name(there))


def find(typed: str) -> str:
    """Return the name of the time zone that is meant by a city, a zone's name or a distance.

    The name of a country will do if it has a single time zone. Cities and countries have their
    English names, and those of the active language. Raises `ZoneRefused` if the text fits
    no time zone, or several.

    >>> find("vienna"), find("New York"), find("são paulo"), find("europe/london"), find("utc")
    ('Europe/Vienna', 'America/New_York', 'America/Sao_Paulo', 'Europe/London', 'UTC')
    >>> from capsule.languages.model import PORTUGUESE, override_language
    >>> with override_language(PORTUGUESE):
    ...     find("Lisboa"), find("Açores"), find("Áustria")
    ('Europe/Lisbon', 'Atlantic/Azores', 'Europe/Vienna')
    >>> find("GMT+2"), find("utc -3"), find("+05:30"), find("UTC+0")
    ('UTC+02:00', 'UTC-03:00', 'UTC+05:30', 'UTC')
    """
    if len(typed) > MAX_LENGTH:
        raise ZoneRefused(message("That is too long for a city"))
    if (offset := _offset_in(typed)) is not None:
        return offset
    plain = _plain(typed)
    if not plain:
        raise ZoneRefused(message("There is nothing to read in it"))
    if plain in _by_name():
        return _by_name()[plain]
    cities = _without_old_names(_by_city(active_language()).get(plain, ()))
    zones = _by_country(active_language()).get(plain, ())
    if 1 in (len(cities), len(zones)):
        return cities[0] if len(cities) == 1 else zones[0]
    raise ZoneRefused(_doubt(typed.strip(), plain, cities or zones))


def is_fixed(name: str) -> bool:
    """Return whether a time zone is a distance from UTC, which knows no summer time.

    >>> is_fixed("UTC+02:00"), is_fixed("Europe/Vienna"), is_fixed("UTC")
    (True, False, False)
    """
    return _OFFSET.fullmatch(name) is not None


def _offset_in(typed: str) -> str | None:
    """Return the name of the distance from UTC that a text is, None for other texts."""
    plain = " ".join(typed.translate(_MINUS_SIGNS).casefold().split())
    match = _TYPED_OFFSET.fullmatch(plain)
    if match is None:
        return None
    sign, hours, minutes = match[1], int(match[2]), int(match[3] or 0)
    ahead = timedelta(hours=hours, minutes=minutes) * (1 if sign == "+" else -1)
    if not _FIRST_OFFSET <= ahead <= _LAST_OFFSET:
        raise ZoneRefused(
            message(
                "{place} is no time on Earth. Clocks show UTC-12 to UTC+14", place=typed.strip()
            )
        )
    return f"UTC{sign}{hours:02}:{minutes:02}" if ahead else "UTC"


def _doubt(place: str, plain: str, zones: Sequence[str]) -> Message:
    """Return the sentence that says why a place names no time zone, or all of `zones`."""
    if zones:
        some = tuple(zones[:MAX_SUGGESTIONS])
        return message(
            "{place} has more than one time zone. Choose one, such as {zones}",
            place=place,
            zones=some,
        )
    near = _near(plain)
    if near:
        return message(
            "No time zone is called {place}. Perhaps you mean {zones}", place=place, zones=near
        )
    return message(
        "No time zone is called {place}. Name a large city that has your time", place=place
    )


# Bounded, although every name asked for is one that `find` has returned.
@lru_cache(maxsize=1 << 10)
def _zone(name: str) -> tzinfo:
    if (match := _OFFSET.fullmatch(name)) is not None:
        sign, hours, minutes = match[1], int(match[2]), int(match[3])
        ahead = timedelta(hours=hours, minutes=minutes) * (1 if sign == "+" else -1)
        # Without a name, so that `zone_name` makes one.
        return timezone(ahead, f"{sign}{hours:02}{minutes:02}")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@cache
def _by_name() -> Mapping[str, str]:
    return {_plain(name): name for name in sorted(available_timezones() - _NOT_PLACES)}


@cache
def _by_city(language: Language) -> Mapping[str, Sequence[str]]:
    """Return the time zones of each city, by its English name and its own in the language."""
    cities: dict[str, list[str]] = {}
    for plain, name in _by_name().items():
        if name.startswith("Etc/"):
            continue  # nobody's city, and of the opposite sign: see above
        cities.setdefault(plain.rpartition("/")[2], []).append(name)
    known = set(_by_name().values())
    for name, words in language.locale.time_zones.items():
        # A word that is a city in English already means that one in every language.
        if "city" in words and name in known:
            cities.setdefault(_plain(words["city"]), [name])
    return cities


@cache
def _by_country(language: Language) -> Mapping[str, Sequence[str]]:
    """Return the time zones of each country, the most populous first."""
    folder = files("tzdata") / "zoneinfo"
    countries = dict(_table(folder / "iso3166.tab"))
    zones: dict[str, list[str]] = {}
    for country, _, zone, *_ in _table(folder / "zone.tab"):
        own = language.locale.territories.get(country, countries[country])
        for name in {_plain(countries[country]), _plain(own)}:
            zones.setdefault(name, []).append(zone)
    return zones


def _table(file: Traversable) -> Iterator[list[str]]:
    for row in file.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            yield row.split("\t")


def _plain(text: str) -> str:
    """Return a text in lower case, without accents, and with one space between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in letters if not unicodedata.combining(each) and each not in "'’")
    # A sign before a number belongs to the name: Etc/GMT-2 is not Etc/GMT+2.
    return " ".join(re.sub(r"[\s_.,]+|-(?!\d)", " ", bare).split()).replace(" / ", "/")


def _without_old_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of zones, without old names that a more specific one has replaced."""
    found = tuple(names)
    deepest = max((name.count("/") for name in found), default=0)
    return tuple(name for name in found if name.count("/") == deepest)


def _near(plain: str) -> tuple[str, ...]:
    """Return the time zones whose name contains the text, or is spelt like it."""
    within = [
        name
        for key, name in _by_name().items()
        if len(plain) > 2
        and not name.startswith("Etc/")
        and re.search(rf"\b{re.escape(plain)}", key)
    ]
    cities = _by_city(active_language())
    alike = difflib.get_close_matches(plain, cities, n=MAX_SUGGESTIONS)
    likely = [*within, *(name for city in alike for name in cities[city])]
    return tuple(dict.fromkeys(likely))[:MAX_SUGGESTIONS]
