"""What people do as players: become one, be known by a certificate, take a name."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule import names
from capsule.refusal import Refused
from capsule.seating import count_action
from capsule.store import devices as stored_devices
from capsule.store import feeds as stored_feeds
from capsule.store import names as stored_names
from capsule.store import players as stored
from capsule.store.names import FormerName
from engine.game import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.exchange import Certificate
    from capsule.site import Site
    from capsule.store.players import Player
    from engine import Message

GENERATED_ATTEMPTS = 50

NAME_KEPT = timedelta(days=365)
"""How long a name that was given up leads to its player, and is nobody else's."""

MOST_GIVEN_UP = 3
"""Names that a player may give up within a month: more would be keeping names from others."""

MONTH = timedelta(days=30)

ADDRESS_BYTES = 20
"""Bytes of chance in the address of a private feed: whoever knows it can read the feed."""


class NameRefused(Refused):
    """A name that nobody can have, or not this player; `message` says why."""


@dataclass(frozen=True)
class Naming:
    """The name that a new certificate will get, None where one will be made up.

    Then `reason` says why the name in the certificate cannot be had, and is None where it has none.
    """

    name: str | None
    reason: Message | None = None


def known_player(site: Site, certificate: Certificate) -> Player | None:
    """Return the player who uses this certificate, or None where it is new here."""
    with site.store.reading() as connection:
        return stored.player_by_certificate(connection, certificate.fingerprint)


def become_player(site: Site, certificate: Certificate, name: str | None = None) -> Player:
    """Return the certificate's player, made now if this is the certificate's first action.

    A `name` is taken in the place of the one in the certificate. Raises `NameRefused` where it
    cannot be had.
    """
    with site.store.writing() as connection:
        known = stored.player_by_certificate(connection, certificate.fingerprint)
        if known is not None:
            return known
        if name is None:
            name = _free_name(site, connection, certificate.common_name)
        else:
            expect_free(site, connection, name)
        likeness = names.likeness(name)
        stored_names.drop_former_name(connection, likeness)
        now = site.clock()
        player = stored.add_player(connection, name, likeness, now)
        stored_devices.add_certificate(
            connection, player.id, certificate.fingerprint, certificate.not_after, now
        )
        stored_feeds.add_feed(connection, player.id, _new_address(site))
        return player


def naming(site: Site, certificate: Certificate) -> Naming:
    """Return the name a new certificate would get, or why not the one that it has."""
    name = names.from_common_name(certificate.common_name)
    common_name = certificate.common_name.strip()
    if not common_name:
        return Naming(None)
    if not name:
        return Naming(None, names.unfit_letters(common_name))
    with site.store.reading() as connection:
        try:
            expect_free(site, connection, name)
        except NameRefused as error:
            return Naming(None, error.message)
    return Naming(name)


def take_name(site: Site, player: Player | None, certificate: Certificate, name: str) -> None:
    """Give the player another name, or make a player of this name of a certificate that is new.

    Raises `NameRefused` where it cannot be had, and `OutdatedAction` where the player has acted
    since `player` was read.
    """
    name = name.strip()
    try:
        if player is None:
            become_player(site, certificate, name)
        else:
            _rename(site, player, name)
    except IntegrityError as error:
        raise NameRefused(message("{name} is taken", name=name)) from error


def _rename(site: Site, player: Player, name: str) -> None:
    with site.store.writing() as connection:
        count_action(connection, player)
        former = expect_free(site, connection, name, player)
        if former is None and names.likeness(name) != names.likeness(player.name):
            _expect_few_given_up(site, connection, player)
        change_name(site, connection, given_up(site, player), name)


def given_up(
    site: Site, player: Player, *, taken_away: bool = False, leads_on: bool = True
) -> FormerName:
    """Return the player's name as one that is given up now; the rest is as in `FormerName`."""
    return FormerName(player.name, player.id, site.clock() + NAME_KEPT, taken_away, leads_on)


