"""Servers for the tests of the wire."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from tests.support.wire.running import Running, running


class StartEcho(Protocol):
    """Starts `tests.support.wire.echo` with some of the settings of a server."""

    def __call__(self, **settings: object) -> AbstractContextManager[Running]: ...


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certs")


@pytest.fixture(scope="session")
def start_echo(certificates: Path) -> StartEcho:
    @contextmanager
    def start(**settings: object) -> Iterator[Running]:
        words = [f"{name}={value}" for name, value in settings.items()]
        host = "127.0.0.1" if settings.get("host") == "::" else settings.get("host", "127.0.0.1")
        command = [sys.executable, "-m", "tests.support.wire.echo", str(certificates), *words]
        with running(command, host=str(host)) as server:
            yield server

    return start


@pytest.fixture(scope="session")
def echo(start_echo: StartEcho) -> Iterator[Running]:
    """One server with the settings it comes with, which must still answer at the end."""
    with start_echo(rate=0) as server:
        yield server
        assert "ERROR A fault in the server" not in server.printed


@pytest.fixture(scope="session")
def home(echo: Running) -> str:
    """The root of the capsule at `echo`, without the final slash."""
    return echo.home
