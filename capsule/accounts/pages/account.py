"""The account: the player's name and certificates, what is kept about them, and its erasure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity, personal_data, players
from capsule.accounts.pages import outdated
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.pages.devices import certificate_section, expiry, link_path
from capsule.context import reading
from capsule.ui import responses
from capsule.ui.preferences import DEFAULT_PREFERENCES
from capsule.ui.routes import ANY, KEY
from capsule.ui.typed_words import ERASE
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.pages.action import Attempt
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes


SUBJECT = "account"
"""The subject of the keys of these actions."""

HERE = "/play/me/"

_SAME_FEED = outdated.always(
    message("That link was out of date: the address of your feed was not changed.")
)


@reading
def account(transaction: Transaction, request: Request) -> Response:
    """Return the account of the player, or of a certificate that has not acted yet."""
    visitor, context = identity.signed_in(transaction, request), transaction.context
    player = visitor.player
    certificate = identity.certificate_of(visitor)
    return responses.page(
        visitor.preferences,
        "accounts/account.gmi",
        player=player,
        naming=None if player else players.naming(transaction, certificate),
        certificate=certificate,
        certificates=player and certificate_section(transaction, visitor, player),
        link=link_path(context, visitor),
        ending=expiry(visitor, transaction.now),
        key=visitor.account_key(context, SUBJECT),
        feed=player and players.feed_address(transaction, player),
        origin=context.origin,
        sends_mail=bool(context.mail_from),
    )


@reading
def export(transaction: Transaction, request: Request) -> Response | Wait:
    """Return everything that is kept about the player, for that player only."""
    context = transaction.context
    if identity.signed_in(transaction, request).player is None:
        return responses.redirect(HERE)
    return context.exclusive.wait(request, partial(reading(_exported), context, request))


def _exported(transaction: Transaction, request: Request) -> Response:
    player = identity.signed_in(transaction, request).player
    if player is None:
        return responses.redirect(HERE)
    return responses.text(
        personal_data.export_all(transaction, player), "application/json; charset=utf-8"
    )


RENAME = Action(
    name="rename",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("Your name: 2 to 24 letters from a to z, digits, - or _")],
    asks_again=message("Your name"),
    does=lambda transaction, attempt: players.rename(transaction, attempt.player, attempt.typed),
    makes_player=lambda transaction, attempt: players.make_player(
        transaction, identity.certificate_of(attempt.visitor), attempt.typed
    ),
)

CHANGE_FEED_ADDRESS = Action(
    name="change_feed_address",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    does=lambda transaction, attempt: players.change_feed_address(transaction, attempt.player),
    notice=_SAME_FEED,
)


def _erase(transaction: Transaction, attempt: Attempt) -> Response:
    personal_data.erase_player(transaction, attempt.player)
    return responses.page(DEFAULT_PREFERENCES, "accounts/erased.gmi")


_ERASE = Action(
    name="erase",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("Type {word} to erase yourself for good")],
    word=ERASE,
    does=_erase,
)


def erase(context: AppContext, request: Request, key: str) -> Response | Wait:
    """Ask for the word; with it, erase the player and say that it is done."""
    with context.reading() as transaction:
        visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        # There is nobody to erase, such as after it has been done.
        return responses.redirect(HERE)
    return _ERASE(context, request, key)


ROUTES: Routes = (
    (HERE, account),
    (r"/play/me/export\.json", export),
    (f"/play/me/{KEY}/name", RENAME, ANY),
    (f"/play/me/{KEY}/feed", CHANGE_FEED_ADDRESS),
    (f"/play/me/{KEY}/erase", erase, ANY),
)
