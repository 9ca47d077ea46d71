"""The game of the week as a feature."""

from capsule.feature import Feature
from capsule.featured import choosing

FEATURE = Feature(sweep=((choosing.choose_if_due, "The game of the week could not be chosen"),))
