"""A capsule with mail."""

import pytest

from tests.support.client import Client
from tests.support.mail import Post


@pytest.fixture
def post(client: Client) -> Post:
    return Post(client)
