"""A small Gemini browser on Python's ssl module, which sees what happens on the wire."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.support.waiting import PATIENCE
from tests.support.wire.identities import Identity


class Reply(NamedTuple):
    """An answer; `closed_cleanly` says that TLS's close_notify came, so that nothing was cut off.

    A connection that is closed without an answer has status 0.
    """

    status: int
    meta: str
    body: str
    closed_cleanly: bool


def fetch(
    url: str,
    address: tuple[str, int],
    identity: Identity | None = None,
    tls: ssl.TLSVersion | None = None,
    source: str = "",
) -> Reply:
    """Ask the server at `address` for `url`, with a certificate or without, and read its answer."""
    return ask(url.encode() + b"\r\n", address, identity, tls, source)


def ask(
    line: bytes,
    address: tuple[str, int],
    identity: Identity | None = None,
    tls: ssl.TLSVersion | None = None,
    source: str = "",
) -> Reply:
    """Send the raw bytes of a request, and read the answer."""
    with connect(address, identity, tls, source) as connection:
        connection.sendall(line)
        return read_reply(connection)


@contextmanager
def connect(
    address: tuple[str, int],
    identity: Identity | None = None,
    tls: ssl.TLSVersion | None = None,
    source: str = "",
) -> Iterator[ssl.SSLSocket]:
    """Connect to a server, without checking its certificate, from any address or from `source`."""
    with (
        socket.create_connection(address, PATIENCE, (source, 0)) as plain,
        tls_context(identity, tls).wrap_socket(
            plain, server_hostname="localhost", suppress_ragged_eofs=False
        ) as connection,
    ):
        yield connection


def tls_context(
    identity: Identity | None = None, tls: ssl.TLSVersion | None = None
) -> ssl.SSLContext:
    """Return the TLS of a browser that trusts everyone, held to one version if `tls` is given."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if tls is not None:
        context.minimum_version = context.maximum_version = tls
    if identity is not None:
        context.load_cert_chain(identity.certificate, identity.key)
    return context


def read_reply(connection: ssl.SSLSocket) -> Reply:
    """Read an answer to its end."""
    received = bytearray()
    closed_cleanly = False
    try:
        while chunk := connection.recv(65536):
            received += chunk
        closed_cleanly = True
    except (ssl.SSLEOFError, ConnectionError):
        pass
    header, crlf, body = bytes(received).partition(b"\r\n")
    if not crlf:
        assert not received, f"an answer that is no Gemini: {bytes(received)!r}"
        return Reply(0, "", "", closed_cleanly)
    status, _, meta = header.decode().partition(" ")
    return Reply(int(status), meta, body.decode(), closed_cleanly)
