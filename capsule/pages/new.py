"""Starting a game: which one, and against whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, games, identity, keys
from capsule.game import WAITING, OutdatedAction
from engine import VARIANTS
from engine.bots.levels import LEVELS, level

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

SUBJECT = "new game"
"""What the keys on these pages are for."""


def choose_variant(site: Site, request: Request) -> Response:
    """Return the page that offers the five games."""
    identity.signed_in(site, request)
    return answers.page("new.gmi", variants=VARIANTS.values())


def choose_way(site: Site, request: Request, variant: str) -> Response:
    """Return the page that offers the ways to play one game."""
    visitor = identity.signed_in(site, request)
    return answers.page(
        "new_variant.gmi",
        variant=VARIANTS[variant],
        key=visitor.account_key(site, SUBJECT),
        levels={name: level(variant, name).description for name in LEVELS},
        waiting=games.public_games(site, (WAITING,), variant, most=5),
    )


def start(site: Site, request: Request, variant: str, key: str, way: str) -> Response:
    """Start a game and go to it; a page that has been used leads to a fresh one of its kind."""
    visitor = identity.signed_in(site, request)
    if not keys.fits(key, visitor.account_key(site, SUBJECT)):
        return answers.way_on(f"/play/new/{variant}")
    player = identity.player_of(site, visitor)
    try:
        game_id = games.start(site, player, VARIANTS[variant], way)
    except OutdatedAction:
        return answers.way_on(f"/play/new/{variant}")
    except games.TooManyGames as error:
        return answers.page("too_many_games.gmi", most=error.most)
    return answers.way_on(f"/play/{game_id}")
