"""Adding a device with a code, and the player's certificates: their list, labels and revocation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import devices, identity
from capsule.errors import OutdatedAction
from capsule.ui import responses
from capsule.ui.routes import GAME, KEY, NUMBER
from capsule.ui.user_text import TextRefused, is_confirmed
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.devices import Expiry
    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player, StoredCertificate
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


SUBJECT = "devices"
"""What the keys of these actions are for."""

ACCOUNT = "/play/me/"


@dataclass(frozen=True)
class Listed:
    """A certificate in its player's list.

    `is_this` says whether the page was asked for with it; the only one cannot be revoked.
    """

    number: int
    stored: StoredCertificate
    is_this: bool
    is_only: bool
    expiry: Expiry | None

    @property
    def groups(self) -> Sequence[str]:
        """The fingerprint in groups of four digits."""
        digits = self.stored.fingerprint
        return [digits[start : start + 4] for start in range(0, len(digits), 4)]


def link_path(context: AppContext, visitor: Visitor, game_id: str | None = None) -> str | None:
    """Return where a certificate that is nobody's is added to a player, None for other visitors.

    From there it goes on to the player's games, or to the game that is named.
    """
    if visitor.certificate is None or visitor.player is not None:
        return None
    path = f"/play/me/{visitor.account_key(context, SUBJECT)}/link"
    return f"{path}/{game_id}" if game_id else path


def expiry(context: AppContext, visitor: Visitor) -> Expiry | None:
    """Return the end of the visitor's certificate where it is near, else None."""
    if visitor.certificate is None:
        return None
    return devices.expiry_of(visitor.certificate.not_after, context.clock())


def about_certificates(context: AppContext, visitor: Visitor) -> dict[str, object]:
    """Return what the account shows of the visitor's certificates."""
    player = visitor.player
    return {
        "link": link_path(context, visitor),
        "ending": expiry(context, visitor),
        "certificates": _listed(context, visitor, player) if player else (),
        "code": player and devices.code_of(context, player),
        "most_certificates": devices.MAX_CERTIFICATES,
        "devices_key": visitor.account_key(context, SUBJECT),
    }


def all_certificates(context: AppContext, request: Request) -> Response:
    """Return the page with the whole fingerprint of each certificate of the player."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    listed = _listed(context, visitor, visitor.player)
    return responses.page(visitor.reader, "accounts/certificates.gmi", certificates=listed)


def code(context: AppContext, request: Request) -> Response:
    """Return the page that shows the code that the player has made."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    return responses.page(
        visitor.reader,
        "accounts/code.gmi",
        player=visitor.player,
        code=devices.code_of(context, visitor.player),
        tries=devices.MAX_TRIES,
        key=visitor.account_key(context, SUBJECT),
        origin=context.origin,
    )


def make_code(context: AppContext, request: Request, key: str) -> Response:
    """Make a code and show it."""
    player = identity.acting_player(context, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            devices.make_code(context, player)
            return responses.redirect("/play/me/code")
    return responses.redirect(ACCOUNT)


def withdraw_code(context: AppContext, request: Request, key: str) -> Response:
    """End the code that there is, and go to the account."""
    player = identity.acting_player(context, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            devices.withdraw_code(context, player)
    return responses.redirect(ACCOUNT)


def link(context: AppContext, request: Request, key: str, game_id: str | None) -> Response:
    """Ask for a code; with the right one, add the certificate to its player and go on.

    The code stands in no answer.
    """
    visitor = identity.signed_in(context, request)
    if visitor.player is not None:
        return responses.page(visitor.reader, "accounts/linked_already.gmi", player=visitor.player)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(ACCOUNT)
    ask = message("The code that the other device shows:")
    if not request.query:
        return responses.sensitive_prompt(responses.prompt(ask))
    try:
        devices.link(context, identity.certificate_of(visitor), request.query)
    except devices.CodeRefused as error:
        return responses.sensitive_prompt(responses.prompt_again(error.message, ask))
    return responses.redirect(f"/play/{game_id or ''}")


def label(context: AppContext, request: Request, key: str, number: str) -> Response:
    """Ask what a certificate is to be called; with a label, keep it and go to the account."""
    visitor = identity.signed_in(context, request)
    found = _to_change(context, visitor, key, number)
    if visitor.player is None or found is None:
        return responses.redirect(ACCOUNT)
    ask = message(
        "A label for certificate {number}, such as the device that it is on, "
        "{most} characters at most:",
        number=found.number,
        most=devices.MAX_LABEL_LENGTH,
    )
    if not request.query:
        return responses.prompt(ask)
    try:
        with suppress(OutdatedAction):
            devices.label(context, visitor.player, found.number, request.query)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    return responses.redirect(ACCOUNT)


def revoke(context: AppContext, request: Request, key: str, number: str) -> Response:
    """Ask for the word; with it, revoke a certificate and go to the account.

    Who has revoked the one in use is a stranger there, and goes to the front door.
    """
    visitor = identity.signed_in(context, request)
    found = _to_change(context, visitor, key, number)
    if visitor.player is None or found is None or found.is_only:
        return responses.redirect(ACCOUNT)
    if not is_confirmed(request.query, "revoke"):
        return responses.prompt(_what_happens(found), _type_revoke(found))
    try:
        devices.revoke(context, visitor.player, found.number)
    except OutdatedAction:
        return responses.redirect(ACCOUNT)
    return responses.redirect("/" if found.is_this else ACCOUNT)


def _what_happens(found: Listed) -> Message:
    if found.is_this:
        return message(
            "You use this certificate now: you will be a stranger here at once, "
            "until you come back with another certificate of yours."
        )
    return message("Whoever uses this certificate will be a stranger here at once.")


def _type_revoke(found: Listed) -> Message:
    return message(
        "Type revoke to revoke certificate {number} ({label}):",
        number=found.number,
        label=found.stored.label or message("unnamed"),
    )


def _to_change(context: AppContext, visitor: Visitor, key: str, number: str) -> Listed | None:
    """Return the certificate of an action; None for a key that does not fit, or no such number."""
    if visitor.player is None or not visitor.may_act(context, SUBJECT, key):
        return None
    listed = _listed(context, visitor, visitor.player)
    return next((each for each in listed if each.number == int(number)), None)


def _listed(context: AppContext, visitor: Visitor, player: Player) -> Sequence[Listed]:
    now = context.clock()
    fingerprint = identity.certificate_of(visitor).fingerprint
    known = devices.certificates_of(context, player)
    return [
        Listed(
            number,
            certificate,
            certificate.fingerprint == fingerprint,
            len(known) == 1,
            devices.expiry_of(certificate.valid_until, now),
        )
        for number, certificate in enumerate(known, start=1)
    ]


ROUTES: Routes = (
    ("/play/me/code", code),
    ("/play/me/certificates", all_certificates),
    (f"/play/me/{KEY}/code", make_code),
    (f"/play/me/{KEY}/withdraw", withdraw_code),
    (f"/play/me/{KEY}/link(?:/{GAME})?", link),
    (f"/play/me/{KEY}/label/{NUMBER}", label),
    (f"/play/me/{KEY}/revoke/{NUMBER}", revoke),
)
