"""The pages for programs as a feature."""

from capsule.feature import Feature
from capsule.programs import pages

FEATURE = Feature(pages.ROUTES)
