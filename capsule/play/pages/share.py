"""A game as a text to paste into a gemlog: its title, result, board, moves and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.errors import NotFound
from capsule.games.reading import all_moves, game_at
from capsule.ui.routes import GAME, narrowable
from capsule.ui.sharing import FORM, TIE, Share, links_to_game, share_response, shared_text
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.preferences import Preferences
    from capsule.ui.routes import Routes


@narrowable
@reading
def share(transaction: Transaction, request: Request, game_id: str, form: str | None) -> Response:
    """Return a game as a text to paste; of a game in progress, the position so far."""
    preferences = identity.visitor_of(transaction, request).preferences
    here = f"/play/{game_id}"
    found = Share(_text(transaction, preferences, game_id), f"{here}/share", here)
    return share_response(preferences, form, found)


def _text(transaction: Transaction, preferences: Preferences, game_id: str) -> str:
    game = game_at(transaction, game_id)
    if game is None:
        raise NotFound
    # The position of a game in progress has an address that never shows another one.
    is_moving = game.is_running and game.ply > 0
    path = f"/play/{game_id}{f'/{game.ply}' if is_moving else ''}"
    played = all_moves(transaction, game)
    return shared_text(
        preferences,
        "play/share.gmi",
        transaction.context.origin,
        [(path, message("This game, move by move")), *links_to_game(game.variant)],
        game=game,
        board=game.position.view(style=preferences.style, latest=game.latest),
        moves=" ".join(f"{each.ply}.{TIE}{each.move}" for each in played),
    )


ROUTES: Routes = ((f"/play/{GAME}/{FORM}", share),)
