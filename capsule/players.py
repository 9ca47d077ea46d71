"""What people do as players: become one, be known by a certificate, take a name."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule import names
from capsule.seating import count_action
from capsule.store import feeds as stored_feeds
from capsule.store import players as stored
from engine.game import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.exchange import Certificate
    from capsule.site import Site
    from capsule.store.players import Player
    from engine import Message

GENERATED_ATTEMPTS = 50

ADDRESS_BYTES = 20
"""Bytes of chance in the address of a private feed: whoever knows it can read the feed."""


class NameRefused(ValueError):
    """A name that nobody can have, or not this player; `message` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


def known_player(site: Site, certificate: Certificate) -> Player | None:
    """Return the player who uses this certificate, or None where it is new here."""
    with site.store.reading() as connection:
        return stored.player_by_certificate(connection, certificate.fingerprint)


def become_player(site: Site, certificate: Certificate) -> Player:
    """Return the certificate's player, made now if this is the certificate's first action."""
    with site.store.writing() as connection:
        known = stored.player_by_certificate(connection, certificate.fingerprint)
        if known is not None:
            return known
        name = _free_name(site, connection, certificate.common_name)
        player = stored.add_player(
            connection, name, names.likeness(name), certificate.fingerprint, site.clock()
        )
        stored_feeds.add_feed(connection, player.id, _new_address(site))
        return player


def proposed_name(site: Site, certificate: Certificate) -> str | None:
    """Return the name a new certificate would get, or None where one will be made up."""
    name = names.from_common_name(certificate.common_name)
    with site.store.reading() as connection:
        return name if _is_free(connection, name) else None


def rename(site: Site, player: Player, name: str) -> None:
    """Give the player another name.

    Raises `NameRefused` where the name is not fit or too like somebody else's.
    """
    name = name.strip()
    if not names.is_fit(name):
        raise NameRefused(
            message(
                "A name has 2 to 24 letters from a to z, digits, - or _, begins with a letter or "
                "digit and does not pass for the capsule's own"
            )
        )
    likeness = names.likeness(name)
    try:
        with site.store.writing() as connection:
            if likeness != names.likeness(player.name) and stored.likeness_is_taken(
                connection, likeness
            ):
                raise NameRefused(message("{name} is taken, or too like a taken name", name=name))
            stored.rename_player(connection, player.id, name, likeness)
            stored.count_action(connection, player.id)
    except IntegrityError as error:
        raise NameRefused(message("{name} is taken", name=name)) from error


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


def _is_free(connection: Connection, name: str) -> bool:
    return names.is_fit(name) and not stored.likeness_is_taken(connection, names.likeness(name))


def _free_name(site: Site, connection: Connection, common_name: str) -> str:
    proposal = names.from_common_name(common_name)
    if _is_free(connection, proposal):
        return proposal
    for _ in range(GENERATED_ATTEMPTS):
        name = names.generated(int.from_bytes(site.random_bytes(8)))
        if _is_free(connection, name):
            return name
    message_text = "no free name was found"
    raise RuntimeError(message_text)
