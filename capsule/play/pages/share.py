"""A game as a text to paste into a gemlog: its title, board, moves, result and address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import NotFound
from capsule.games import reading
from capsule.ui.routes import GAME, narrowable
from capsule.ui.sharing import FORM, TIE, Share, share_response, shared_text

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.preferences import Preferences
    from capsule.ui.routes import Routes


@narrowable
def share(context: AppContext, request: Request, game_id: str, form: str | None) -> Response:
    """Return a game as a text to paste; of a game in progress, the position so far."""
    preferences = identity.preferences_of(context, request)
    here = f"/play/{game_id}"
    found = Share(_text(context, preferences, game_id), f"{here}/share", here)
    return share_response(preferences, form, found)


def _text(context: AppContext, preferences: Preferences, game_id: str) -> str:
    game = reading.find_game(context, game_id)
    if game is None:
        raise NotFound
    # The position of a game in progress has an address that never shows another one.
    is_moving = game.is_running and game.ply > 0
    path = f"/play/{game_id}{f'/{game.ply}' if is_moving else ''}"
    played = reading.all_moves(context, game)
    return shared_text(
        preferences,
        "play/share.gmi",
        context.origin,
        path,
        game=game,
        board=game.position.view(style=preferences.style, latest=game.latest),
        moves=" ".join(f"{each.ply}.{TIE}{each.move}" for each in played),
    )


ROUTES: Routes = ((f"/play/{GAME}/{FORM}", share),)
