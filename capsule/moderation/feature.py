"""Moderation as a feature: reports by and about players, and the operator's actions."""

from capsule.db.schema.social import operator_actions, reports
from capsule.feature import Feature
from capsule.moderation import pages

FEATURE = Feature(pages.ROUTES, (operator_actions, reports))
