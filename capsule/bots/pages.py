"""The analysis page of a finished game: its value after each move, and its turning points."""

from functools import partial

from capsule import errors
from capsule.accounts import identity
from capsule.bots import queries as bot_queries
from capsule.context import Transaction, reading
from capsule.feature import Feature
from capsule.games.point_of_view import view_of
from capsule.games.reading import all_moves, game_at
from capsule.gemini.types import Request, Response
from capsule.ui import boards, drawings, responses
from capsule.ui.routes import GAME, Routes, narrowable
from engine.bots import analysis


@narrowable
@reading
def after_the_game(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page of a game's analysis, or of when it will come; a request never starts one."""
    game = game_at(transaction, game_id)
    if game is None:
        raise errors.NotFound
    content = bot_queries.analyses_of(transaction.connection, [game_id]).get(game_id)
    visitor = identity.visitor_of(transaction, request)
    preferences = visitor.preferences
    if content is None:
        return responses.page(preferences, "bots/no_analysis.gmi", game=game)
    result = analysis.from_json(content)
    return responses.page(
        preferences,
        "bots/analysis.gmi",
        game=game,
        own_side=view_of(game, visitor.player).own_side,
        analysis=result,
        board_at=partial(boards.board_in_game, game.variant.key, game_id),
        plot=drawings.plot(result.win_probabilities, result.first, preferences.plot_columns),
        findings=list(zip(result.findings, result.words(), strict=True)),
        moves=[move for move in all_moves(transaction, game) if move.ply > result.first],
    )


ROUTES: Routes = ((f"/play/{GAME}/analysis", after_the_game),)

FEATURE = Feature(ROUTES)
