"""Links of pages: their addresses in the page's language and width, and labels that differ.

A link is made whole when its line of a template is rendered. Its label is unique on its page, for
people who listen to their screen.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from capsule.ui.language_addresses import address_in
from capsule.ui.languages import speech
from capsule.ui.narrow_pages import narrowed

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    address = address_in(speech(), narrowed(written))
    taken = _labels.get()
    if taken is None or taken.setdefault(label, address) == address:
        return f"{address}{space}{label}"
    number, free = 1, label
    while taken.setdefault(free, address) != address:
        number += 1
        free = f"{label} ({number})"
    return f"{address} {free}"
