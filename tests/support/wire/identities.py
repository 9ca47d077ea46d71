"""Client certificates of every kind that visitors bring."""

import hashlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

Kind = Literal["ec", "rsa", "weak rsa", "ed25519"]


@dataclass(frozen=True)
class Identity:
    """A certificate and its key in files, and the SHA-256 of the public key as the capsule sees it.

    `not_before` and `not_after` are to the second, as a certificate has them.
    """

    certificate: Path
    key: Path
    fingerprint: str
    not_before: datetime
    not_after: datetime


def make(
    folder: Path,
    name: str = "alice",
    *,
    key: Kind = "ec",
    not_before: datetime | None = None,
    not_after: datetime | None = None,
    common_name: str | None = None,
    same_key_as: Identity | None = None,
) -> Identity:
    """Make a self-signed certificate in `folder`, in files called after `name`.

    Its common name is `name`, unless another is given; "" leaves it out. It is valid from yesterday
    for a year, unless told otherwise. A renewed certificate has the `same_key_as` the old one.
    """
    private_key = _load_key(same_key_as) if same_key_as else _new_key(key)
    common_name = name if common_name is None else common_name
    now = datetime.now(UTC).replace(microsecond=0)
    not_before = not_before or now - timedelta(days=1)
    not_after = not_after or not_before + timedelta(days=365)
    subject = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, common_name, _validate=False)]
        if common_name
        else []
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(not_before)
        .not_valid_after(not_after)
        .sign(
            private_key,
            None if isinstance(private_key, ed25519.Ed25519PrivateKey) else hashes.SHA256(),
        )
    )
    certificate_path = folder / f"{name}.crt"
    key_path = folder / f"{name}.key"
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        private_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    public_key = private_key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    fingerprint = hashlib.sha256(public_key).hexdigest()
    return Identity(certificate_path, key_path, fingerprint, not_before, not_after)


def make_unreadable(folder: Path, name: str = "mallory") -> Identity:
    """Make a certificate that TLS takes and nobody can read: its dates name a thirteenth month."""
    begin, end = datetime(2031, 12, 24, tzinfo=UTC), datetime(2032, 12, 24, tzinfo=UTC)
    identity = make(folder, name, not_before=begin, not_after=end)
    certificate = ssl.PEM_cert_to_DER_cert(identity.certificate.read_text())
    spoiled = certificate.replace(b"311224", b"311324").replace(b"321224", b"321324")
    identity.certificate.write_text(ssl.DER_cert_to_PEM_cert(spoiled))
    return identity


def _load_key(identity: Identity) -> PrivateKey:
    key = serialization.load_pem_private_key(identity.key.read_bytes(), None)
    assert isinstance(
        key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey
    )
    return key


def _new_key(kind: Kind) -> PrivateKey:
    if kind == "rsa":
        return _rsa_key()
    if kind == "weak rsa":
        return rsa.generate_private_key(public_exponent=65537, key_size=1024)
    if kind == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    return ec.generate_private_key(ec.SECP256R1())


@cache
def _rsa_key() -> rsa.RSAPrivateKey:
    # One is enough: it takes a while to find.
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)
