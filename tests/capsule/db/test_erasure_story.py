"""Erased data is gone from the disk and from the write-ahead log when the page says so."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from capsule.db import database
from capsule.db.database import Database
from capsule.processes import housekeeping
from tests.support.client import Client, context_of, link
from tests.support.console import Console
from tests.support.stories import ALICE, BOB, CAROL, play, start_between

pytestmark = pytest.mark.sqlite

WORDS = "words that nobody else writes"


def files(client: Client) -> bytes:
    """Return all that is on the disk while the capsule goes on."""
    names = ("oxonaut.db", "oxonaut.db-wal")
    return b"".join((client.home / name).read_bytes() for name in names)


def is_on_disk(client: Client) -> bool:
    return WORDS.encode() in files(client)


def say(client: Client) -> str:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "b1"], ALICE, BOB)
    client.type(link(client.get(url, ALICE), "/say"), WORDS, ALICE)
    client.type(link(client.get(f"{url}/more", ALICE), "/note"), WORDS, ALICE)
    assert is_on_disk(client)
    return url


def erase_oneself(client: Client, _console: Console) -> None:
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)


def be_erased(_client: Client, console: Console) -> None:
    console.admin("erase alice --yes")


@pytest.mark.parametrize("erase", [erase_oneself, be_erased])
def test_who_is_erased_leaves_no_word_on_the_disk(
    client: Client, console: Console, erase: Callable[[Client, Console], None]
) -> None:
    say(client)
    with client.database.reading():
        pass
    erase(client, console)
    assert not is_on_disk(client)
    assert b"alice" not in files(client)


def test_a_message_that_was_removed_leaves_no_word_on_the_disk(
    client: Client, console: Console
) -> None:
    url = start_between(client, "tinc")
    client.type(link(client.get(url, ALICE), "/say"), WORDS, ALICE)
    assert is_on_disk(client)
    console.admin("remove-message 1 rude")
    assert not is_on_disk(client)


def test_notes_that_were_cleared_leave_no_word_on_the_disk(client: Client) -> None:
    url = start_between(client, "tinc")
    client.type(link(client.get(f"{url}/more", ALICE), "/note"), WORDS, ALICE)
    assert is_on_disk(client)
    client.type(link(client.get(f"{url}/more", ALICE), "/clear"), "clear", ALICE)
    assert not is_on_disk(client)


def sweep(client: Client) -> None:
    housekeeping.sweep(context_of(client), logging.getLogger("oxonaut.test"))


def test_where_somebody_reads_on_it_is_done_once_they_have_read(
    client: Client,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(database, "CHECKPOINT_PATIENCE", 0.1)
    say(client)
    with closing(sqlite3.connect(client.home / "oxonaut.db")) as reader:
        reader.isolation_level = None
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        erase_oneself(client, console)
        assert is_on_disk(client), "it cannot be helped yet"
        assert "leaves the disk once nobody reads" in console.admin("erase bob --yes")
        sweep(client)
        assert "somebody has long been reading an older state" in caplog.text
        # Others go on meanwhile.
        start_between(client, "tinc", CAROL, BOB)
        reader.execute("ROLLBACK")
    caplog.clear()
    sweep(client)
    assert not caplog.text
    assert not is_on_disk(client)
    before = files(client)
    assert client.database.checkpoint()
    assert files(client) == before, "there is nothing to do any more"


def test_a_sweep_completes_what_a_process_could_not(
    client: Client, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(client)
    # As if the process were killed between the erasure and what follows it.
    monkeypatch.setattr(Database, "checkpoint", lambda _: False)
    erase_oneself(client, console)
    monkeypatch.undo()
    assert is_on_disk(client)
    sweep(client)
    assert not is_on_disk(client)
