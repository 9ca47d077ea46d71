"""The player's certificates on the account page, the code for another device, and their actions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from capsule.accounts import device_queries, devices, identity
from capsule.accounts.devices import Expiry
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player, PlayerCertificate
from capsule.accounts.pages import action
from capsule.accounts.pages.action import Action, ActionsOf, Attempt
from capsule.context import AppContext, Transaction, reading
from capsule.errors import OutdatedAction, Refused
from capsule.gemini.types import Request, Response
from capsule.ui import responses
from capsule.ui.render import single_line
from capsule.ui.routes import ANY, GAME, KEY, NUMBER, Routes
from capsule.ui.typed_words import REVOKE
from engine import Message
from engine.game import in_context, message

SUBJECT = "devices"
"""The subject of the keys of these actions."""

ACCOUNT = "/play/me/"

CODE = "/play/me/code"


@dataclass(frozen=True)
class ListedCertificate:
    """A certificate in its player's list: `is_in_use` says that the page was asked for with it.

    `name` is its label or, of the one in use, the name in it; "" if it has neither. The player's
    only certificate cannot be revoked.
    """

    number: int
    name: str
    certificate: PlayerCertificate
    is_in_use: bool
    is_only: bool
    expiry: Expiry | None

    @property
    def groups(self) -> Sequence[str]:
        """The fingerprint in groups of four digits."""
        digits = self.certificate.fingerprint
        return [digits[start : start + 4] for start in range(0, len(digits), 4)]

    @property
    def last_day(self) -> datetime:
        """The day of its last use."""
        return self.certificate.last_used_at or self.certificate.first_used_at


def link_path(context: AppContext, visitor: Visitor, game_id: str | None = None) -> str | None:
    """Return the path where a certificate that is new here is added to a player.

    The player's games follow, or the game that is named. None for visitors
    with no certificate or with a player's.
    """
    if visitor.certificate is None or visitor.player is not None:
        return None
    path = f"/play/me/{visitor.account_key(context, SUBJECT)}/link"
    return f"{path}/{game_id}" if game_id else path


def expiry(visitor: Visitor, now: datetime) -> Expiry | None:
    """Return the end of the visitor's certificate if it is near, else None."""
    if visitor.certificate is None:
        return None
    return devices.expiry_of(visitor.certificate.not_after, now)


@reading
def all_certificates(transaction: Transaction, request: Request) -> Response:
    """Return the page with the whole fingerprint of each certificate of the player."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    listed = listed_certificates(transaction, visitor, visitor.player)
    return responses.page(visitor.preferences, "accounts/certificates.gmi", certificates=listed)


@reading
def code(transaction: Transaction, request: Request) -> Response:
    """Return the page that shows the code that the player has made."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    return responses.page(
        visitor.preferences,
        "accounts/code.gmi",
        player=visitor.player,
        code=devices.code_of(transaction, visitor.player),
        key=visitor.account_key(transaction.context, SUBJECT),
        origin=transaction.context.origin,
    )


def link(context: AppContext, request: Request, key: str, game_id: str | None) -> Response:
    """Ask for a code; with the right one, add the certificate to its player.

    No answer repeats the code.
    """
    with context.reading() as transaction:
        visitor = identity.signed_in(transaction, request)
    if visitor.player is not None:
        return responses.page(
            visitor.preferences, "accounts/linked_already.gmi", player=visitor.player
        )
    if not visitor.fits(context, SUBJECT, key, count=0):
        return action.with_notice(ACCOUNT, action.NOTHING_CHANGED, request.typed)
    ask = message("The code that the other device shows")
    if not request.typed:
        return responses.sensitive_prompt(responses.prompt(ask))
    try:
        devices.link(context, identity.certificate_of(visitor), request.typed)
    except Refused as error:
        return responses.sensitive_prompt(responses.prompt_again(error.message, ask))
    return responses.redirect(f"/play/{game_id or ''}")


def _make_code(transaction: Transaction, attempt: Attempt) -> str:
    devices.make_code(transaction, attempt.player)
    return CODE


