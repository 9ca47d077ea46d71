"""Telling the operator of the opponent of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, manners, reports
from capsule.game import OutdatedAction
from capsule.pages.manners import SUBJECT, acting
from capsule.typed import LONGEST_TEXT, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def report(site: Site, request: Request, game_id: str, key: str) -> Response:
    """Ask what happened; with an answer, hand it to the operator and say so."""
    visitor, game = acting(site, request, game_id)
    to_game = answers.way_on(f"/play/{game_id}")
    player = visitor.player
    opponent = manners.opponent_of(game, player)
    if player is None or not visitor.may_act(site, SUBJECT, key):
        return to_game
    if opponent is None or not opponent.name:
        return to_game
    ask = message("What should the operator know about {name}?", name=opponent.name)
    if not request.query:
        return answers.question(message("At most {count} characters.", count=LONGEST_TEXT), ask)
    try:
        reports.report(site, player, game_id, opponent, request.query)
    except TextRefused as error:
        return answers.question_again(error.message, ask)
    except OutdatedAction:
        return to_game
    return answers.page(visitor.reader, "reported.gmi", name=opponent.name, game_id=game_id)
