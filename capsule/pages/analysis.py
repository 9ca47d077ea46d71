"""What a finished game was worth after each move, and where it turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, bot_games, games, identity
from capsule.pages.game import shown
from engine.bots import analysis
from engine.bots.plot import plot

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def after_the_game(site: Site, request: Request, game_id: str) -> Response:
    """Return the analysis of a game, or when there will be one; looking at it makes none."""
    game = games.look_at(site, game_id)
    if game is None:
        raise answers.NotThere
    content = bot_games.analysis_of(site, game_id)
    if content is None:
        return answers.page(
            identity.reader_of(site, request), "no_analysis.gmi", **shown(site, game)
        )
    made = analysis.from_json(content)
    return answers.page(
        identity.reader_of(site, request),
        "analysis.gmi",
        **shown(site, game),
        analysis=made,
        plot=plot(made.chances, made.first),
        findings=list(zip(made.findings, made.words(), strict=True)),
        moves=[move for move in games.all_moves(site, game) if move.ply > made.first],
    )