def _ask_to_revoke(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    found = _certificate_to_change(transaction, attempt)
    if found.is_only:
        raise OutdatedAction
    warning = message("This certificate will no longer sign you in.")
    if found.is_in_use:
        warning = message(
            "You are using this certificate now. It will no longer sign you in. You can come back "
            "with another certificate of yours."
        )
    ask = message(
        "Type {word} to revoke certificate {number} ({label})",
        number=found.number,
        label=found.name or in_context("a certificate", "unnamed"),
    )
    return warning, ask


def _revoke(transaction: Transaction, attempt: Attempt) -> str:
    """Revoke a certificate; without the one in use, the visitor is a stranger from then on."""
    revoked = devices.revoke(transaction, attempt.player, int(attempt["number"]))
    shown = identity.certificate_of(attempt.visitor)
    return "/" if revoked.fingerprint == shown.fingerprint else ACCOUNT


def _certificate_to_change(transaction: Transaction, attempt: Attempt) -> ListedCertificate:
    """Return the player's certificate with the number in the address, or raise `OutdatedAction`."""
    listed = listed_certificates(transaction, attempt.visitor, attempt.player)
    found = next((each for each in listed if each.number == int(attempt["number"])), None)
    if found is None:
        raise OutdatedAction
    return found


def listed_certificates(
    transaction: Transaction, visitor: Visitor, player: Player
) -> Sequence[ListedCertificate]:
    """Return the certificates of the player who visits, as the player's pages list them."""
    now = transaction.now
    shown = identity.certificate_of(visitor)
    known = [
        # Its use may be recorded after this page only.
        replace(each, last_used_at=now, valid_until=shown.not_after)
        if each.fingerprint == shown.fingerprint
        else each
        for each in device_queries.certificates_of(transaction.connection, player.id)
    ]
    # The names in the others are not stored.
    names = {shown.fingerprint: single_line(shown.common_name)[: devices.MAX_LABEL_LENGTH]}
    return [
        ListedCertificate(
            number=number,
            name=certificate.label or names.get(certificate.fingerprint, ""),
            certificate=certificate,
            is_in_use=certificate.fingerprint == shown.fingerprint,
            is_only=len(known) == 1,
            expiry=devices.expiry_of(certificate.valid_until, now),
        )
        for number, certificate in enumerate(known, start=1)
    ]


_action = partial(Action, counter=ActionsOf(SUBJECT), back=ACCOUNT)

MAKE_CODE = _action(name="make_code", does=_make_code)

WITHDRAW_CODE = _action(
    name="withdraw_code",
    does=lambda transaction, attempt: device_queries.drop_link_code_of(
        transaction.connection, attempt.player.id
    ),
)

LABEL = _action(
    name="label",
    asks=lambda transaction, attempt: [
        message(
            "A label for certificate {number}, such as the name of its device. At most {limit} "
            "characters",
            number=_certificate_to_change(transaction, attempt).number,
            limit=devices.MAX_LABEL_LENGTH,
        )
    ],
    does=lambda transaction, attempt: devices.label(
        transaction, attempt.player, int(attempt["number"]), attempt.text
    ),
)

REVOKE_CERTIFICATE = _action(
    name="revoke",
    asks=_ask_to_revoke,
    word=REVOKE,
    does=_revoke,
    notice=action.always(message("Nothing was revoked this time: that page was out of date.")),
)

ROUTES: Routes = (
    (CODE, code),
    ("/play/me/certificates", all_certificates),
    (f"/play/me/{KEY}/code", MAKE_CODE),
    (f"/play/me/{KEY}/withdraw", WITHDRAW_CODE),
    (f"/play/me/{KEY}/link(?:/{GAME})?", link, ANY),
    (f"/play/me/{KEY}/label/{NUMBER}", LABEL, ANY),
    (f"/play/me/{KEY}/revoke/{NUMBER}", REVOKE_CERTIFICATE, ANY),
)
