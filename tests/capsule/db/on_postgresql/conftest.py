"""A server of PostgreSQL, which tests may stop and start again, and a capsule on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgresql
from tests.support.client import Client
from tests.support.postgresql import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgresql.lent_server() as made:
        yield made


@pytest.fixture
def database_url(server: Server, tmp_path: Path) -> Iterator[str]:
    name = postgresql.name_for(tmp_path)
    server.make_empty(name)
    yield server.url(name)
    server.drop_all()


@pytest.fixture
def client(tmp_path: Path, database_url: str) -> Iterator[Client]:
    made = Client(tmp_path, database_url=database_url)
    yield made
    made.database.close()
