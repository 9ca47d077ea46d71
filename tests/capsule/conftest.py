"""A fresh capsule for each story."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.client import Client
from tests.support.console import Console
from tests.support.operator import Operator
from tests.support.stories import start_between
from tests.support.thinking import thinking_capsule


@pytest.fixture(autouse=True)
def log_of_this_test_alone() -> Iterator[None]:
    """Take back the log that a command has sent to the output of its test, which ends with it."""
    yield
    log = logging.getLogger()
    for handler in [each for each in log.handlers if type(each) is logging.StreamHandler]:
        log.removeHandler(handler)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def thinking(tmp_path: Path) -> Iterator[Client]:
    """A capsule with a bot process."""
    with thinking_capsule(tmp_path) as made:
        yield made


@pytest.fixture
def console(
    client: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Console:
    return Console(client, capsys, monkeypatch)


@pytest.fixture
def operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Operator:
    """The operator at the home of the capsule that a test has."""
    return Operator(tmp_path, capsys)


@pytest.fixture
def game(client: Client) -> str:
    """The URL of a game between alice and bob, with alice to move."""
    return start_between(client, "ultimate")
