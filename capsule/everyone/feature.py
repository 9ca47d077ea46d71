"""Everyone's game as a feature; of a player's votes, the moves that were played stay."""

from capsule.db.schema.games import everyones_votes
from capsule.everyone import pages
from capsule.feature import Feature

FEATURE = Feature(pages.ROUTES, (everyones_votes,))
