"""Long lists, a slice at a time, in both directions and while they change; and times in addresses.

A link to the rest of a list names a place in it by what the list is sorted by, not by a count of
what came before. So nothing is skipped or shown twice when the list changes between two slices.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

Item = TypeVar("Item")
Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class Slice(Generic[Item]):
    """Neighbouring items of a list, in its order, and whether there are more on either side."""

    items: Sequence[Item]
    has_previous: bool
    has_next: bool


def read_slice(
    size: int,
    read: Callable[[int, Place | None], Sequence[Item]],
    place: Place | None,
    *,
    backwards: bool,
) -> Slice[Item]:
    """Return up to `size` items of a list: the first ones, or those next to a place in it.

    Args:
        size: How many items a slice has.
        read: Returns up to a given number of items beyond a place, the nearest first; of the
            beginning of the list if the place is None.
        place: Where the slice begins, None for the beginning of the list.
        backwards: Whether `read` goes towards the beginning of the list from this place.

    Returns:
        The slice. It is the first one of the list if nothing lies beyond the place, and if
        less than a whole slice lies before it.

    >>> def read(limit, place):
    ...     return "cba"[:limit] if place else "abcde"[:limit]
    >>> read_slice(2, read, "d", backwards=True)
    Slice(items='bc', has_previous=True, has_next=True)
    """
    found: Sequence[Item] = () if place is None else read(size + 1, place)
    is_first = not found or (backwards and len(found) <= size)
    if is_first:
        found = read(size + 1, None)
    is_reversed = backwards and not is_first
    items = found[:size]
    return Slice(
        items[::-1] if is_reversed else items,
        has_previous=not is_first,
        has_next=is_reversed or len(found) > size,
    )


MOMENT_PATTERN = "[0-9a-f]{1,13}"
"""The regular expression of a time in an address."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def encode_moment(moment: datetime) -> str:
    """Return a time in the form that it has in an address.

    >>> encode_moment(datetime(1970, 1, 1, second=1, tzinfo=UTC))
    'f4240'
    """
    return f"{(moment - _EPOCH) // _MICROSECOND:x}"


def decode_moment(text: str) -> datetime:
    """Return the time encoded in a text that matches `MOMENT_PATTERN`.

    >>> decode_moment("f4240").isoformat()
    '1970-01-01T00:00:01+00:00'
    """
    return _EPOCH + int(text, 16) * _MICROSECOND


class TermsRefused(ValueError):
    """Terms that no page has written."""


def read_choices(query: str | None, options: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return the choices that a query makes, by name; `options` are the values that each may have.

    Raises `TermsRefused` for any other name or value, and for a choice that is made twice.

    >>> read_choices("rated=no", {"rated": ("yes", "no")})
    {'rated': 'no'}
    """
    choices: dict[str, str] = {}
    for part in filter(None, (query or "").split("&")):
        name, _, value = part.partition("=")
        if value not in options.get(name, ()) or name in choices:
            raise TermsRefused(part)
        choices[name] = value
    return choices


def write_choices(choices: Mapping[str, str], defaults: Mapping[str, str]) -> str:
    """Return the query that makes these choices, without those that are the defaults.

    >>> write_choices({"days": "3", "rated": "no"}, {"days": "3"})
    'rated=no'
    """
    return "&".join(
        f"{name}={value}" for name, value in choices.items() if defaults.get(name) != value
    )
