"""Muting and blocking: the list of muted and blocked players, and the actions that change it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.model import RelationKind
from capsule.accounts.pages import outdated
from capsule.errors import OutdatedAction
from capsule.social import panel as social_panel
from capsule.social import relations
from capsule.social.pages.panel import SUBJECT, visitor_and_game
from capsule.social.relations import RelationRefused
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, one_of
from capsule.ui.typed_words import BLOCK, is_typed, naming
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


ACCOUNT, PEOPLE = "/play/me/", "/play/me/people"

_PROMPTS = {
    "mute": message("The name of the player to mute"),
    "unmute": message("The name of the player to unmute"),
    "block": message("The name of the player to block"),
    "unblock": message("The name of the player to unblock"),
}
"""The prompt of each action, by its name at the end of a URL."""

_ACTIONS: Mapping[str, Callable[[AppContext, Player, str], None]] = {
    "mute": relations.mute,
    "unmute": partial(relations.remove_relation, kind=RelationKind.MUTE),
    "block": relations.block,
    "unblock": partial(relations.remove_relation, kind=RelationKind.BLOCK),
}


def people(context: AppContext, request: Request) -> Response:
    """Return the list of the players whom this one has muted and blocked."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    known = relations.relations_of(context, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/relations.gmi",
        key=visitor.account_key(context, SUBJECT),
        blocked=[each for each in known if each.kind is RelationKind.BLOCK],
        muted=[each for each in known if each.kind is RelationKind.MUTE],
        takes_messages=visitor.player.takes_messages,
    )


def change(context: AppContext, request: Request, key: str, verb: str) -> Response:
    """Ask for a name; with one, mute or block that player, or undo it, and go to the list."""
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if not request.typed:
            return responses.prompt(_PROMPTS[verb])
        _ACTIONS[verb](context, player, request.typed)
    except RelationRefused as error:
        return responses.prompt_again(error.message, _PROMPTS[verb])
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(
            ACCOUNT if late.player is None else PEOPLE,
            typed=request.typed,
            is_done=lambda player: _is_done(context, player, verb, request.typed or ""),
        )
    return responses.redirect(PEOPLE)


def change_in_game(
    context: AppContext, request: Request, game_id: str, key: str, verb: str
) -> Response:
    """Mute or block the opponent of a game, or undo it; blocking asks for the word."""
    visitor, game = visitor_and_game(context, request, game_id)
    path = f"/play/{game_id}"
    player, opponent = visitor.player, social_panel.opponent_of(game, visitor.player)
    name = "" if opponent is None else opponent.name
    came_late = partial(
        outdated.attempt(context, request, SUBJECT, key).answer,
        path,
        is_done=lambda player: _is_done(context, player, verb, name),
    )
    is_outdated = not name or not visitor.may_act(context, SUBJECT, key)
    if player is None or is_outdated:
        return came_late()
    if verb == "block" and not is_typed(request.query, BLOCK):
        ask = message(
            "Type {word} to share nothing new with {name}. Games that you are playing go on",
            name=name,
        )
        return responses.prompt(naming(ask, BLOCK))
    try:
        _ACTIONS[verb](context, player, name)
    except RelationRefused as error:
        return responses.page(
            visitor.preferences,
            "social/not_possible.gmi",
            reason=error.message,
            game=path,
        )
    except OutdatedAction:
        return came_late()
    return responses.redirect(path)


def _is_done(context: AppContext, player: Player, verb: str, name: str) -> bool:
    """Return whether the player has muted or blocked somebody, or has not if the verb undoes it."""
    kind, is_undone = RelationKind(verb.removeprefix("un")), verb.startswith("un")
    try:
        return relations.has_relation(context, player, name, kind) is not is_undone
    except RelationRefused:
        return False


_VERB = one_of("verb", _PROMPTS)

ROUTES: Routes = (
    (PEOPLE, people),
    (f"/play/me/{KEY}/{_VERB}", change, ANY),
    (f"/play/{GAME}/{KEY}/{_VERB}", change_in_game, ANY),
)
