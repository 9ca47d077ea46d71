"""Playing as a feature."""

from capsule.feature import Feature
from capsule.play.pages import actions, game, new_game, positions, your_games

FEATURE = Feature(
    (*your_games.ROUTES, *new_game.ROUTES, *game.ROUTES, *positions.ROUTES, *actions.ROUTES)
)
