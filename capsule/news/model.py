"""News: short announcements, written by the operator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


ON_HOME_FOR = timedelta(days=7)
"""The time for which the newest announcement stands on the home page."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A piece of news, by its number; no number is given out twice."""

    number: int
    text: str
    published_at: datetime

    @property
    def path(self) -> str:
        """The permanent address of the page that begins with it."""
        return f"/news?{self.number}"
