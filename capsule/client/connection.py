"""A Gemini client: one request at a time, trusting a server's first certificate."""

import hashlib
import json
import logging
import os
import socket
import ssl
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization

from capsule.gemini.certificates import certificate_builder, key_in_pem, new_key, write_new
from capsule.gemini.url import DEFAULT_PORT

PINS_FILE = "servers.json"
"""The name of the file with the servers' certificates: their SHA-256, by host and port."""

ANSWER_SECONDS = 60.0
"""Seconds until an answer must be whole: a capsule may think for a while before it answers."""

MAX_BYTES = 8 * 1024 * 1024
"""The longest answer that is read."""

MAX_META_BYTES = 1024
"""The longest META of the Gemini protocol."""


class NotReached(Exception):
    """The server could not be reached, or did not answer; it may answer later."""


class ServerNotTrusted(Exception):
    """The server's certificate has changed, or its record is unreadable; the text says more."""


class CapsuleAddressRefused(ValueError):
    """A text is not the address of a capsule; the message says why."""


@dataclass(frozen=True)
class GeminiResponse:
    """A response: a status of the Gemini protocol, its META, and a body, "" if there is none."""

    status: int
    meta: str
    body: str


class GeminiClient:
    """A client of one server, with its own certificate.

    `pins` is the file that records the servers' certificates.
    """

    def __init__(
        self,
        address: str,
        identity: Path,
        key: Path | None,
        pins: Path,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Get ready to ask the server at a gemini:// address.

        `identity` is a certificate in PEM, and `key` its key, None if that is in the same file. An
        answer has to be whole within `seconds`. Raises `CapsuleAddressRefused`, and `OSError` if
        the certificate cannot be used.
        """
        self.host, self.port = _host_and_port(address)
        self._pins = pins
        self._seconds = seconds
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        # Gemini trusts on first use: who signed a certificate, and for whom, is irrelevant.
        self._tls.check_hostname = False
        self._tls.verify_mode = ssl.CERT_NONE
        try:
            self._tls.load_cert_chain(identity, key)
        except OSError as error:
            files = identity if key is None else f"{identity} with the key {key}"
            raise OSError(f"The certificate {files} cannot be used: {error}") from error

    def ask(self, path: str) -> GeminiResponse:
        """Return the answer to a request for a path and query, percent-encoded.

        Raises `NotReached` or `ServerNotTrusted`.
        """
        place = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == DEFAULT_PORT else f":{self.port}"
        until = time.monotonic() + self._seconds
        try:
            with socket.create_connection((self.host, self.port), self._seconds) as plain:
                plain.settimeout(_left(until))
                with self._tls.wrap_socket(plain, server_hostname=self.host) as connection:
                    self._require_the_same(connection.getpeercert(binary_form=True) or b"")
                    connection.settimeout(_left(until))
                    connection.sendall(f"gemini://{place}{port}{path}\r\n".encode())
                    return _reply(_read(connection, until))
        except (OSError, ValueError) as error:
            raise NotReached(f"{type(error).__name__}: {error}") from error

    def _require_the_same(self, certificate: bytes) -> None:
        """Remember the server's certificate at first; raise `ServerNotTrusted` if it is another."""
        known = self._known()
        name, found = f"{self.host}:{self.port}", hashlib.sha256(certificate).hexdigest()
        if name not in known:
            # Even after a crash, the file is the old one or the new one.
            unfinished = self._pins.with_suffix(f".{os.getpid()}")
            unfinished.write_text(json.dumps({**known, name: found}, indent=1))
            unfinished.replace(self._pins)
        elif known[name] != found:
            raise ServerNotTrusted(
                f"{name} shows another certificate than at first. If its operator says that it was "
                f"replaced, take its line out of {self._pins}"
            )

    def _known(self) -> dict[str, str]:
        """Return the servers' certificates; raises `ServerNotTrusted`."""
        if not self._pins.exists():
            return {}
        try:
            known: dict[str, str] = dict(json.loads(self._pins.read_text()))
        except (OSError, ValueError, TypeError) as error:
            raise ServerNotTrusted(
                f"{self._pins}, the list of servers' certificates, cannot be read ({error}). Put "
                "back a copy of it, or take it away to trust the servers again"
            ) from error
        return known


def _left(until: float) -> float:
    """Return the seconds that are left; raises `TimeoutError` if none are."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the answer takes too long")
    return left


def _read(connection: ssl.SSLSocket, until: float) -> bytes:
    received = bytearray()
    while part := connection.recv(65536):
        received += part
        if len(received) > MAX_BYTES:
            raise ValueError(f"an answer of more than {MAX_BYTES} bytes")
        connection.settimeout(_left(until))
    return bytes(received)


def _reply(received: bytes) -> GeminiResponse:
    head, found, body = received.partition(b"\r\n")
    if not found or not head[:2].isdigit() or len(head) > len("20 ") + MAX_META_BYTES:
        raise ValueError("no answer of the Gemini protocol")
    return GeminiResponse(int(head[:2]), head[3:].decode(), body.decode())


def _host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of a capsule's address.

    >>> _host_and_port("gemini://example.org/"), _host_and_port("gemini://[::1]:2965")
    (('example.org', 1965), ('::1', 2965))
    """
    try:
        parts = urlsplit(address)
        if parts.scheme == "gemini" and parts.hostname:
            return parts.hostname, parts.port or DEFAULT_PORT
    except ValueError:
        pass
    raise CapsuleAddressRefused(
        f"{address} is not the address of a capsule, such as gemini://example.org/"
    )


MAX_LENGTH = 1000
"""Characters of a line that are printed."""


def printable(text: str) -> str:
    r"""Return one line of a text, with "?" in place of each unprintable character.

    >>> printable("\x1b[2J e5\nto\u202e move")
    '?[2J e5?to? move'
    """
    cut = text[: MAX_LENGTH - 1] + "…" if len(text) > MAX_LENGTH else text
    return "".join(character if character.isprintable() else "?" for character in cut)


class PrintableFormatter(logging.Formatter):
    """Formats each record as one printable line, and a traceback below it as it is."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line of a record."""
        return printable(super().formatMessage(record))


FILE = "identity.pem"
"""The name of the file with the key and its certificate."""


def ensure_identity(folder: Path, name: str, now: datetime) -> Path:
    """Return the file with a key and its certificate in PEM, made if there is none in the folder.

    `name` is the certificate's common name, MAX_COMMON_NAME_LENGTH characters at most, after which
    a capsule calls the player if it can; "" is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    if not path.exists():
        key = new_key()
        certificate = certificate_builder(key, name, now).sign(key, hashes.SHA256())
        write_new(path, key_in_pem(key) + certificate.public_bytes(serialization.Encoding.PEM))
    return path