def change_name(site: Site, connection: Connection, former: FormerName, name: str) -> None:
    """Give a player a name that is free for them in the place of the one that they give up."""
    likeness = names.likeness(name)
    if likeness != names.likeness(former.name):
        stored_names.keep_former_name(connection, former, site.clock())
        stored_names.drop_former_name(connection, likeness)
    stored.rename_player(connection, former.player_id, name, likeness)


def expect_free(
    site: Site, connection: Connection, name: str, player: Player | None = None
) -> FormerName | None:
    """Raise `NameRefused` where a name cannot be had by the player, or by anyone new.

    Return the player's own former name that it is, if it is one.
    """
    reason = names.unfit_letters(name)
    if reason is not None:
        raise NameRefused(reason)
    likeness = names.likeness(name)
    own_name = player.name if player and likeness == names.likeness(player.name) else None
    reason = names.pretence(name)
    # Whoever had such a name before it was refused keeps it; nobody comes to one by writing theirs
    # otherwise, such as with a - before "bot".
    if reason is not None and (own_name is None or names.pretence(own_name) is None):
        raise NameRefused(reason)
    if own_name is not None:
        return None
    owner = stored.player_by_likeness(connection, likeness)
    if owner is not None and owner.name.lower() == name.lower():
        raise NameRefused(message("{name} is taken", name=owner.name))
    if owner is not None:
        raise NameRefused(
            message("{name} is too like {other}, which is taken", name=name, other=owner.name)
        )
    former = stored_names.former_name(connection, likeness, site.clock())
    if former is not None:
        _expect_own(former, name, player)
    return former


def _expect_own(former: FormerName, name: str, player: Player | None) -> None:
    until = former.kept_until.date()
    if former.taken_away:
        raise NameRefused(
            message(
                "{name} was taken away by the operator, and cannot be had before {date}",
                name=name,
                date=until,
            )
        )
    if player is None or former.player_id != player.id:
        raise NameRefused(
            message(
                "{name} was somebody else's until lately, and is kept for them until {date}",
                name=name,
                date=until,
            )
        )


def _expect_few_given_up(site: Site, connection: Connection, player: Player) -> None:
    now = site.clock()
    moments = [
        former.kept_until - NAME_KEPT
        for former in stored_names.former_names_of(connection, player.id, now)
        if not former.taken_away
    ]
    lately = [moment for moment in moments if moment > now - MONTH]
    if len(lately) >= MOST_GIVEN_UP:
        raise NameRefused(
            message(
                "You have given up {count} names within a month, and each is kept for you for a "
                "year: take one of them again, or another from {date} on",
                count=len(lately),
                date=(lately[-MOST_GIVEN_UP] + MONTH).date(),
            )
        )


def name_now(site: Site, name: str) -> str | None:
    """Return the name of the player who once had this one and is still found by it, or None."""
    with site.store.reading() as connection:
        player = stored_names.player_once_called(connection, name, site.clock())
    return None if player is None else player.name


def feed_address(site: Site, player: Player) -> str | None:
    """Return what stands after `/feed/` in the address of the player's private feed."""
    with site.store.reading() as connection:
        return stored_feeds.feed_of_player(connection, player.id)


def change_feed_address(site: Site, player: Player) -> None:
    """Move the player's private feed to a new address, and end the old one.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        stored_feeds.change_feed(connection, player.id, _new_address(site))


def _new_address(site: Site) -> str:
    return base64.b32encode(site.random_bytes(ADDRESS_BYTES)).decode().lower()


def _is_free(site: Site, connection: Connection, name: str) -> bool:
    try:
        expect_free(site, connection, name)
    except NameRefused:
        return False
    return True


def _free_name(site: Site, connection: Connection, common_name: str) -> str:
    proposal = names.from_common_name(common_name)
    if _is_free(site, connection, proposal):
        return proposal
    for _ in range(GENERATED_ATTEMPTS):
        name = names.generated(int.from_bytes(site.random_bytes(8)))
        if _is_free(site, connection, name):
            return name
    message_text = "no free name was found"
    raise RuntimeError(message_text)
