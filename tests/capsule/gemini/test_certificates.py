"""The capsule's own certificate, and what visitors' certificates say."""

import logging
import os
import ssl
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from unittest.mock import Mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from capsule.gemini.certificates import (
    MAX_CERTIFICATES,
    CertificateError,
    ClientCertificates,
    ensure_server_certificate,
    read_client_certificate,
)
from capsule.gemini.types import Certificate
from tests.support.wire import identities

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


def made(folder: Path, hostname: str = "localhost") -> x509.Certificate:
    certificate, _ = ensure_server_certificate(folder, hostname, NOW)
    return x509.load_pem_x509_certificate(certificate.read_bytes())


def names(certificate: x509.Certificate) -> x509.SubjectAlternativeName:
    return certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def der(identity: identities.Identity) -> bytes:
    return ssl.PEM_cert_to_DER_cert(identity.certificate.read_text())


def test_the_first_start_makes_an_ecdsa_p_256_certificate_that_lasts(tmp_path: Path) -> None:
    certificate = made(tmp_path / "certs")
    key = certificate.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert key.curve.name == "secp256r1"
    assert names(certificate).get_values_for_type(x509.DNSName) == ["localhost"]
    assert certificate.not_valid_before_utc < NOW
    assert certificate.not_valid_after_utc > NOW + timedelta(days=19 * 365)


@pytest.mark.parametrize("number", ["192.0.2.1", "::1", "[2001:db8::1]"])
def test_a_host_that_is_a_number_is_named_as_an_ip_address(tmp_path: Path, number: str) -> None:
    found = names(made(tmp_path, number)).get_values_for_type(x509.IPAddress)
    assert found == [ip_address(number.strip("[]"))]


def test_an_international_host_is_named_in_ascii(tmp_path: Path) -> None:
    certificate = made(tmp_path, "Café.example.")
    assert names(certificate).get_values_for_type(x509.DNSName) == ["xn--caf-dma.example"]


def test_a_host_name_may_be_longer_than_a_common_name(tmp_path: Path) -> None:
    hostname = f"{'a' * 60}.{'b' * 60}.example"
    assert names(made(tmp_path, hostname)).get_values_for_type(x509.DNSName) == [hostname]


def test_what_is_no_host_name_gets_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="not a host name"):
        made(tmp_path, "a..b")


def test_browsers_can_verify_the_certificate_that_they_pinned(tmp_path: Path) -> None:
    certificate, key = ensure_server_certificate(tmp_path, "localhost", datetime.now(UTC))
    client = ssl.create_default_context(cafile=str(certificate))
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    ends = [(ssl.MemoryBIO(), ssl.MemoryBIO()) for _ in range(2)]
    browser = client.wrap_bio(ends[0][0], ends[0][1], server_hostname="localhost")
    capsule = server.wrap_bio(ends[0][1], ends[0][0], server_side=True)
    for side in (browser, capsule, browser, capsule):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert browser.getpeercert()


