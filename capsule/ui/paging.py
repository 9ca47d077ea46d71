"""A page of a list that goes on in both directions while it changes, whatever it is a list of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


Item = TypeVar("Item")
Place = TypeVar("Place")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list in its order, and whether the list goes on before and behind it."""

    items: Sequence[Item]
    has_before: bool
    has_behind: bool


def page(
    size: int,
    read: Callable[[int, Place | None], Sequence[Item]],
    place: Place | None,
    *,
    backwards: bool,
) -> Page[Item]:
    """Return a page of `size` items beyond a place in a list, or its first where that is None.

    `read` returns as many items as it is told beyond a place, the nearest to it first, or of the
    beginning of the list for None. With `backwards`, those beyond are those before it. Where
    nothing is beyond, or less than a page before it, it is the first page.

    >>> page(2, lambda most, place: "cba"[:most] if place else "abcde"[:most], "d", backwards=True)
    Page(items='bc', has_before=True, has_behind=True)
    """
    found: Sequence[Item] = () if place is None else read(size + 1, place)
    is_first = not found or (backwards and len(found) <= size)
    if is_first:
        found = read(size + 1, None)
    is_turned = backwards and not is_first
    shown = found[:size]
    return Page(
        shown[::-1] if is_turned else shown,
        has_before=not is_first,
        has_behind=is_turned or len(found) > size,
    )


MOMENT_PATTERN = "[0-9a-f]{1,13}"
"""The pattern of a time in an address."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def encode_moment(moment: datetime) -> str:
    """Return a time as it stands in an address.

    >>> encode_moment(datetime(1970, 1, 1, second=1, tzinfo=UTC))
    'f4240'
    """
    return f"{(moment - _EPOCH) // _MICROSECOND:x}"


def decode_moment(text: str) -> datetime:
    """Return the time that `written` wrote, or any that is of the same pattern.

    >>> decode_moment("f4240").isoformat()
    '1970-01-01T00:00:01+00:00'
    """
    return _EPOCH + int(text, 16) * _MICROSECOND
