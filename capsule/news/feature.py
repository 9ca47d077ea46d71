"""News as a feature."""

from capsule.feature import Feature
from capsule.news import pages

FEATURE = Feature(pages.ROUTES)