def test_the_key_is_for_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        _, key = ensure_server_certificate(tmp_path, "localhost", NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    paths = ensure_server_certificate(tmp_path, "localhost", NOW)
    before = [path.read_bytes() for path in paths]
    assert ensure_server_certificate(tmp_path, "localhost", NOW + timedelta(days=1)) == paths
    assert [path.read_bytes() for path in paths] == before
    assert {path.name for path in tmp_path.iterdir()} == {"cert.pem", "key.pem"}


def test_a_new_host_name_is_a_warning_and_not_a_new_certificate(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = made(tmp_path)
    assert not caplog.records
    assert made(tmp_path, "example.org") == before
    assert "not for the host example.org" in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_an_expired_certificate_is_a_warning_and_not_a_new_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = made(tmp_path)
    ensure_server_certificate(tmp_path, "localhost", NOW + timedelta(days=21 * 365))
    assert "valid from" in caplog.text
    assert made(tmp_path) == before


def test_an_operators_own_certificate_is_used_as_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    identity = identities.make(tmp_path, "own", key="rsa")
    identity.certificate.rename(tmp_path / "cert.pem")
    identity.key.rename(tmp_path / "key.pem")
    content = (tmp_path / "cert.pem").read_bytes()
    certificate, _ = ensure_server_certificate(tmp_path, "localhost", datetime.now(UTC))
    assert certificate.read_bytes() == content
    assert "not for the host localhost" in caplog.text


def test_a_start_that_was_cut_off_after_the_key_is_completed(tmp_path: Path) -> None:
    certificate, key = ensure_server_certificate(tmp_path, "localhost", NOW)
    content = key.read_bytes()
    certificate.unlink()
    ensure_server_certificate(tmp_path, "localhost", NOW)
    assert key.read_bytes() == content
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)


def test_a_certificate_without_its_key_is_not_replaced(tmp_path: Path) -> None:
    certificate, key = ensure_server_certificate(tmp_path, "localhost", NOW)
    content = certificate.read_bytes()
    key.unlink()
    with pytest.raises(CertificateError, match="has no key"):
        ensure_server_certificate(tmp_path, "localhost", NOW)
    assert certificate.read_bytes() == content
    assert not key.exists()


@pytest.mark.parametrize("name", ["cert.pem", "key.pem"])
def test_a_file_that_is_something_else_is_an_error(tmp_path: Path, name: str) -> None:
    ensure_server_certificate(tmp_path, "localhost", NOW)
    (tmp_path / "cert.pem").unlink()
    (tmp_path / name).write_text("Hello")
    with pytest.raises(CertificateError, match=rf"{name} is not"):
        ensure_server_certificate(tmp_path, "localhost", NOW)


def test_processes_that_start_at_once_share_one_pair(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as starts:
        paths = set(
            starts.map(lambda _: ensure_server_certificate(tmp_path, "localhost", NOW), range(16))
        )
    ((certificate, key),) = paths
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    assert {path.name for path in tmp_path.iterdir()} == {"cert.pem", "key.pem"}


@pytest.mark.parametrize("kind", ["ec", "rsa", "ed25519"])
def test_a_visitor_is_known_by_their_public_key(tmp_path: Path, kind: identities.Kind) -> None:
    alice = identities.make(tmp_path, "alice", key=kind)
    assert read_client_certificate(der(alice)) == Certificate(
        alice.fingerprint, "alice", alice.not_before, alice.not_after
    )


def test_a_renewed_certificate_is_the_same_visitor(tmp_path: Path) -> None:
    old = identities.make(tmp_path, "old")
    new = identities.make(tmp_path, "new", same_key_as=old)
    found = [read_client_certificate(der(identity)) for identity in (old, new)]
    assert found[0].fingerprint == found[1].fingerprint == old.fingerprint
    assert found[0].common_name != found[1].common_name


@pytest.mark.parametrize(
    ("common_name", "read"), [("", ""), ("Zoë", "Zoë"), ("a\nb", "a\nb"), ("x" * 64, "x" * 64)]
)
def test_a_common_name_is_what_is_written(tmp_path: Path, common_name: str, read: str) -> None:
    identity = identities.make(tmp_path, common_name=common_name)
    assert read_client_certificate(der(identity)).common_name == read


@pytest.mark.filterwarnings("ignore:Attribute's length")
def test_an_endless_common_name_is_cut(tmp_path: Path) -> None:
    identity = identities.make(tmp_path, common_name="x" * 5000)
    assert read_client_certificate(der(identity)).common_name == "x" * 64


def test_a_common_name_that_is_no_text_is_no_obstacle(tmp_path: Path) -> None:
    content = der(identities.make(tmp_path, common_name="abcd"))
    # A UTF8String that is no UTF-8.
    spoiled = content.replace(b"\x0c\x04abcd", b"\x0c\x04ab\xff\xff")
    assert spoiled != content
    assert read_client_certificate(spoiled).common_name == ""


def test_dates_are_read_and_not_judged(tmp_path: Path) -> None:
    begin, end = datetime(1960, 1, 1, tzinfo=UTC), datetime(1961, 1, 1, tzinfo=UTC)
    expired = identities.make(tmp_path, not_before=begin, not_after=end)
    certificate = read_client_certificate(der(expired))
    assert (certificate.not_before, certificate.not_after) == (begin, end)


def test_a_certificate_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for content in (b"", b"Hello", der(identities.make_unreadable(tmp_path))):
        with pytest.raises(CertificateError, match="cannot be read"):
            read_client_certificate(content)


def test_no_bytes_do_worse_than_to_be_unreadable(tmp_path: Path) -> None:
    content = der(identities.make(tmp_path))
    for place in range(len(content)):
        for value in (0x00, 0x7F, 0xFF, content[place] ^ 1):
            spoiled = content[:place] + bytes([value]) + content[place + 1 :]
            try:
                certificate = read_client_certificate(spoiled)
            except CertificateError:
                continue
            assert len(certificate.fingerprint) == 64
            assert certificate.not_before.tzinfo is UTC


def test_a_certificate_that_nobody_has_shown_for_long_is_read_again(tmp_path: Path) -> None:
    alice = read_client_certificate(der(identities.make(tmp_path, "alice")))
    read = Mock(return_value=alice)
    certificates = ClientCertificates(read)
    shown = [b"%d" % number for number in range(MAX_CERTIFICATES + 1)]
    for each in (*shown[:-1], shown[0], shown[-1], shown[0], shown[1]):
        certificates.read(each)
    assert [call.args for call in read.mock_calls] == [(each,) for each in (*shown, shown[1])]
