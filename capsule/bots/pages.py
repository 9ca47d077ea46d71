"""What a finished game was worth after each move, and where it turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.bots import turns as bot_turns
from capsule.games import reading
from capsule.ui import responses
from capsule.ui.analysis_plot import plot
from capsule.ui.routes import GAME
from engine.bots import analysis

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def after_the_game(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the analysis of a game, or when there will be one; looking at it makes none."""
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    content = bot_turns.analysis_of(context, game_id)
    if content is None:
        return responses.page(
            identity.preferences_of(context, request), "bots/no_analysis.gmi", game=game
        )
    made = analysis.from_json(content)
    return responses.page(
        identity.preferences_of(context, request),
        "bots/analysis.gmi",
        game=game,
        analysis=made,
        plot=plot(made.win_probabilities, made.first),
        findings=list(zip(made.findings, made.words(), strict=True)),
        moves=[move for move in reading.all_moves(context, game) if move.ply > made.first],
    )


ROUTES: Routes = ((f"/play/{GAME}/analysis", after_the_game),)
