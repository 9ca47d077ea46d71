"""A capsule with mail, and the certificate of a relay."""

from pathlib import Path

import pytest

from tests.support.client import Client
from tests.support.mail import Post
from tests.support.wire.mail_relay import certify


@pytest.fixture
def post(client: Client) -> Post:
    return Post(client)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate of localhost that everybody trusts."""
    made = certify(tmp_path / "relay")
    monkeypatch.setenv("SSL_CERT_FILE", str(made))
    return made
