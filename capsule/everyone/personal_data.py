"""A player's votes in everyone's games: the moves that were played stay."""

from capsule.context import PersonalData
from capsule.db.schema.games import everyones_votes

PERSONAL_DATA = PersonalData((everyones_votes,))
