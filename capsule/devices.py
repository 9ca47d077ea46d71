"""A player's devices: certificates, the codes that add one, labels, and the end of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule import codes
from capsule.game import OutdatedAction
from capsule.refusal import Refused
from capsule.seating import count_action
from capsule.store import devices as stored
from capsule.store import players as stored_players
from capsule.store.players import Player
from capsule.typed import readable
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.exchange import Certificate
    from capsule.site import Site
    from capsule.store.devices import StoredCertificate, StoredCode
    from engine import Message

CODE_LIFE = timedelta(minutes=10)
"""How long a code can be used."""

TRIES = 5
"""How often somebody may be wrong about a code before it ends."""

MOST_CERTIFICATES = 20
"""Certificates that one player may have."""

LONGEST_LABEL = 40

NOTICE = timedelta(days=30)
"""How long before its end a certificate's player is told of it."""

URGENT = timedelta(days=7)
"""How long before its end that becomes urgent."""


class CodeRefused(Refused):
    """A code that does not add the certificate; `message` says why."""


@dataclass(frozen=True)
class Code:
    """A code that can be used: how it is written, until when, and how many tries it has left."""

    written: str
    until: datetime
    left: timedelta
    tries_left: int

    @property
    def minutes_left(self) -> int:
        """How many minutes are left, those begun not counted."""
        return int(self.left.total_seconds()) // 60

    @property
    def letter_by_letter(self) -> str:
        """The code the way it is read aloud."""
        return codes.letter_by_letter(self.written)


@dataclass(frozen=True)
class Ending:
    """The end of a certificate that is near or past: how many whole days are left until then."""

    until: datetime
    days: int
    is_urgent: bool
    is_over: bool


def user_of(site: Site, certificate: Certificate) -> Player | None:
    """Return the player who uses a certificate, None where it is new here, and note the use.

    That is written down once a day, or when a renewed certificate is valid for longer.
    """
    with site.store.reading() as connection:
        user = stored.user_of(connection, certificate.fingerprint)
    if user is None:
        return None
    player, known = user
    now = site.clock()
    is_noted = known.last_used_at is not None and known.last_used_at.date() >= now.date()
    if not is_noted or known.valid_until is None or known.valid_until < certificate.not_after:
        with site.store.writing() as connection:
            stored.note_use(connection, certificate.fingerprint, certificate.not_after, now)
    return player


def certificates_of(site: Site, player: Player) -> Sequence[StoredCertificate]:
    """Return the player's certificates, the first used first: its place is a certificate's number.

    A number holds until the player acts, as do the keys of the actions with it.
    """
    with site.store.reading() as connection:
        return stored.certificates_of(connection, player.id)


def ending_of(valid_until: datetime | None, now: datetime) -> Ending | None:
    """Return the end of a certificate where it is near or past, else None."""
    if valid_until is None or valid_until - now > NOTICE:
        return None
    left = valid_until - now
    return Ending(valid_until, max(left.days, 0), left <= URGENT, valid_until < now)


def code_of(site: Site, player: Player) -> Code | None:
    """Return the code that the player has made, None where there is none that could be used."""
    with site.store.reading() as connection:
        code = stored.code_of(connection, player.id)
    now = site.clock()
    if code is None or _is_over(code, now):
        return None
    until = code.made_at + CODE_LIFE
    secret = codes.secret_part(site.secret, player.id, code.selector, code.made_at)
    return Code(f"{code.selector}-{secret}", until, until - now, code.tries_left)


def make_code(site: Site, player: Player) -> None:
    """Make a code that adds a certificate to the player; one that was there ends.

    Raises `OutdatedAction` where the player has acted meanwhile or has all certificates that
    anybody may have.
    """
    now = site.clock()
    with site.store.writing() as connection:
        count_action(connection, player)
        if len(stored.certificates_of(connection, player.id)) >= MOST_CERTIFICATES:
            raise OutdatedAction
        stored.drop_codes_before(connection, now - CODE_LIFE)
        stored.drop_code_of(connection, player.id)
        selector = _free_selector(site, connection)
        stored.add_code(connection, stored.StoredCode(selector, player.id, now, TRIES))


def withdraw_code(site: Site, player: Player) -> None:
    """End the code that the player has made; `OutdatedAction` where they have acted meanwhile."""
    with site.store.writing() as connection:
        count_action(connection, player)
        stored.drop_code_of(connection, player.id)


