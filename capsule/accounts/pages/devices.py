"""The player's certificates on the account page, the code for another device, and their actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import devices, identity, linking
from capsule.accounts.pages import outdated
from capsule.errors import OutdatedAction
from capsule.ui import responses
from capsule.ui.render import single_line
from capsule.ui.routes import ANY, GAME, KEY, NUMBER
from capsule.ui.typed_words import REVOKE, is_typed, naming
from capsule.ui.user_text import TextRefused, visible_line
from engine.game import in_context, message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from capsule.accounts.devices import Expiry
    from capsule.accounts.identity import Visitor
    from capsule.accounts.linking import ShownCode
    from capsule.accounts.model import Player, PlayerCertificate
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


SUBJECT = "devices"
"""The subject of the keys of these actions."""

ACCOUNT = "/play/me/"

CODE = "/play/me/code"

_NOT_REVOKED = outdated.always(message("Nothing was revoked this time: that page was out of date."))


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


@dataclass(frozen=True)
class CertificateSection:
    """The account's section about certificates, whose actions have the `key`."""

    certificates: Sequence[ListedCertificate]
    code: ShownCode | None
    key: str
    limit: int = linking.MAX_CERTIFICATES


def link_path(context: AppContext, visitor: Visitor, game_id: str | None = None) -> str | None:
    """Return the path where a certificate that is new here is added to a player.

    From there it goes on to the player's games, or to the game that is named. None for visitors
    with no certificate or with a player's.
    """
    if visitor.certificate is None or visitor.player is not None:
        return None
    path = f"/play/me/{visitor.account_key(context, SUBJECT)}/link"
    return f"{path}/{game_id}" if game_id else path


def expiry(context: AppContext, visitor: Visitor) -> Expiry | None:
    """Return the end of the visitor's certificate if it is near, else None."""
    if visitor.certificate is None:
        return None
    return devices.expiry_of(visitor.certificate.not_after, context.clock())


def certificate_section(
    context: AppContext, visitor: Visitor, player: Player
) -> CertificateSection:
    """Return the section about the certificates of the player who visits."""
    return CertificateSection(
        certificates=_listed(context, visitor, player),
        code=linking.code_of(context, player),
        key=visitor.account_key(context, SUBJECT),
    )


def all_certificates(context: AppContext, request: Request) -> Response:
    """Return the page with the whole fingerprint of each certificate of the player."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    listed = _listed(context, visitor, visitor.player)
    return responses.page(visitor.preferences, "accounts/certificates.gmi", certificates=listed)


def code(context: AppContext, request: Request) -> Response:
    """Return the page that shows the code that the player has made."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    return responses.page(
        visitor.preferences,
        "accounts/code.gmi",
        player=visitor.player,
        code=linking.code_of(context, visitor.player),
        key=visitor.account_key(context, SUBJECT),
        origin=context.origin,
    )


