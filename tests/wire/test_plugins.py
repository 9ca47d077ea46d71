"""A plug-in named in oxonaut.toml is served, and its bots play."""

import json
from pathlib import Path

import pytest

from engine.boards.grid import NINE
from tests.support.client import link, links
from tests.support.waiting import wait_until
from tests.support.wire.browser import Browser
from tests.support.wire.identities import make
from tests.support.wire.running import running, serving

pytestmark = pytest.mark.slow


def test_a_plugin_from_the_settings_file_is_played_against_a_bot(tmp_path: Path) -> None:
    # With two workers, the processes that answer are not the one that loads the settings.
    settings = 'plugins = ["tests.support.noughts"]\nbot_processes = 1\nworkers = 2\n'
    (tmp_path / "oxonaut.toml").write_text(settings)
    with running(serving(tmp_path)) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        assert "Noughts and Crosses" in alice.get("/rules/")
        assert "Three of your marks in a row" in alice.get("/rules/noughts")
        game = alice.ask(link(alice.get("/play/new/noughts"), "/bot-novice")).meta
        move = next(label for label in links(alice.get(game)) if label in NINE)
        alice.move(game, move)
        wait_until(lambda: len(json.loads(alice.get(f"{game}/record.json"))["moves"]) >= 2)
