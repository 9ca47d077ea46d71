"""Client certificates on the wire: every kind arrives, with any signature and any dates."""

import json
import shutil
import socket
import ssl
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE
from tests.support.wire import identities
from tests.support.wire.connection import fetch, read_reply, tls_context
from tests.support.wire.running import Running

TLS_1_2, TLS_1_3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
BOTH = pytest.mark.parametrize("tls", [TLS_1_2, TLS_1_3], ids=["tls-1.2", "tls-1.3"])


@pytest.mark.parametrize("kind", ["ec", "rsa", "ed25519"])
@BOTH
def test_any_self_signed_certificate_arrives(
    echo: Running, home: str, tmp_path: Path, kind: identities.Kind, tls: ssl.TLSVersion
) -> None:
    alice = identities.make(tmp_path, "alice", key=kind)
    reply = fetch(f"{home}/", echo.address, alice, tls)
    assert reply.closed_cleanly
    assert json.loads(reply.body)["certificate"] == {
        "fingerprint": alice.fingerprint,
        "common_name": "alice",
        "not_before": alice.not_before.isoformat(),
        "not_after": alice.not_after.isoformat(),
    }


@pytest.mark.parametrize("year", [2000, 2090], ids=["expired", "not yet valid"])
@BOTH
def test_dates_are_for_the_capsule_to_judge(
    echo: Running, home: str, tmp_path: Path, year: int, tls: ssl.TLSVersion
) -> None:
    begin = datetime(year, 1, 1, tzinfo=UTC)
    identity = identities.make(tmp_path, not_before=begin)
    reply = fetch(f"{home}/", echo.address, identity, tls)
    assert json.loads(reply.body)["certificate"]["not_before"] == begin.isoformat()


def test_a_certificate_needs_no_name(echo: Running, home: str, tmp_path: Path) -> None:
    nobody = identities.make(tmp_path, common_name="")
    found = json.loads(fetch(f"{home}/", echo.address, nobody).body)["certificate"]
    assert (found["common_name"], found["fingerprint"]) == ("", nobody.fingerprint)


@BOTH
def test_a_certificate_that_cannot_be_read_gets_62_with_the_reason(
    echo: Running, home: str, tmp_path: Path, tls: ssl.TLSVersion
) -> None:
    mallory = identities.make_unreadable(tmp_path)
    reply = fetch(f"{home}/", echo.address, mallory, tls)
    assert reply == (62, "This certificate cannot be read. Please make a new one", "", True)


@BOTH
def test_certificates_are_seen_on_every_visit_of_a_browser_that_resumes_sessions(
    echo: Running, home: str, tmp_path: Path, tls: ssl.TLSVersion
) -> None:
    alice = identities.make(tmp_path)
    context = tls_context(alice, tls)
    session = None
    for _ in range(3):
        with (
            socket.create_connection(echo.address, timeout=PATIENCE) as plain,
            context.wrap_socket(plain, session=session) as connection,
        ):
            connection.sendall(f"{home}/\r\n".encode())
            found = json.loads(read_reply(connection).body)["certificate"]
            assert found["fingerprint"] == alice.fingerprint
            session = connection.session


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl command here")
@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_no_authorities_are_named_that_would_keep_browsers_from_offering_certificates(
    echo: Running, version: str
) -> None:
    host, port = echo.address
    seen = subprocess.run(
        ["openssl", "s_client", "-connect", f"{host}:{port}", version],
        input="Q\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    ).stdout
    assert "No client certificate CA names sent" in seen
    assert "Client Certificate Types" in seen or "Requested Signature Algorithms" in seen
