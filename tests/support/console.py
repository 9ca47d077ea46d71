"""The operator's console, on the database of a capsule that keeps answering meanwhile."""

import shlex
from dataclasses import dataclass

import pytest

from capsule import app
from capsule.__main__ import main
from capsule.cli import admin
from tests.support.client import Client, certificate, link
from tests.support.stories import ALICE, start_between

EVE = certificate("eve")


@dataclass(frozen=True)
class Console:
    """The operator's console, at the time of the capsule's clock."""

    client: Client
    capsys: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch

    def admin(self, line: str) -> str:
        """Return what is printed after `oxonaut admin` with the rest of a command line."""
        status, printed, errors = self.try_admin(line)
        assert (status, errors) == (0, ""), errors
        return printed

    def refusal(self, line: str) -> str:
        """Return the sentence with which a command line is refused."""
        status, printed, errors = self.try_admin(line)
        assert (status, printed) == (1, "")
        assert errors.startswith("oxonaut: ")
        assert errors.endswith(".\n")
        return errors.removeprefix("oxonaut: ").removesuffix("\n")

    def try_admin(self, line: str) -> tuple[int, str, str]:
        """Return the exit status, what is printed and what is said of errors."""
        self.patch.setattr(admin, "now", lambda: self.client.now)
        self.patch.setattr(app, "running_time", lambda: self.client.running)
        self.capsys.readouterr()
        status = main(["admin", *where(self.client), *shlex.split(line)])
        printed, errors = self.capsys.readouterr()
        return status, printed, errors


def where(client: Client) -> list[str]:
    """Return the options that name a capsule's home and database to any command."""
    return ["--home", str(client.home), "--database", client.config.database_url]


def quarrel(client: Client, insult: str = "you cheat") -> str:
    """Let eve insult alice under a game, and alice report it; return the game's URL."""
    url = start_between(client, "tinc", ALICE, EVE)
    client.type(link(client.get(url, EVE), "/say"), insult, EVE)
    client.type(link(client.get(f"{url}/messages", ALICE), "/report"), "eve is rude", ALICE)
    return url
