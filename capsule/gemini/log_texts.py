"""Paths and faults as the log holds them, without keys and without what visitors sent."""

import traceback
from urllib.parse import quote

MAX_LOGGED_SEGMENT_LENGTH = 20
"""The length up to which a segment of a path is logged; action keys have 26 characters."""

MAX_LOGGED_SEGMENTS = 6
"""Segments of a path that are logged separately; no page of ours has more."""

MAX_LOGGED_ERRORS = 5
"""Errors in a chain of errors that are logged."""

HIDDEN = "…"
"""The text that replaces a key in the log."""


def path_for_log(path: str) -> str:
    """Return a path percent-encoded, so that it cannot forge a line, and without its keys.

    >>> path_for_log("/play/k3x9m2pqrt/5rabcdefghijklmnopqrstuvwx/move")
    '/play/k3x9m2pqrt/…/move'
    """
    segments = path.split("/", MAX_LOGGED_SEGMENTS)
    return "/".join(
        HIDDEN if len(segment) > MAX_LOGGED_SEGMENT_LENGTH else quote(segment)
        for segment in segments
    )


def describe_fault(error: BaseException, *, quotable: bool) -> str:
    """Return the traceback of an error and of the errors that led to it, for the log.

    Messages of errors may quote the request, so they are left out unless it is `quotable`.
    """
    parts: list[str] = []
    chain: BaseException | None = error
    while chain is not None and len(parts) < MAX_LOGGED_ERRORS:
        kind = f"{type(chain).__module__}.{type(chain).__qualname__}"
        text = f": {str(chain)!r}" if quotable else ""
        frames = "".join(traceback.format_tb(chain.__traceback__))
        parts.insert(0, f"{frames}{kind}{text}")
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    return "\nwhich led to\n".join(parts)
