"""The account: the player's name and certificates, what is kept about them, and its erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity, personal_data, players
from capsule.accounts.pages import outdated
from capsule.accounts.pages.devices import certificate_section, expiry, link_path
from capsule.errors import OutdatedAction
from capsule.ui import responses
from capsule.ui.preferences import DEFAULT_PREFERENCES
from capsule.ui.routes import ANY, KEY
from capsule.ui.typed_words import ERASE, is_typed, naming
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes


SUBJECT = "account"
"""The subject of the keys of these actions."""

HERE = "/play/me/"

_SAME_FEED = outdated.always(
    message("That link was out of date: the address of your feed was not changed.")
)


def account(context: AppContext, request: Request) -> Response:
    """Return the account of the player, or of a certificate that has not acted yet."""
    visitor = identity.signed_in(context, request)
    player = visitor.player
    certificate = identity.certificate_of(visitor)
    return responses.page(
        visitor.preferences,
        "accounts/account.gmi",
        player=player,
        naming=None if player else players.naming(context, certificate),
        certificate=certificate,
        certificates=player and certificate_section(context, visitor, player),
        link=link_path(context, visitor),
        ending=expiry(context, visitor),
        key=visitor.account_key(context, SUBJECT),
        feed=player and players.feed_address(context, player),
        origin=context.origin,
        sends_mail=bool(context.mail_from),
    )


def rename(context: AppContext, request: Request, key: str) -> Response:
    """Ask for a new name; with one, take it and go to the account."""
    visitor = identity.signed_in(context, request)
    typed = request.typed or ""
    try:
        visitor.require_key(context, SUBJECT, key)
        if not typed:
            return responses.prompt(
                message("Your name: 2 to 24 letters from a to z, digits, - or _")
            )
        certificate = identity.certificate_of(visitor)
        players.take_name(
            context, visitor.player, certificate, typed, address_key=visitor.address_key
        )
    except players.NameRefused as error:
        return responses.prompt_again(error.message, message("Your name"))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            typed=typed,
            is_done=lambda player: player.name == typed.strip(),
        )
    return responses.redirect(HERE)


def change_feed_address(context: AppContext, request: Request, key: str) -> Response:
    """Give the player's private feed another address, and go to the account."""
    try:
        players.change_feed_address(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        if not late.is_before_last:
            return late.answer(HERE, _SAME_FEED)
    return responses.redirect(HERE)


def export(context: AppContext, request: Request) -> Response | Wait:
    """Return everything that is kept about the player, for that player only."""
    player = identity.signed_in(context, request).player
    if player is None:
        return responses.redirect(HERE)
    return context.exclusive.wait(
        request,
        lambda: responses.text(
            personal_data.export_all(context, player), "application/json; charset=utf-8"
        ),
    )


def erase(context: AppContext, request: Request, key: str) -> Response:
    """Ask for the word; with it, erase the player and say that it is done."""
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if not is_typed(request.query, ERASE):
            ask = message("Type {word} to erase yourself for good")
            return responses.prompt(naming(ask, ERASE))
        personal_data.erase_player(context, player)
    except OutdatedAction:
        if identity.visitor_of(context, request).player is None:
            # There is nobody to erase, such as after it has been done.
            return responses.redirect(HERE)
        return outdated.attempt(context, request, SUBJECT, key).answer(HERE)
    return responses.page(DEFAULT_PREFERENCES, "accounts/erased.gmi")


ROUTES: Routes = (
    (HERE, account),
    (r"/play/me/export\.json", export),
    (f"/play/me/{KEY}/name", rename, ANY),
    (f"/play/me/{KEY}/feed", change_feed_address),
    (f"/play/me/{KEY}/erase", erase, ANY),
)
