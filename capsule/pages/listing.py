"""The public games: being played, waiting for an opponent, finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers
from capsule import games as use_cases
from capsule.game import ENDED, PLAYING, WAITING
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def games(site: Site, request: Request, variant: str | None = None) -> Response:
    """Return the lists of public games, of one variant or of all."""
    del request
    return answers.page(
        "games.gmi",
        variants=VARIANTS,
        variant=VARIANTS[variant] if variant else None,
        waiting=use_cases.public_games(site, (WAITING,), variant),
        playing=use_cases.public_games(site, (PLAYING,), variant),
        ended=use_cases.public_games(site, ENDED, variant),
    )
