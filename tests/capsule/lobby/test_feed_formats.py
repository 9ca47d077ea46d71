"""The parts of a feed, as a page to subscribe to and as Atom."""

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from capsule.ui import render
from capsule.ui.atom import Entry, Feed, FeedKind, to_atom
from engine import message
from tests.support.client import BEGINNING, Client, links
from tests.support.feeds import (
    ATOM,
    ORIGIN,
    addresses,
    atom_entries,
    entries,
    every_feed,
    private_feed,
)
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play

HOUR = timedelta(hours=1)


# What a feed is made of


def test_gemsub_pages_keep_its_rules(client: Client) -> None:
    for path in every_feed(client):
        answer = client.ask(path)
        assert (answer.status, answer.meta) == (20, "text/gemini; charset=utf-8; lang=en")
        assert re.fullmatch("# .+", answer.body.splitlines()[0]), "the title of the feed"
        assert len(re.findall("^#", answer.body, re.MULTILINE)) == 1
        dated = [label for label in links(answer.body) if re.match(r"\d{4}-\d\d-\d\d", label)]
        assert dated, path
        assert all(label.startswith("2026-11-20 - ") for label in dated)
        assert [url for label, url in links(answer.body).items() if label in dated] == addresses(
            client, path
        )


def test_atom_feeds_have_what_the_specification_asks_for(client: Client) -> None:
    for path in every_feed(client):
        answer = client.ask(f"{path}.xml")
        assert (answer.status, answer.meta) == (20, "application/atom+xml; charset=utf-8")
        root = ET.fromstring(answer.body)
        assert root.tag == f"{ATOM}feed"
        assert one(root, "id") == f"{ORIGIN}{path}.xml"
        assert one(root, "title")
        assert one(root.find(f"{ATOM}author"), "name") == "Oxonaut"
        assert link_of(root, "self") == f"{ORIGIN}{path}.xml"
        assert link_of(root, "alternate") == f"{ORIGIN}{path}"
        found = root.findall(f"{ATOM}entry")
        times = [date(one(entry, "updated")) for entry in found]
        assert date(one(root, "updated")) == max(times)
        assert times == sorted(times, reverse=True)
        for entry in found:
            assert one(entry, "title")
            assert one(entry, "id").startswith(f"{ORIGIN}/play/")
            assert link_of(entry, "alternate").startswith(f"{ORIGIN}/play/")
        assert len({one(entry, "id") for entry in found}) == len(found) > 0
        assert len({link_of(entry, "alternate") for entry in found}) == len(found)


def one(element: ET.Element | None, name: str) -> str:
    """Return the text of an element's only child of that name."""
    assert element is not None
    (child,) = element.findall(f"{ATOM}{name}")
    assert child.text
    return child.text


def link_of(element: ET.Element, relation: str) -> str:
    """Return the absolute address of an element's only link of a relation."""
    (found,) = (each for each in element.findall(f"{ATOM}link") if each.get("rel") == relation)
    address = found.get("href", "")
    assert urlsplit(address).scheme == "gemini"
    assert urlsplit(address).netloc == "localhost"
    return address


def date(written: str) -> datetime:
    """Return a date as RFC 3339 has it: with seconds and a zone."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", written)
    return datetime.fromisoformat(written)


def test_an_event_keeps_its_address_and_shares_it_with_none(client: Client) -> None:
    url = open_game(client, "tinc")
    paths = ["/feed", f"{url}/feed", private_feed(client, ALICE), private_feed(client, BOB)]
    known: dict[str, dict[str, str]] = {path: {} for path in paths}
    for move in WON_GAMES["tinc"].split():
        client.now += HOUR
        play(client, url, [move], ALICE, BOB)
        for path in paths:
            found = list(zip(addresses(client, path), entries(client, path), strict=True))
            assert len({address for address, _ in found}) == len(found)
            assert known[path].items() <= dict(found).items(), "what was told stays as it was"
            known[path] = dict(found)


def test_a_feed_changes_only_when_something_happens(client: Client) -> None:
    before = {path: client.get(f"{path}.xml") for path in every_feed(client)}
    client.now += 30 * HOUR
    client.restart()
    for path, feed in before.items():
        assert client.get(f"{path}.xml") == feed, path


def test_an_empty_feed_has_never_changed(client: Client) -> None:
    first = client.get("/feed.xml")
    client.now += HOUR
    assert client.get("/feed.xml") == first
    assert not atom_entries(client, "/feed.xml")
    assert "Nothing has happened yet." in client.get("/feed")


@pytest.mark.parametrize(
    "name", ["<b>&amp;</b>", "]]>", "\"'", "\x00\x1b\r\n=> x", "a\u2028b", "日本"]
)
def test_no_text_can_break_an_atom_feed(name: str) -> None:
    entry = Entry("/play/aaaaaaaaaa/0", BEGINNING, message("{name}", name=name))
    title = message("{name} plays", name=name)
    feed = Feed(FeedKind.PUBLIC_GAMES, "/feed", "/games/", title, [entry])
    root = ET.fromstring(to_atom(feed, ORIGIN))
    said = render.single_line(name)
    assert one(root, "title") == f"{said} plays"
    assert one(root.find(f"{ATOM}entry"), "title") == said
