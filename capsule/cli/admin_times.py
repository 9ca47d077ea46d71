"""Times as the operator's lists have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def in_figures(moment: datetime) -> str:
    """Return a time as lists and logs have it, in figures of one length."""
    return f"{moment:%Y-%m-%d at %H:%M} UTC"


def until_in_words(moment: datetime | None) -> str:
    """Return how long something lasts: until a time, or for good without one."""
    return "for good" if moment is None else f"until {in_figures(moment)}"
