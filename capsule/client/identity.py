"""The certificate by which a program is known: made once, kept in a file, never replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes, serialization

from capsule.gemini.certificates import certificate_builder, key_in_pem, new_key, write_new

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

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
