"""Boards to try moves on as a feature."""

from capsule.boards import pages
from capsule.feature import Feature

FEATURE = Feature(pages.ROUTES)
