"""Certificates: making the server's own, once, and reading those of visitors."""

import hashlib
import logging
import os
import ssl
import tempfile
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cachetools import LRUCache
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from capsule.gemini.types import Certificate

CERTIFICATE_FILE = "cert.pem"
KEY_FILE = "key.pem"

VALIDITY = timedelta(days=20 * 365 + 5)
"""Long, since browsers trust the first certificate that they see: a new one alarms visitors."""

MAX_COMMON_NAME_LENGTH = 64
"""The most characters that X.509 allows in a common name (RFC 5280, ub-common-name)."""

MAX_CERTIFICATES = 1000
"""Certificates that are remembered as read: most visitors come back soon."""

_log = logging.getLogger(__name__)


class CertificateError(ValueError):
    """A certificate that cannot be used; the message says why."""


def ensure_server_certificate(folder: Path, hostname: str, now: datetime) -> tuple[Path, Path]:
    """Return the paths of the server's certificate and key in `folder`, making them if missing.

    Existing files are never replaced: if the certificate is for another host or has expired, a
    warning is logged. Several processes may start at once; all get the same pair. Raises
    `CertificateError` if the certificate has no key or one of them cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    certificate_path, key_path = folder / CERTIFICATE_FILE, folder / KEY_FILE
    if certificate_path.exists() and not key_path.exists():
        raise CertificateError(
            f"{certificate_path} has no key: put {KEY_FILE} back beside it, or move it away"
        )
    if not key_path.exists():
        write_new(key_path, key_in_pem(new_key()))
    if not certificate_path.exists():
        write_new(certificate_path, _self_signed(key_path, hostname, now))
    warn_of_surprises(certificate_path, hostname, now)
    return certificate_path, key_path


def check_pair(certificate: Path, key: Path) -> None:
    """Check that a certificate and a key in PEM belong together and can be used for TLS.

    Raises `CertificateError` if not, and `OSError` if they cannot be read.
    """
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, _no_passphrase)
    except ssl.SSLError as error:
        flaw = _FLAWS.get(error.reason or "", "are no certificate and its key")
        raise CertificateError(f"{certificate} and {key} {flaw}") from error


def _no_passphrase() -> str:
    # Without this, OpenSSL would ask for one on the terminal.
    return ""


_FLAWS = {
    "EE_KEY_TOO_SMALL": "have too small a key: RSA needs 2048 bits or more",
    "CA_KEY_TOO_SMALL": "have too small a key in their chain: RSA needs 2048 bits or more",
    "CA_MD_TOO_WEAK": "have too weak a signature: it needs SHA-256 or better",
}
"""OpenSSL's reasons against a pair that fits but is too weak, and ours, after both files' names."""


def new_key() -> ec.EllipticCurvePrivateKey:
    """Return a new key of the kind that the server and its programs have."""
    return ec.generate_private_key(ec.SECP256R1())


def key_in_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a key in PEM, without a passphrase."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def certificate_builder(
    key: ec.EllipticCurvePrivateKey, common_name: str, now: datetime
) -> x509.CertificateBuilder:
    """Return the builder of a key's certificate to be signed with it; `common_name` may be ""."""
    subject = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, common_name)] if common_name else []
    )
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # The clock of the other side may be a little slow.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALIDITY)
    )


_OTHER_USAGES = (
    "content_commitment key_encipherment data_encipherment key_agreement key_cert_sign crl_sign "
    "encipher_only decipher_only"
).split()
"""The usages that X.509 knows, except the one that the server's certificate is for."""


def _self_signed(key_path: Path, hostname: str, now: datetime) -> bytes:
    try:
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{key_path} is not a private key in PEM") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CertificateError(f"{key_path} is not an ECDSA key: put its certificate beside it")
    name = _general_name(hostname)
    common_name = hostname if len(hostname) <= MAX_COMMON_NAME_LENGTH else ""
    usage = dict.fromkeys(_OTHER_USAGES, False)
    certificate = (
        certificate_builder(key, common_name, now)
        .add_extension(x509.SubjectAlternativeName([name]), critical=not common_name)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=True, **usage), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM)


def _general_name(hostname: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(hostname.strip("[]")))
    except ValueError:
        pass
    try:
        ascii_name = hostname.encode("idna").decode().lower().removesuffix(".")
        return x509.DNSName(ascii_name)
    except ValueError as error:
        raise CertificateError(f"{hostname!r} is not a host name") from error


def write_new(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all, unless there is one already.

    Only its owner can read it: mkstemp creates files with mode 0600.
    """
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            # Unlike a rename, a link never replaces a file that another process has written.
            os.link(temporary, path)
        except FileExistsError:
            return
        except OSError:
            # Some file systems do not support links.
            os.rename(temporary, path)  # noqa: PTH104 - the same call as the link above
            return
    finally:
        if os.path.exists(temporary):  # noqa: PTH110 - mkstemp's own name
            os.unlink(temporary)  # noqa: PTH108 - mkstemp's own name


def warn_of_surprises(path: Path, hostname: str, now: datetime) -> None:
    """Log a warning if the server's certificate is for another host or not valid now.

    Raises `CertificateError` if it cannot be read.
    """
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        names = x509.SubjectAlternativeName([])
    except ValueError as error:
        raise CertificateError(f"{path} is not a certificate in PEM") from error
    if _general_name(hostname) not in names:
        _log.warning(
            "%s is not for the host %s. It is kept, since browsers know it", path, hostname
        )
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        _log.warning(
            "%s is valid from %s to %s only. Browsers may refuse it",
            path,
            certificate.not_valid_before_utc.date(),
            certificate.not_valid_after_utc.date(),
        )


def read_client_certificate(der: bytes) -> Certificate:
    """Return the contents of a visitor's certificate, given in DER; its signature is not checked.

    Nor are its dates. Raises `CertificateError` if it cannot be read. A name that cannot be read is
    ignored, since the public key identifies the player.
    """
    try:
        with warnings.catch_warnings():
            # Warnings about an odd serial number or an overlong name concern the visitor alone.
            warnings.simplefilter("ignore")
            return _read(x509.load_der_x509_certificate(der))
    except (ValueError, TypeError, x509.InvalidVersion, UnsupportedAlgorithm) as error:
        raise CertificateError("This certificate cannot be read. Please make a new one") from error


class ClientCertificates:
    """Visitors' certificates as read: the last `MAX_CERTIFICATES`, by their digests.

    A certificate may have 90 kB, most of which nobody needs again. `read` reads one that is new.
    """

    def __init__(self, read: Callable[[bytes], Certificate] = read_client_certificate) -> None:
        self._read = read
        self._known: LRUCache[bytes, Certificate] = LRUCache(MAX_CERTIFICATES)

    def read(self, der: bytes) -> Certificate:
        """Return the contents of a certificate; raises `CertificateError` if it cannot be read."""
        digest = hashlib.sha256(der).digest()
        known = self._known.get(digest)
        if known is None:
            known = self._known[digest] = self._read(der)
        return known


def _read(certificate: x509.Certificate) -> Certificate:
    public_key = certificate.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return Certificate(
        fingerprint=hashlib.sha256(public_key).hexdigest(),
        common_name=_common_name(certificate),
        not_before=certificate.not_valid_before_utc,
        not_after=certificate.not_valid_after_utc,
    )


def _common_name(certificate: x509.Certificate) -> str:
    try:
        names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    except ValueError:
        return ""
    value = names[0].value if names else ""
    return value[:MAX_COMMON_NAME_LENGTH] if isinstance(value, str) else ""
