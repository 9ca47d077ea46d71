"""A program's certificate, and the server's that it trusts: the first, and no other."""

from __future__ import annotations

import json
import ssl
import stat
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from cryptography import x509

from capsule.client.connection import AddressRefused, Server
from capsule.client.identity import ensure_identity

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)


def test_the_identity_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = ensure_identity(tmp_path / "robot", "robby", NOW)
    made = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ensure_identity(tmp_path / "robot", "another", NOW) == path
    assert path.read_bytes() == made
    certificate = x509.load_pem_x509_certificate(made)
    assert certificate.subject.rfc4514_string() == "CN=robby"
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(path)


@pytest.mark.parametrize(
    "address", ["", "example.org", "https://example.org/", "gemini://[", "gemini://a:b/"]
)
def test_what_is_no_address_of_a_capsule_is_refused(tmp_path: Path, address: str) -> None:
    identity = ensure_identity(tmp_path, "", NOW)
    with pytest.raises(AddressRefused, match="is not the address of a capsule"):
        Server(address, identity, None, tmp_path / "servers.json")


def test_pins_are_by_host_and_port(tmp_path: Path) -> None:
    pins = tmp_path / "servers.json"
    pins.write_text(json.dumps({"localhost:1965": "abc"}))
    server = Server("gemini://localhost/", ensure_identity(tmp_path, "", NOW), None, pins)
    assert (server.host, server.port) == ("localhost", 1965)
