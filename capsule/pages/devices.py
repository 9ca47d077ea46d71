"""Adding a device with a code, and the player's certificates: their list, labels and revocation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule import answers, devices, identity
from capsule.game import OutdatedAction
from capsule.typed import TextRefused, is_word
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.devices import Ending
    from capsule.exchange import Request, Response
    from capsule.identity import Visitor
    from capsule.site import Site
    from capsule.store.devices import StoredCertificate
    from capsule.store.players import Player
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
    ending: Ending | None

    @property
    def groups(self) -> Sequence[str]:
        """The fingerprint in groups of four digits."""
        digits = self.stored.fingerprint
        return [digits[start : start + 4] for start in range(0, len(digits), 4)]


def link_path(site: Site, visitor: Visitor, game_id: str | None = None) -> str | None:
    """Return where a certificate that is nobody's is added to a player, None for other visitors.

    From there it goes on to the player's games, or to the game that is named.
    """
    if visitor.certificate is None or visitor.player is not None:
        return None
    path = f"/play/me/{visitor.account_key(site, SUBJECT)}/link"
    return f"{path}/{game_id}" if game_id else path


def ending(site: Site, visitor: Visitor) -> Ending | None:
    """Return the end of the visitor's certificate where it is near, else None."""
    if visitor.certificate is None:
        return None
    return devices.ending_of(visitor.certificate.not_after, site.clock())


def about_certificates(site: Site, visitor: Visitor) -> dict[str, object]:
    """Return what the account shows of the visitor's certificates."""
    player = visitor.player
    return {
        "link": link_path(site, visitor),
        "ending": ending(site, visitor),
        "certificates": _listed(site, visitor, player) if player else (),
        "code": player and devices.code_of(site, player),
        "most_certificates": devices.MOST_CERTIFICATES,
        "devices_key": visitor.account_key(site, SUBJECT),
    }


def all_certificates(site: Site, request: Request) -> Response:
    """Return the page with the whole fingerprint of each certificate of the player."""
    visitor = identity.signed_in(site, request)
    if visitor.player is None:
        return answers.way_on(ACCOUNT)
    listed = _listed(site, visitor, visitor.player)
    return answers.page(visitor.reader, "certificates.gmi", certificates=listed)


def code(site: Site, request: Request) -> Response:
    """Return the page that shows the code that the player has made."""
    visitor = identity.signed_in(site, request)
    if visitor.player is None:
        return answers.way_on(ACCOUNT)
    return answers.page(
        visitor.reader,
        "code.gmi",
        player=visitor.player,
        code=devices.code_of(site, visitor.player),
        tries=devices.TRIES,
        key=visitor.account_key(site, SUBJECT),
        origin=site.origin,
    )


def make_code(site: Site, request: Request, key: str) -> Response:
    """Make a code and show it."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            devices.make_code(site, player)
            return answers.way_on("/play/me/code")
    return answers.way_on(ACCOUNT)


def withdraw_code(site: Site, request: Request, key: str) -> Response:
    """End the code that there is, and go to the account."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            devices.withdraw_code(site, player)
    return answers.way_on(ACCOUNT)


def link(site: Site, request: Request, key: str, game_id: str | None) -> Response:
    """Ask for a code; with the right one, add the certificate to its player and go on.

    The code stands in no answer.
    """
    visitor = identity.signed_in(site, request)
    if visitor.player is not None:
        return answers.page(visitor.reader, "linked_already.gmi", player=visitor.player)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on(ACCOUNT)
    ask = message("The code that the other device shows:")
    if not request.query:
        return answers.secret(answers.question(ask))
    try:
        devices.link(site, identity.certificate_of(visitor), request.query)
    except devices.CodeRefused as error:
        return answers.secret(answers.question_again(error.message, ask))
    return answers.way_on(f"/play/{game_id or ''}")


def label(site: Site, request: Request, key: str, number: str) -> Response:
    """Ask what a certificate is to be called; with a label, keep it and go to the account."""
    visitor = identity.signed_in(site, request)
    found = _to_change(site, visitor, key, number)
    if visitor.player is None or found is None:
        return answers.way_on(ACCOUNT)
    ask = message(
        "A label for certificate {number}, such as the device that it is on, "
        "{most} characters at most:",
        number=found.number,
        most=devices.LONGEST_LABEL,
    )
    if not request.query:
        return answers.question(ask)
    try:
        with suppress(OutdatedAction):
            devices.label(site, visitor.player, found.number, request.query)
    except TextRefused as error:
        return answers.question_again(error.message, ask)
    return answers.way_on(ACCOUNT)


def revoke(site: Site, request: Request, key: str, number: str) -> Response:
    """Ask for the word; with it, revoke a certificate and go to the account.

    Who has revoked the one in use is a stranger there, and goes to the front door.
    """
    visitor = identity.signed_in(site, request)
    found = _to_change(site, visitor, key, number)
    if visitor.player is None or found is None or found.is_only:
        return answers.way_on(ACCOUNT)
    if not is_word(request.query, "revoke"):
        return answers.question(_what_happens(found), _type_revoke(found))
    try:
        devices.revoke(site, visitor.player, found.number)
    except OutdatedAction:
        return answers.way_on(ACCOUNT)
    return answers.way_on("/" if found.is_this else ACCOUNT)


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


def _to_change(site: Site, visitor: Visitor, key: str, number: str) -> Listed | None:
    """Return the certificate of an action; None for a key that does not fit, or no such number."""
    if visitor.player is None or not visitor.may_act(site, SUBJECT, key):
        return None
    listed = _listed(site, visitor, visitor.player)
    return next((each for each in listed if each.number == int(number)), None)


def _listed(site: Site, visitor: Visitor, player: Player) -> Sequence[Listed]:
    now = site.clock()
    fingerprint = identity.certificate_of(visitor).fingerprint
    known = devices.certificates_of(site, player)
    return [
        Listed(
            number,
            certificate,
            certificate.fingerprint == fingerprint,
            len(known) == 1,
            devices.ending_of(certificate.valid_until, now),
        )
        for number, certificate in enumerate(known, start=1)
    ]
