"""A capsule with mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.mail import Post

if TYPE_CHECKING:
    from tests.support.client import Client


@pytest.fixture
def post(client: Client) -> Post:
    return Post(client)
