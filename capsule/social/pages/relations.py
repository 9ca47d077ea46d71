"""Muting and blocking: the list of muted and blocked players, and the actions that change it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.model import RelationKind
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.context import reading
from capsule.social import relations
from capsule.social.pages.panel import SUBJECT, game_path, opponent_in
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, one_of
from capsule.ui.typed_words import BLOCK
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


ACCOUNT, PEOPLE = "/play/me/", "/play/me/people"

_PROMPTS = {
    "mute": message("The name of the player to mute"),
    "unmute": message("The name of the player to unmute"),
    "block": message("The name of the player to block"),
    "unblock": message("The name of the player to unblock"),
}
"""The prompt of each action, by its name at the end of a URL."""

_VERBS: Mapping[str, Callable[[Transaction, Player, str], None]] = {
    "mute": relations.mute,
    "unmute": partial(relations.remove_relation, kind=RelationKind.MUTE),
    "block": relations.block,
    "unblock": partial(relations.remove_relation, kind=RelationKind.BLOCK),
}


@reading
def people(transaction: Transaction, request: Request) -> Response:
    """Return the list of the players whom this one has muted and blocked."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    known = relations.relations_of(transaction, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/relations.gmi",
        key=visitor.account_key(transaction.context, SUBJECT),
        blocked=[each for each in known if each.kind is RelationKind.BLOCK],
        muted=[each for each in known if each.kind is RelationKind.MUTE],
        takes_messages=visitor.player.takes_messages,
    )


def _ask_to_block(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    name = opponent_in(transaction, attempt).name
    relations.require_relatable(transaction, attempt.player, name, RelationKind.BLOCK)
    ask = message(
        "Type {word} to share nothing new with {name}. Games that you are playing go on", name=name
    )
    return [ask]


def _change_opponent(verb: str, transaction: Transaction, attempt: Attempt) -> None:
    _VERBS[verb](transaction, attempt.player, opponent_in(transaction, attempt).name)


CHANGE = Action(
    name="change",
    counter=ActionsOf(SUBJECT),
    back=lambda attempt: PEOPLE if attempt.visitor.player else ACCOUNT,
    asks=lambda _, attempt: [_PROMPTS[attempt["verb"]]],
    does=lambda transaction, attempt: _VERBS[attempt["verb"]](
        transaction, attempt.player, attempt.typed
    ),
)

CHANGE_IN_GAME = Action(
    name="change_in_game",
    counter=ActionsOf(SUBJECT),
    back=game_path,
    does=lambda transaction, attempt: _change_opponent(attempt["verb"], transaction, attempt),
)

BLOCK_IN_GAME = Action(
    name="block_in_game",
    counter=ActionsOf(SUBJECT),
    back=game_path,
    asks=_ask_to_block,
    word=BLOCK,
    does=lambda transaction, attempt: _change_opponent("block", transaction, attempt),
)

_LINKS = [verb for verb in _VERBS if verb != "block"]

ROUTES: Routes = (
    (PEOPLE, people),
    (f"/play/me/{KEY}/{one_of('verb', _VERBS)}", CHANGE, ANY),
    (f"/play/{GAME}/{KEY}/{one_of('verb', _LINKS)}", CHANGE_IN_GAME),
    (f"/play/{GAME}/{KEY}/block", BLOCK_IN_GAME, ANY),
)
