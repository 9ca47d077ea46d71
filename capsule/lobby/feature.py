"""The pages for everybody as a feature."""

from capsule.feature import Feature
from capsule.lobby.pages import help as help_pages, home, players, public_games

FEATURE = Feature((*home.ROUTES, *help_pages.ROUTES, *public_games.ROUTES, *players.ROUTES))
