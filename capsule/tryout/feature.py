"""Games without a certificate as a feature."""

from capsule.feature import Feature
from capsule.tryout import pages

FEATURE = Feature(pages.ROUTES)
