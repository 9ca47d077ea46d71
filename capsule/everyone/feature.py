"""Everyone's game as a feature; of a player's votes, the moves that were played stay."""

from capsule.db.schema.games import everyones_votes
from capsule.everyone import pages, voting
from capsule.feature import Feature

FEATURE = Feature(
    pages.ROUTES, (everyones_votes,), sweep=((voting.proceed, "Everyone's game could not go on"),)
)
