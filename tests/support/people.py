"""Players by their certificates, the declaration that makes one a program, and erasure."""

from capsule.accounts import players, queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.gemini.types import Certificate
from tests.support.client import Client, link


def known_player(context: AppContext, certificate: Certificate) -> Player | None:
    """Return the player who uses this certificate, or None if it is new."""
    with context.reading() as transaction:
        return account_queries.player_by_certificate(
            transaction.connection, certificate.fingerprint
        )


def become_player(context: AppContext, certificate: Certificate, name: str | None = None) -> Player:
    """Return the certificate's player, who is made now if need be."""
    with context.writing() as transaction:
        known = account_queries.player_by_certificate(
            transaction.connection, certificate.fingerprint
        )
        return known or players.make_player(transaction, certificate, name)


def declare(client: Client, *people: Certificate) -> None:
    """Declare players programs, by the page for it."""
    here = "/play/me/program"
    for who in people:
        answer = client.type(link(client.get(here, who), "/declare"), "program", who)
        assert (answer.status, answer.meta) == (30, here)


def erase(client: Client, who: Certificate) -> None:
    """Erase a player, by the page for it."""
    answer = client.type(link(client.get("/play/me/", who), "/erase"), "erase", who)
    assert answer.body.startswith("# You are erased\n")