def make_code(context: AppContext, request: Request, key: str) -> Response:
    """Make a code and show it."""
    try:
        linking.make_code(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        code = late.player and linking.code_of(context, late.player)
        if code is None or not late.is_before_last:
            return late.answer(ACCOUNT)
    return responses.redirect(CODE)


def withdraw_code(context: AppContext, request: Request, key: str) -> Response:
    """End the player's code, and go to the account."""
    try:
        linking.withdraw_code(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            ACCOUNT,
            is_done=lambda player: linking.code_of(context, player) is None,
        )
    return responses.redirect(ACCOUNT)


def link(context: AppContext, request: Request, key: str, game_id: str | None) -> Response:
    """Ask for a code; with the right one, add the certificate to its player and go on.

    No answer repeats the code.
    """
    visitor = identity.signed_in(context, request)
    if visitor.player is not None:
        return responses.page(
            visitor.preferences, "accounts/linked_already.gmi", player=visitor.player
        )
    if not visitor.may_act(context, SUBJECT, key):
        return outdated.page_below(ACCOUNT, outdated.NOTHING_CHANGED, request.typed)
    ask = message("The code that the other device shows")
    if not request.typed:
        return responses.sensitive_prompt(responses.prompt(ask))
    try:
        linking.link(context, identity.certificate_of(visitor), request.typed)
    except linking.CodeRefused as error:
        return responses.sensitive_prompt(responses.prompt_again(error.message, ask))
    return responses.redirect(f"/play/{game_id or ''}")


def label(context: AppContext, request: Request, key: str, number: str) -> Response:
    """Ask for a certificate's label; with one, store it and go to the account."""
    visitor = identity.signed_in(context, request)
    typed = request.query or ""
    player, found = _certificate_to_change(context, visitor, key, number)
    if player is None or found is None:
        return _label_outdated(context, request, key, number)
    ask = message(
        "A label for certificate {number}, such as the name of its device. At most {limit} "
        "characters",
        number=found.number,
        limit=devices.MAX_LABEL_LENGTH,
    )
    if not typed:
        return responses.prompt(ask)
    try:
        devices.label(context, player, found.number, typed)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return _label_outdated(context, request, key, number)
    return responses.redirect(ACCOUNT)


def _label_outdated(context: AppContext, request: Request, key: str, number: str) -> Response:
    typed = request.query or ""

    def has_label(player: Player) -> bool:
        known = devices.certificates_of(context, player)[int(number) - 1 : int(number)]
        return bool(typed) and any(each.label == visible_line(typed) for each in known)

    return outdated.attempt(context, request, SUBJECT, key).answer(
        ACCOUNT, typed=typed, is_done=has_label
    )


def revoke(context: AppContext, request: Request, key: str, number: str) -> Response:
    """Ask for the word; with it, revoke a certificate and go to the account.

    If it is the one in use, the visitor is a stranger from then on, and goes to the front page.
    """
    visitor = identity.signed_in(context, request)
    player, found = _certificate_to_change(context, visitor, key, number)
    if player is None or found is None or found.is_only:
        return outdated.attempt(context, request, SUBJECT, key).answer(ACCOUNT, _NOT_REVOKED)
    if not is_typed(request.query, REVOKE):
        return responses.prompt(_revocation_warning(found), _type_revoke(found))
    try:
        devices.revoke(context, player, found.number)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(ACCOUNT, _NOT_REVOKED)
    return responses.redirect("/" if found.is_in_use else ACCOUNT)


def _revocation_warning(found: ListedCertificate) -> Message:
    if found.is_in_use:
        return message(
            "You are using this certificate now. It will no longer sign you in. You can come back "
            "with another certificate of yours."
        )
    return message("This certificate will no longer sign you in.")


def _type_revoke(found: ListedCertificate) -> Message:
    ask = message(
        "Type {word} to revoke certificate {number} ({label})",
        number=found.number,
        label=found.name or in_context("a certificate", "unnamed"),
    )
    return naming(ask, REVOKE)


def _certificate_to_change(
    context: AppContext, visitor: Visitor, key: str, number: str
) -> tuple[Player | None, ListedCertificate | None]:
    """Return the player and their certificate with this number, each None if there is none.

    So is the certificate if the key does not fit.
    """
    player = visitor.player
    if player is None or not visitor.may_act(context, SUBJECT, key):
        return player, None
    listed = _listed(context, visitor, player)
    return player, next((each for each in listed if each.number == int(number)), None)


def _listed(context: AppContext, visitor: Visitor, player: Player) -> Sequence[ListedCertificate]:
    now = context.clock()
    shown = identity.certificate_of(visitor)
    known = devices.certificates_of(context, player)
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


ROUTES: Routes = (
    (CODE, code),
    ("/play/me/certificates", all_certificates),
    (f"/play/me/{KEY}/code", make_code),
    (f"/play/me/{KEY}/withdraw", withdraw_code),
    (f"/play/me/{KEY}/link(?:/{GAME})?", link, ANY),
    (f"/play/me/{KEY}/label/{NUMBER}", label, ANY),
    (f"/play/me/{KEY}/revoke/{NUMBER}", revoke, ANY),
)
