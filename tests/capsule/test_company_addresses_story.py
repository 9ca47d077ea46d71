"""The addresses of pages about people and events: who reads them, and what they lead to."""

from collections.abc import Iterator

import pytest

from tests.support import full_capsule
from tests.support.client import Client, certificate, links
from tests.support.stored import everything
from tests.support.stories import ALICE

pytestmark = pytest.mark.slow

PAGES = (
    *("/news", "/season/", "/season/2027-01", "/cups/", "/cups/2027-01"),
    *("/everyone/", "/everyone/1", "/everyone/2", "/games/annotated", "/daily/2027-01-20/share"),
)
FEEDS = ("/news", "/cups", "/cups/2027-01", "/everyone", "/games/annotated")
"""The beginnings of the addresses of feeds."""

TWINS = {
    "/everyone/": "/play/everyone/",
    "/cups/": "/play/cups/",
    "/daily/2027-01-20/share": "/play/daily/2027-01-20/share",
}
"""The pages for their readers, by the public pages that lead there."""

STRANGER = certificate("stranger")

KEY_LENGTH = 26
"""The characters of a key."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A capsule in which something of every kind has happened."""
    client = Client(tmp_path_factory.mktemp("company"))
    full_capsule.fill(client)
    yield client
    client.database.close()


def game_of_everyones(client: Client) -> str:
    """Return the address of everyone's game among the games."""
    return links(client.get("/everyone/"))["All moves of this game, and more about it"]


def test_anyone_reads_them(full: Client) -> None:
    game = game_of_everyones(full)
    for path in (*PAGES, f"{game}/comments", f"{game}/share"):
        page = full.ask(path)
        assert (page.status, page.meta.split(";")[0]) == (20, "text/gemini"), path
        assert page.body.startswith("# "), path
    for path in (f"{game}/share.gmi", "/daily/2027-01-20/share.gmi"):
        shared = full.ask(path)
        assert (shared.status, shared.meta.split(";")[0]) == (20, "text/gemini")
        assert shared.body.splitlines()[-1].startswith("=> gemini://localhost/")


def test_each_feed_has_two_forms(full: Client) -> None:
    for path in FEEDS:
        assert full.get(f"{path}/feed").startswith("# ")
        atom = full.ask(f"{path}/feed.xml")
        assert (atom.status, atom.meta.split(";")[0]) == (20, "application/atom+xml"), path


def test_what_is_not_there_is_not_found(full: Client) -> None:
    for path in (
        *("/everyone/0", "/everyone/99", "/everyone/01", "/everyone/x", "/everyone/1/feed"),
        *("/cups/2026-01", "/cups/2027-13", "/season/2026-13", "/season/1999-01"),
        *("/daily/2027-02-24/share", "/daily/2027-13-01/share.gmi", "/news/1"),
        *("/play/aaaaaaaaaa/comments", "/play/aaaaaaaaaa/share"),
    ):
        assert full.ask(path).status == 51, path


def test_each_public_page_leads_to_its_twin_which_wants_a_certificate(full: Client) -> None:
    for public, twin in TWINS.items():
        assert twin in links(full.get(public)).values(), public
        assert full.ask(twin).meta == f"/play/?{twin.removeprefix('/play/')}"
        assert full.get(twin, ALICE).startswith("# ")


def test_nothing_is_stored_of_those_who_only_read(full: Client) -> None:
    game = game_of_everyones(full)
    pages = (*PAGES, *TWINS.values(), f"{game}/comments", f"{game}/share")
    feeds = tuple(f"{path}/feed" for path in FEEDS)
    before, home = everything(full), full.get("/")
    for who in (None, STRANGER):
        for path in (*pages, *feeds, "/players/alice", "/", "/players/"):
            full.ask(path, who)
    assert everything(full) == before
    full.restart()
    assert full.get("/") == home, "nor does any page tell of them"


def test_a_visitor_without_a_certificate_is_given_no_key(full: Client) -> None:
    game = game_of_everyones(full)
    for path in (*PAGES, f"{game}/comments", "/players/alice", f"{game}/share"):
        for url in links(full.get(path)).values():
            assert not any(len(part) == KEY_LENGTH for part in url.split("/")), (path, url)
