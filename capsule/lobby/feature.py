"""The pages for everybody as a feature."""

from capsule.feature import Feature
from capsule.lobby.pages import feeds, help as help_pages, home, players, public_games

PAGES = (home, help_pages, public_games, feeds, players)

FEATURE = Feature([route for pages in PAGES for route in pages.ROUTES])
