"""Other players: muting, blocking and favourites."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from capsule.accounts import identity, queries
from capsule.accounts.model import Player, RelationKind
from capsule.accounts.pages.account import ACCOUNT_PAGE
from capsule.accounts.pages.action import Attempt
from capsule.context import Transaction, reading
from capsule.gemini.types import Request, Response
from capsule.social import relations
from capsule.social.pages.messages import PEOPLE_SUBJECT, in_game, opponent_in, people_action
from capsule.ui import responses, typed_words
from capsule.ui.routes import ANY, GAME, KEY, PLAYER, Routes, cacheable, named, one_of
from engine import Message, message

PEOPLE = "/play/me/people"

_PROMPTS = {
    "mute": message("The name of the player to mute"),
    "unmute": message("The name of the player to unmute"),
    "block": message("The name of the player to block"),
    "unblock": message("The name of the player to unblock"),
}
"""The prompt of each action, by its name at the end of a URL."""

_VERBS: Mapping[str, Callable[[Transaction, Player, str], None]] = {
    "mute": partial(relations.relate, kind=RelationKind.MUTE),
    "unmute": partial(relations.remove_relation, kind=RelationKind.MUTE),
    "block": partial(relations.relate, kind=RelationKind.BLOCK),
    "unblock": partial(relations.remove_relation, kind=RelationKind.BLOCK),
}


@reading
def people(transaction: Transaction, request: Request) -> Response:
    """Return the list of the players whom this one has muted and blocked."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT_PAGE)
    known = queries.relations_of(transaction.connection, visitor.player.id)
    return responses.page(
        visitor.preferences,
        "social/relations.gmi",
        key=visitor.account_key(transaction.context, PEOPLE_SUBJECT),
        blocked=[each for each in known if each.kind is RelationKind.BLOCK],
        muted=[each for each in known if each.kind is RelationKind.MUTE],
        takes_messages=visitor.player.settings.takes_messages,
    )


def _ask_to_block(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    name = opponent_in(transaction, attempt).name
    relations.require_relatable(transaction, attempt.player, name, RelationKind.BLOCK)
    ask = message(
        "Type {word} to share nothing new with {name}. Games that you are playing go on", name=name
    )
    return [ask]


def _change_opponent(transaction: Transaction, attempt: Attempt) -> None:
    name = opponent_in(transaction, attempt).name
    _VERBS[attempt["verb"]](transaction, attempt.player, name)


CHANGE = people_action(
    name="change",
    back=lambda attempt: PEOPLE if attempt.visitor.player else ACCOUNT_PAGE,
    asks=lambda _, attempt: [_PROMPTS[attempt["verb"]]],
    does=lambda transaction, attempt: _VERBS[attempt["verb"]](
        transaction, attempt.player, attempt.typed
    ),
)

CHANGE_IN_GAME = in_game(name="change_in_game", does=_change_opponent)

BLOCK_IN_GAME = in_game(
    name="block_in_game", asks=_ask_to_block, word=typed_words.BLOCK, does=_change_opponent
)

_LINKS = [verb for verb in _VERBS if verb != "block"]


LIST = "/play/me/favourites"


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return the list of the reader's favourites."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT_PAGE)
    return responses.page(
        visitor.preferences,
        "social/favourites.gmi",
        favourites=relations.favourites_of(transaction, visitor.player),
    )


_FAVOURITE_VERBS: Mapping[str, Callable[[Transaction, Player, str], Player]] = {
    "add": relations.add,
    "remove": relations.remove,
}
"""The use cases for favourites, by the last part of the address."""


def _page_of(name: str) -> str:
    return f"/play/players/{name}"


def _change(transaction: Transaction, attempt: Attempt) -> str:
    other = _FAVOURITE_VERBS[attempt["verb"]](transaction, attempt.player, attempt["name"])
    return _page_of(other.name)


CHANGE_FAVOURITE = people_action(
    name="change", back=lambda attempt: _page_of(attempt["name"]), does=_change
)


ROUTES: Routes = (
    *(
        (PEOPLE, people),
        (f"/play/me/{KEY}/{one_of('verb', _VERBS)}", CHANGE, ANY),
        (f"/play/{GAME}/{KEY}/{one_of('verb', _LINKS)}", CHANGE_IN_GAME),
        (f"/play/{GAME}/{KEY}/(?P<verb>block)", BLOCK_IN_GAME, ANY),
    ),
    *named(
        "social.pages.favourites",
        (
            (LIST, show),
            (
                f"/play/me/{KEY}/favourite/{PLAYER}/{one_of('verb', _FAVOURITE_VERBS)}",
                CHANGE_FAVOURITE,
            ),
        ),
    ),
)
