"""The certificate by which a program is known: made once, kept in a file, never replaced."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

FILE = "identity.pem"
"""The name of the file with the key and its certificate."""

LONGEST_NAME = 64
"""Characters of a common name at most (RFC 5280, ub-common-name)."""

VALIDITY = timedelta(days=20 * 365 + 5)


def ensure_identity(folder: Path, name: str, now: datetime) -> Path:
    """Return the file with a key and its certificate in PEM, made if there is none in the folder.

    `name` is the certificate's common name, LONGEST_NAME characters at most, after which a capsule
    calls the player if it can; "" is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    if path.exists():
        return path
    made = _new_identity(name, now)
    unfinished = path.with_suffix(f".{os.getpid()}")
    # Nobody else may read it, not even while it is being written.
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
    unfinished.rename(path)
    return path


def _new_identity(name: str, now: datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)] if name else [])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A capsule's clock may be late.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALIDITY)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
