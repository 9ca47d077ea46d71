"""Rules and lessons as a feature."""

from capsule.feature import Feature
from capsule.learning import reading
from capsule.learning.lessons import pages

FEATURE = Feature((*pages.ROUTES, *reading.ROUTES))
