"""A game that many stories of games begin with."""

import pytest

from tests.support.client import Client
from tests.support.stories import start_between


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a new game of ultimate between alice, who is X, and bob."""
    return start_between(client, "ultimate")
