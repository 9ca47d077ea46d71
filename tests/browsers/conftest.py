"""A capsule of its own for each journey, and browsers on tables side by side."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest

from tests.support.browsers.amfora import Amfora
from tests.support.browsers.browser import Browser
from tests.support.browsers.offpunk import Offpunk
from tests.support.browsers.terminal import TALL
from tests.support.wire.running import running, serving


class StartBrowser(Protocol):
    """Starts a browser for somebody who has never used it."""

    def __call__(self, window: tuple[int, int] = TALL) -> Browser: ...


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[str]:
    """The beginning of every address at a capsule that runs."""
    with running(serving(tmp_path / "capsule"), seconds=60) as server:
        yield server.home
        assert "Traceback" not in server.printed, server.printed


@pytest.fixture(params=[Amfora, Offpunk], ids=lambda kind: kind.name)
def start_browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StartBrowser]:
    """Start a browser of the kind that this journey is made with, as often as wanted."""
    kind: type[Browser] = request.param
    if missing := kind.missing():
        # Where everything has been installed, a journey that is not made is a failure.
        (pytest.fail if kind.is_required and os.environ.get("CI") else pytest.skip)(missing)
    with ExitStack() as tables:
        people = count(1)

        def start(window: tuple[int, int] = TALL) -> Browser:
            browser = kind(tmp_path / f"person {next(people)}", window)
            tables.callback(browser.close)
            return browser

        yield start
