"""Export and erasure of reports by and about a player, and of the operator's actions."""

from capsule.context import PersonalData
from capsule.db.schema.social import operator_actions, reports

PERSONAL_DATA = PersonalData((operator_actions, reports))
