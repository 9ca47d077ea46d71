"""The mailer's thread: it sends, takes new settings, and stops."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from capsule.config import Config
from capsule.mail import queries as mail_queries
from capsule.mail.model import Letter
from capsule.processes.housekeeping import Mailing
from tests.support.mail import Post, text_of
from tests.support.stories import ALICE
from tests.support.waiting import wait_until
from tests.support.wire.mail_relay import PASSWORD, USER, mail_relay


def signing_in(post: Post, port: int, password: str) -> Config:
    """Return the settings of a relay where a user signs in with a password."""
    mail = f"smtps://{USER}@localhost:{port}"
    return replace(post.client.config, mail=mail, mail_password=password)


def waiting(post: Post, at: datetime) -> Sequence[Letter]:
    """Return the letters that are to be sent at a time, and are not being sent."""
    with post.client.database.reading() as connection:
        return mail_queries.letters_to_send(connection, at, 9)


def test_a_letter_goes_once_the_password_and_the_name_are_right(
    post: Post, certificate: Path
) -> None:
    client = post.client
    post.type_address(ALICE, "alice@example.org")
    with mail_relay(certificate=certificate, tls_at_once=True, user=USER) as relay:
        mailing = Mailing(client.context, signing_in(post, relay.port, "wrong"), post.log)
        with mailing.running():
            wait_until(lambda: relay.connections)
            later = client.now + timedelta(minutes=2)
            wait_until(lambda: waiting(post, later))
            client.now = later
            right = signing_in(post, relay.port, PASSWORD)
            mailing.renew(replace(right, hostname="renamed.example.org"))
            (received,) = wait_until(lambda: relay.letters)
    assert received.user == USER
    assert "gemini://renamed.example.org/" in text_of(received.message)


def test_it_stops_at_once_when_there_is_nothing_to_send(post: Post) -> None:
    with mail_relay() as relay:
        config = replace(post.client.config, mail=f"smtp://localhost:{relay.port}")
        with Mailing(post.client.context, config, post.log).running():
            pass
        assert "mail" not in {thread.name for thread in threading.enumerate()}
        assert relay.connections == 0
