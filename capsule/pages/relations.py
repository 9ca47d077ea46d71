"""Muting and blocking: the list of whom, and the links and prompts that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, identity, manners, relations
from capsule.game import OutdatedAction
from capsule.pages.manners import SUBJECT, acting
from capsule.relations import BLOCK, MUTE, RelationRefused
from capsule.typed import is_word
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site
    from capsule.store.players import Player

VERBS = ("mute", "unmute", "block", "unblock")
"""What a player can do about another, as the last part of a URL."""

PEOPLE = "/play/me/people"

_ASKED = {
    "mute": message("Whom do you mute? Their name:"),
    "unmute": message("Whom do you mute no longer? Their name:"),
    "block": message("Whom do you block? Their name:"),
    "unblock": message("Whom do you block no longer? Their name:"),
}


def people(site: Site, request: Request) -> Response:
    """Return the list of whom the player has muted and blocked."""
    visitor = identity.signed_in(site, request)
    if visitor.player is None:
        return answers.way_on("/play/me/")
    known = relations.people_of(site, visitor.player)
    return answers.page(
        visitor.reader,
        "relations.gmi",
        key=visitor.account_key(site, SUBJECT),
        blocked=[each for each in known if each.kind == BLOCK],
        muted=[each for each in known if each.kind == MUTE],
        takes_messages=visitor.player.takes_messages,
    )


def change(site: Site, request: Request, key: str, verb: str) -> Response:
    """Ask for a name; with one, mute or block that player, or undo it, and go to the list."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is None:
        return answers.way_on(PEOPLE)
    if not request.query:
        return answers.question(_ASKED[verb])
    try:
        _apply(site, player, verb, request.query)
    except RelationRefused as error:
        return answers.question_again(error.message, _ASKED[verb])
    except OutdatedAction:
        return answers.way_on(PEOPLE)
    return answers.way_on(PEOPLE)


def in_game(site: Site, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Mute or block the opponent of a game, or undo it; blocking asks for the word."""
    visitor, game = acting(site, request, game_id)
    to_game = answers.way_on(f"/play/{game_id}")
    opponent = manners.opponent_of(game, visitor.player)
    if visitor.player is None or not visitor.may_act(site, SUBJECT, key):
        return to_game
    if opponent is None or not opponent.name:
        return to_game
    if verb == "block" and not is_word(request.query, "block"):
        ask = message(
            "Type block to share nothing new with {name}; games that you are playing go on:",
            name=opponent.name,
        )
        return answers.question(ask)
    try:
        _apply(site, visitor.player, verb, opponent.name)
    except RelationRefused as error:
        return answers.page(
            visitor.reader, "not_possible.gmi", reason=error.message, way_back=f"/play/{game_id}"
        )
    except OutdatedAction:
        return to_game
    return to_game


def _apply(site: Site, player: Player, verb: str, name: str) -> None:
    if verb == "mute":
        relations.mute(site, player, name)
    elif verb == "block":
        relations.block(site, player, name)
    else:
        relations.forgive(site, player, name, MUTE if verb == "unmute" else BLOCK)
