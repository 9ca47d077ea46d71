"""The player's account: the name, the feed, what is kept, and how to be erased."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, farewell, identity, players
from capsule.game import OutdatedAction
from capsule.pages import devices
from capsule.typed import is_word
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

SUBJECT = "account"
"""What the keys on these pages are for."""


def account(site: Site, request: Request) -> Response:
    """Return the page about the player's name and certificate."""
    visitor = identity.signed_in(site, request)
    certificate = identity.certificate_of(visitor)
    return answers.page(
        visitor.reader,
        "account.gmi",
        player=visitor.player,
        naming=None if visitor.player else players.naming(site, certificate),
        certificate=certificate,
        key=visitor.account_key(site, SUBJECT),
        feed=visitor.player and players.feed_address(site, visitor.player),
        origin=site.origin,
        **devices.about_certificates(site, visitor),
    )


def rename(site: Site, request: Request, key: str) -> Response:
    """Ask for a new name; with one, take it and go to the account."""
    visitor = identity.signed_in(site, request)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on("/play/me/")
    ask = message("Your name, 2 to 24 letters, digits, - or _:")
    if not request.query:
        return answers.question(ask)
    try:
        with suppress(OutdatedAction):
            certificate = identity.certificate_of(visitor)
            players.take_name(site, visitor.player, certificate, request.query)
    except players.NameRefused as error:
        return answers.question_again(error.message, message("Your name:"))
    return answers.way_on("/play/me/")


def change_feed_address(site: Site, request: Request, key: str) -> Response:
    """Give the player's private feed another address, and go to the account."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            players.change_feed_address(site, player)
    return answers.way_on("/play/me/")


def export(site: Site, request: Request) -> Response:
    """Return everything that is kept about the player, for whom alone it is."""
    visitor = identity.signed_in(site, request)
    if visitor.player is None:
        return answers.way_on("/play/me/")
    with site.costly.alone():
        body = farewell.export(site, visitor.player)
    return answers.text(body, "application/json; charset=utf-8")


def records(site: Site, request: Request) -> Response:
    """Return the records of all games of the player, for whom alone they are."""
    visitor = identity.signed_in(site, request)
    if visitor.player is None:
        return answers.way_on("/play/me/")
    with site.costly.alone():
        return answers.text(farewell.records(site, visitor.player))


def erase(site: Site, request: Request, key: str) -> Response:
    """Ask for the word; with it, erase the player and go to the front door."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is None:
        return answers.way_on("/play/me/")
    if not is_word(request.query, "erase"):
        return answers.question(message("Type erase to erase yourself, for good:"))
    try:
        farewell.erase(site, player)
    except OutdatedAction:
        return answers.way_on("/play/me/")
    return answers.way_on("/")
