"""A process that asks a server for pages, one after the other: `python -m tests.bench.visitor`.

It does nothing more than it must, so that the server under measurement is what takes the time:
no threads, no timeouts of Python's (which cost a system call at each step), a TLS context made once
for each certificate, and the OpenSSL that `cryptography` brings, which is faster than that of
Python in most systems. Every request is a connection of its own, with a full TLS handshake on
P-256: no session is kept.

Orders come as lines of JSON on standard input, and each is answered by a line on standard output.
First comes an `Order`, which is answered when everything is ready; then the time at which to begin,
on the monotonic clock, which all processes of a machine share. The answer to that is a `Report`.
"""

import json
import os
import socket
import struct
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from OpenSSL import SSL

TIMEOUT = struct.pack("ll", 30, 0)
"""The time after which a silent server is given up, in the form that the system takes."""

FRESH = -1
"""In place of a certificate's number: a certificate and a key made for this request alone."""


class Order(NamedTuple):
    """A request of a visitor.

    Each of the `certificates` is the files of a certificate and its key, or None. Each of the
    `requests` is a path, the number of a certificate among those, or `FRESH`, and the status that
    the answer is to have. `due` tells for each request how many seconds after the beginning it
    should begin, and its time counts from then, however late it does; without, each begins when the
    one before it has been answered. `cores` are those that this process may use; None for all.
    """

    port: int
    certificates: Sequence[tuple[str, str] | None]
    requests: Sequence[tuple[str, int, str]]
    due: Sequence[float] | None
    cores: Sequence[int] | None


class Report(NamedTuple):
    """The outcome of the requests; times are in seconds, `wrong` is a wrong answer, if any."""

    began: float
    ended: float
    processor: float
    taken: Sequence[float]
    wrong: str | None


def tls(files: tuple[str, str] | tuple[Path, Path] | None) -> SSL.Context:
    """Return what connects as a browser does, trusting any server; with a certificate if given."""
    context = _anyone()
    if files is not None:
        certificate, key = files
        context.use_certificate_file(os.fspath(certificate))
        context.use_privatekey_file(os.fspath(key))
    return context


def fresh() -> SSL.Context:
    """Return what connects with a certificate and a key that no server has seen."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "visitor")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
        .sign(key, hashes.SHA256())
    )
    context = _anyone()
    context.use_certificate(certificate)
    context.use_privatekey(key)
    return context


def _anyone() -> SSL.Context:
    context = SSL.Context(SSL.TLS_CLIENT_METHOD)
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    context.set_tmp_ecdh(ec.SECP256R1())
    return context


def ask(port: int, path: str, context: SSL.Context, source: str = "127.0.0.1") -> bytes:
    """Return a server's whole answer to a request from `source`, an address of this machine.

    Raises `OSError` or `SSL.Error`.
    """
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, TIMEOUT)
        plain.bind((source, 0))
        plain.connect(("127.0.0.1", port))
        connection = SSL.Connection(context, plain)
        connection.set_tlsext_host_name(b"localhost")
        connection.set_connect_state()
        connection.sendall(f"gemini://localhost:{port}{path}\r\n".encode())
        received = b""
        try:
            while True:
                received += connection.recv(65536)
        except SSL.ZeroReturnError:
            return received
        except SSL.SysCallError:
            # Not every server says that it has finished before it closes the connection.
            if not received:
                raise
            return received


def visit(order: Order, contexts: Sequence[SSL.Context], begin: float) -> Report:
    """Ask for everything that was ordered, and return what became of it."""
    taken, wrong = [], None
    used = time.process_time()
    time.sleep(max(0.0, begin - time.monotonic()))
    # Where requests are due at a time, all of them count from then, however late this one wakes.
    began = time.monotonic() if order.due is None else begin
    for number, (path, certificate, status) in enumerate(order.requests):
        since = time.monotonic()
        if order.due is not None:
            time.sleep(max(0.0, begin + order.due[number] - since))
            since = begin + order.due[number]
        try:
            context = fresh() if certificate == FRESH else contexts[certificate]
            answer = ask(order.port, path, context)
        except (OSError, SSL.Error) as error:
            answer = repr(error).encode()
        taken.append(time.monotonic() - since)
        if not answer.startswith(status.encode()):
            wrong = f"{path}: {answer[:200]!r}"
    return Report(began, time.monotonic(), time.process_time() - used, taken, wrong)


def main() -> None:
    """Carry out orders until there are no more."""
    everywhere = os.sched_getaffinity(0)
    known: dict[tuple[str, str] | None, SSL.Context] = {}
    for line in sys.stdin:
        order = Order(*json.loads(line))
        contexts = []
        for pair in order.certificates:
            files = (pair[0], pair[1]) if pair else None
            if files not in known:
                known[files] = tls(files)
            contexts.append(known[files])
        os.sched_setaffinity(0, everywhere if order.cores is None else order.cores)
        print("ready", flush=True)
        begin = float(sys.stdin.readline())
        print(json.dumps(visit(order, contexts, begin)), flush=True)


if __name__ == "__main__":
    main()
