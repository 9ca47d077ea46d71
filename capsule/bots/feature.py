"""Bots as a feature."""

from capsule.bots import pages
from capsule.feature import Feature

FEATURE = Feature(pages.ROUTES)
