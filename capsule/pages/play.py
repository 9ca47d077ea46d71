"""Where players sign in and find their games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capsule import answers, games, identity, players
from capsule.exchange import Response
from capsule.render import words
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request
    from capsule.site import Site
    from capsule.store.games import StoredGame


def your_games(site: Site, request: Request) -> Response:
    """Return the player's games; with a game as query, sign in and go on to it.

    This is the one page that asks for a certificate, so that a browser uses it for all of `/play/`.
    """
    try:
        visitor = identity.signed_in(site, request)
    except identity.CertificateMissing:
        return Response(
            60,
            words(message("Choose or make a client certificate: it is your key to your games")),
        )
    if request.query and re.fullmatch("[a-z2-7]{10}", request.query):
        return answers.way_on(f"/play/{request.query}")
    if visitor.player is None:
        return answers.page(
            "welcome.gmi",
            proposed_name=players.proposed_name(site, identity.certificate_of(visitor)),
            name_key=visitor.account_key(site, "account"),
        )
    running, ended = games.games_of(site, visitor.player)
    yours = {game.id: _is_your_turn(game, visitor.player.id) for game in running}
    return answers.page(
        "play.gmi",
        player=visitor.player,
        variants=VARIANTS,
        your_turn=[game for game in running if yours[game.id]],
        waiting=[game for game in running if not yours[game.id]],
        ended=ended,
    )


def _is_your_turn(game: StoredGame, player_id: int) -> bool:
    mover = game.x_player_id if game.turn == "X" else game.o_player_id
    opponent_offers = game.draw_offered_by is not None and (
        (game.draw_offered_by == "X") == (game.o_player_id == player_id)
    )
    return mover == player_id or opponent_offers
