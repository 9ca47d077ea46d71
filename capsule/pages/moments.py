"""Times as they stand in the addresses of lists: to the microsecond, as the database has them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

MOMENT = "[0-9a-f]{1,13}"
"""The pattern of a time in an address."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def written(moment: datetime) -> str:
    """Return a time as it stands in an address.

    >>> written(datetime(1970, 1, 1, second=1, tzinfo=UTC))
    'f4240'
    """
    return f"{(moment - _EPOCH) // _MICROSECOND:x}"


def read(text: str) -> datetime:
    """Return the time that `written` wrote, or any that is of the same pattern.

    >>> read("f4240").isoformat()
    '1970-01-01T00:00:01+00:00'
    """
    return _EPOCH + int(text, 16) * _MICROSECOND