def link(site: Site, certificate: Certificate, typed: str) -> None:
    """Add a certificate that is nobody's to the player whose code was typed.

    Raises `CodeRefused`; a wrong code may have cost a try.
    """
    parts = codes.read(typed)
    if parts is None:
        raise CodeRefused(
            message(
                "A code has ten letters and digits, as in {example}, and none of them is 0, 1, "
                "I, L or O",
                example=codes.EXAMPLE,
            )
        )
    try:
        with site.store.writing() as connection:
            # Not raised in here: that would give the try back.
            reason = _link(site, connection, certificate, *parts)
    except IntegrityError:
        reason = message("This certificate is a player's already")
    if reason is not None:
        raise CodeRefused(reason)


def label(site: Site, player: Player, number: int, typed: str) -> None:
    """Give the player's certificate of a number the label that they typed.

    Raises `TextRefused`, or `OutdatedAction` where the player has acted meanwhile or there is no
    such certificate.
    """
    text = readable(typed, LONGEST_LABEL)
    with site.store.writing() as connection:
        known = _to_change(connection, player, number)
        stored.label_certificate(connection, known[number - 1].fingerprint, text)


def revoke(site: Site, player: Player, number: int) -> None:
    """Make the player's certificate of a number nobody's.

    Raises `OutdatedAction` where it is their last one, the player has acted meanwhile, or there is
    no such certificate.
    """
    with site.store.writing() as connection:
        known = _to_change(connection, player, number)
        if len(known) == 1:
            raise OutdatedAction
        stored.drop_certificate(connection, known[number - 1].fingerprint)


def _link(
    site: Site, connection: Connection, certificate: Certificate, selector: str, secret: str
) -> Message | None:
    """Add the certificate to the player of the code; return why not, None where it is done."""
    player = _maker(site, connection, selector, secret)
    if not isinstance(player, Player):
        return player
    if len(stored.certificates_of(connection, player.id)) >= MOST_CERTIFICATES:
        return message(
            "{name} has {most} certificates already, and nobody may have more: revoke one first",
            name=player.name,
            most=MOST_CERTIFICATES,
        )
    stored.add_certificate(
        connection, player.id, certificate.fingerprint, certificate.not_after, site.clock()
    )
    stored.drop_code_of(connection, player.id)
    # The numbers of the certificates may have changed, so pages with the old ones are outdated.
    stored_players.count_action(connection, player.id)
    return None


def _maker(site: Site, connection: Connection, selector: str, secret: str) -> Player | Message:
    """Return the player who made a code, or why it does not work; a wrong one costs a try."""
    now = site.clock()
    code = stored.code_by_selector(connection, selector)
    if code is not None:
        # Whatever else is done with the code or the certificates waits for this, or this for it.
        stored.hold_player(connection, code.player_id)
        code = stored.code_by_selector(connection, selector)
    if code is None:
        return message(
            "There is no such code: it may have been used or withdrawn, or its ten minutes are over"
        )
    if _is_over(code, now):
        stored.drop_code_of(connection, code.player_id)
        return message("The ten minutes of this code are over: make a new one")
    expected = codes.secret_part(site.secret, code.player_id, code.selector, code.made_at)
    if not codes.are_equal(secret, expected):
        return _wrong(connection, code)
    player = stored_players.player_by_id(connection, code.player_id)
    if player is None or player.is_banned(now):
        stored.drop_code_of(connection, code.player_id)
        return message("Whoever made this code is shut out and cannot add a certificate")
    return player


def _wrong(connection: Connection, code: StoredCode) -> Message:
    left = code.tries_left - 1
    if left <= 0:
        stored.drop_code_of(connection, code.player_id)
        return message("That is not the code, and it was the last try: make a new code")
    stored.take_try(connection, code.selector)
    if left == 1:
        return message("That is not the code, and one try is left")
    return message("That is not the code, and {count} tries are left", count=left)


def _is_over(code: StoredCode, now: datetime) -> bool:
    return now >= code.made_at + CODE_LIFE or code.tries_left <= 0


def _free_selector(site: Site, connection: Connection) -> str:
    while True:
        selector = codes.selector_from(site.random_bytes(8))
        if stored.code_by_selector(connection, selector) is None:
            return selector


def _to_change(connection: Connection, player: Player, number: int) -> Sequence[StoredCertificate]:
    """Return the player's certificates, which are one's own until the transaction ends."""
    count_action(connection, player)
    known = stored.certificates_of(connection, player.id)
    if not 1 <= number <= len(known):
        raise OutdatedAction
    return known
