"""Playing as a feature."""

from capsule.feature import Feature
from capsule.play.pages import actions, game, live, new_game, offered_terms, positions, your_games

FEATURE = Feature(
    (
        *your_games.ROUTES,
        *new_game.ROUTES,
        *offered_terms.ROUTES,
        *game.ROUTES,
        *positions.ROUTES,
        *live.ROUTES,
        *actions.ROUTES,
    )
)
