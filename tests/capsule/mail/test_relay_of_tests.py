"""The relay that the tests use: it leaves nothing open, whatever its visitors are at."""

import gc
import socket
import ssl
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.wire.mail_relay import MailRelay, certify, mail_relay


def greet(connection: socket.socket, command: bytes) -> None:
    """Read the greeting, say hello and something else, and read the answer to it."""
    with connection.makefile("rwb") as file:
        file.readline()
        for said in (b"EHLO here", command):
            file.write(said + b"\r\n")
            file.flush()
            while file.readline()[3:4] == b"-":
                pass


def connect(relay: MailRelay, _certificate: Path) -> socket.socket:
    return socket.create_connection(("127.0.0.1", relay.port))


def begin_tls(relay: MailRelay, certificate: Path) -> socket.socket:
    connection = connect(relay, certificate)
    connection.sendall(b"\x16\x03\x01")
    return connection


def ask_for_tls(relay: MailRelay, certificate: Path) -> socket.socket:
    connection = connect(relay, certificate)
    greet(connection, b"STARTTLS")
    return connection


def encrypted(connection: socket.socket, certificate: Path) -> ssl.SSLSocket:
    trusting = ssl.create_default_context(cafile=str(certificate))
    return trusting.wrap_socket(connection, server_hostname="localhost")


def say_farewell_in_tls(relay: MailRelay, certificate: Path) -> socket.socket:
    """Do so, and do not hang up."""
    connection = encrypted(connect(relay, certificate), certificate)
    greet(connection, b"QUIT")
    return connection


def say_farewell_after_starttls(relay: MailRelay, certificate: Path) -> socket.socket:
    connection = encrypted(ask_for_tls(relay, certificate), certificate)
    connection.sendall(b"QUIT\r\n")
    connection.recv(100)
    return connection


@pytest.mark.parametrize(
    ("visit", "tls_at_once"),
    [
        (connect, False),
        (connect, True),
        (begin_tls, True),
        (ask_for_tls, False),
        (say_farewell_in_tls, True),
        (say_farewell_after_starttls, False),
    ],
)
def test_it_closes_every_connection(
    tmp_path: Path,
    visit: Callable[[MailRelay, Path], socket.socket],
    tls_at_once: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    certificate = certify(tmp_path)
    # What other tests have left is not this relay's.
    gc.collect()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for _ in range(5):
            with mail_relay(certificate=certificate, tls_at_once=tls_at_once) as relay:
                connection = visit(relay, certificate)
            connection.close()
        del connection
        gc.collect()
    assert not [str(each.message) for each in warned]
