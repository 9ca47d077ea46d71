"""Boards to try moves on as a feature."""

from capsule.boards import explorer, pages
from capsule.feature import Feature

FEATURE = Feature(
    pages.ROUTES, sweep=((explorer.count_due, "Positions of games could not be counted"),)
)
