"""Links of pages: their addresses in the page's language and width, and labels that differ.

A link is made whole when its line of a template is rendered. Its label is unique on its page, for
people who listen to their screen.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from capsule.languages.addresses import address_in
from capsule.ui.columns import narrowed

TIME = "\x02"
"""The place of the time; like all control characters, no text from anybody else keeps it."""


def fresh(path: str, now: datetime | None = None) -> str:
    r"""Return the address of a page with a query, which pages ignore, that has the time in it.

    In the text of a page the time is not known yet: the layer `moments` puts it there.

    >>> fresh("/play/")
    '/play/?at-\x02'
    """
    return f"{path}?at-{TIME if now is None else int(now.timestamp())}"


_FRESH = re.compile("(?:.*&)?at-([0-9]{1,12})(?:&.*)?")


def time_in(query: str | None) -> int | None:
    """Return the time in the query of a `fresh` address, None for any other query.

    >>> time_in("at-1795183320"), time_in("narrow&at-7&lang=pt"), time_in("turn-7")
    (1795183320, 7, None)
    """
    found = _FRESH.fullmatch(query or "")
    return int(found[1]) if found else None


_labels: ContextVar[dict[str, str] | None] = ContextVar("labels", default=None)
"""The addresses of the links of the page that is rendered, by their labels."""


@contextmanager
def distinct_labels() -> Iterator[None]:
    """Number the links of the page that is rendered during the block that share a label."""
    token = _labels.set({})
    try:
        yield
    finally:
        _labels.reset(token)


def link(line: str) -> str:
    """Return what follows the arrow of a link: its address as this page leads there, and its label.

    A label that an earlier link has, too, gets a number, unless both lead to the same address.

    >>> with distinct_labels():
    ...     for line in ("/play/k3x9m2pqrt Tinc with bob", "/play/a7dw4nnh2c Tinc with bob"):
    ...         print(link(line))
    /play/k3x9m2pqrt Tinc with bob
    /play/a7dw4nnh2c Tinc with bob (2)
    """
    written, space, label = line.partition(" ")
    address = address_in(narrowed(written))
    taken = _labels.get()
    if taken is None or taken.setdefault(label, address) == address:
        return f"{address}{space}{label}"
    number, free = 1, label
    while taken.setdefault(free, address) != address:
        number += 1
        free = f"{label} ({number})"
    return f"{address} {free}"
