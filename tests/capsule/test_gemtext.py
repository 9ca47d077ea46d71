"""Every page that links lead to from `/`, read by machines: indexes, browsers, screen readers."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from itertools import takewhile

import feedparser
import pytest

from capsule.app import compiled_routes
from capsule.ui.routes import page_name
from tests.support.client import certificate, links
from tests.support.crawling import Crawl, Visit, kind_of, targets
from tests.support.gemtext import blocks, prose
from tests.support.gemtext_rules import lines_of
from tests.support.linking import PHONE
from tests.support.sentences import Counted
from tests.support.stored import everything
from tests.support.stories import ALICE
from tests.support.visitors import KEYED, crawls_in, faults_of

pytestmark = pytest.mark.slow

RULER = re.compile(r" *[a-z]+( +[a-z]+)*| *[0-9]+  +\S.*")
"""A row of a board that is, or begins with, a ruler."""

FOR_PROGRAMS = ("programs.", "lobby.pages.robots.robots", "lobby.pages.home.favicon")
"""The names of pages that programs ask for by what they know of them, not by a link."""


MEAN_WORDS, SHARE_OF_LONG, REPEATED = 11.5, 0.03, 6
"""The house style's limits of all sentences, as `tests/support/sentences.py` counts them."""


@pytest.fixture(scope="module", params=["small", pytest.param("large", marks=pytest.mark.deep)])
def crawls(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob with all settings changed."""
    return crawls_in(tmp_path_factory.mktemp("crawled"), request.param)


def all_visits(crawls: Mapping[str, Crawl]) -> list[Visit]:
    return [visit for crawl in crawls.values() for visit in crawl.visits]


@pytest.mark.parametrize("visitor", ["stranger", "newcomer", "alice", "bob"])
def test_every_link_is_answered(crawls: Mapping[str, Crawl], visitor: str) -> None:
    asks = 60 if visitor == "stranger" else 20
    for visit in crawls[visitor].visits:
        path, status = visit.address.partition("?")[0], visit.answer.status
        allowed = {20, 30, asks} if path == "/play/" else {10, 20, 30}
        if path.endswith("/link"):
            # A code is a secret, and not shown while it is typed; players have nothing to link.
            allowed = {11, 20, 30}
        assert status in allowed, (visit.address, visit.linked_from, visit.answer)


@pytest.mark.parametrize("visitor", ["stranger", "newcomer", "alice", "bob"])
def test_every_page_is_as_the_specification_wants_it(
    crawls: Mapping[str, Crawl], visitor: str
) -> None:
    found = {
        visit.address: faults_of(crawls[visitor], visit, is_narrow=visitor == "bob")
        for visit in crawls[visitor].pages()
    }
    assert not {address: wrong for address, wrong in found.items() if wrong}


# With settings


def pages_with_settings(crawl: Crawl) -> Mapping[str, str]:
    """Return the pages of somebody who had changed settings: in the end, the crawl acts on them."""
    before = takewhile(lambda visit: not KEYED.search(visit.address), crawl.visits)
    return {visit.address: visit.answer.body for visit in before if visit.is_gemtext}


def test_boards_have_no_rulers_and_are_drawn_in_unicode_for_who_wants_that(
    crawls: Mapping[str, Crawl],
) -> None:
    boards = [
        (path, row)
        for path, page in pages_with_settings(crawls["bob"]).items()
        for block in blocks(page)
        if re.search("board|grid", block.title, re.IGNORECASE)
        for row in block.rows
    ]
    assert len(boards) > 1000
    for path, row in boards:
        assert not set(row) & set("~.'()|\\/<>^"), (path, row)
        assert not re.search("--|->", row), (path, row)
        assert not RULER.fullmatch(row), (path, row)


def test_times_are_those_of_the_readers_zone(crawls: Mapping[str, Crawl]) -> None:
    # Feeds keep to UTC, and so does what ends at midnight for everybody.
    in_utc = re.compile(r"/feed\b|^(/play)?/(daily|cups|everyone)/|/me/settings$|^/help/$")
    pages = pages_with_settings(crawls["bob"])
    assert sum(" IST" in page for page in pages.values()) > 30
    for path, page in pages.items():
        words = re.sub(r"^=> \S+", "", prose(page), flags=re.MULTILINE)
        assert in_utc.search(path) or not re.search(r"\bUTC\b", words), path


def test_the_words_come_first_on_every_page_of_a_game(crawls: Mapping[str, Crawl]) -> None:
    for path, page in pages_with_settings(crawls["bob"]).items():
        if re.fullmatch("/play/[a-z2-7]{10}(/[0-9]+)?", path):
            before, _, _ = page.partition("```")
            last = before.strip().splitlines()[-1]
            assert last.endswith(".")
            assert not last.startswith(("# ", "=> ", "Your turn."))


def test_both_certificates_of_a_player_get_the_same_pages(crawls: Mapping[str, Crawl]) -> None:
    client = crawls["alice"].client
    one_of_each = {visit.route: visit.address for visit in crawls["alice"].pages()}
    shown = 0
    for address in one_of_each.values():
        if not (KEYED.search(address) or address.startswith("/play/me/")):
            assert client.ask(address, ALICE) == client.ask(address, PHONE), address
            shown += 1
    assert shown > 80


# For machines


def test_sentences_are_short_and_said_once(crawls: Mapping[str, Crawl]) -> None:
    """If this fails, `python -m tests.bench.sentences` prints the sentences to mend."""
    counted = Counted.of(all_visits(crawls))
    figures = f"{counted.mean:.1f} words, {counted.share_of_long:.1%} long"
    assert counted.mean <= MEAN_WORDS, figures
    assert counted.share_of_long <= SHARE_OF_LONG, figures
    assert len(counted.repeated()) <= REPEATED, counted.repeated()


def test_prompts_and_redirects_keep_to_one_short_line(crawls: Mapping[str, Crawl]) -> None:
    asked = [visit for visit in all_visits(crawls) if visit.answer.status != 20]
    for visit in asked:
        meta = visit.answer.meta
        assert meta.isprintable(), visit
        assert meta == meta.strip(), visit
        assert 0 < len(meta.encode()) <= 1024, visit
        assert not meta.endswith(":"), "some browsers add one"
    assert {visit.answer.status for visit in asked} >= {10, 30, 60}


def test_feeds_can_be_subscribed_to(crawls: Mapping[str, Crawl]) -> None:
    forms = Counter[str]()
    for visit in all_visits(crawls):
        if visit.route is None or "form" not in visit.route.pattern.groupindex:
            continue
        if visit.answer.meta.startswith("/play/?"):
            # What a reader shares with their own tries is for those who are signed in.
            continue
        path = visit.address.partition("?")[0]
        forms[path[-4:] if path.endswith(".xml") else "page"] += 1
        if path.endswith(".xml"):
            feed = feedparser.parse(visit.answer.body.encode())
            assert not feed.bozo, (visit.address, feed.get("bozo_exception"))
            assert feed.version == "atom10"
            assert feed.feed.title
            assert all(entry.id and entry.title and entry.updated for entry in feed.entries)
        else:
            assert visit.is_gemtext
            assert [line.text for line in lines_of(visit.answer.body) if line.kind == "heading"]
    assert min(forms["page"], forms[".xml"]) >= 10


def test_what_is_no_page_is_what_its_type_says(crawls: Mapping[str, Crawl]) -> None:
    kinds = Counter[str]()
    for visit in all_visits(crawls):
        kind = visit.answer.meta.partition(";")[0]
        if visit.answer.status != 20 or visit.is_gemtext:
            continue
        kinds[kind] += 1
        if kind == "application/json":
            json.loads(visit.answer.body)
    assert set(kinds) <= {"application/json", "application/atom+xml", "text/plain", "text/csv"}


def test_every_route_is_reached_by_links(crawls: Mapping[str, Crawl]) -> None:
    """Whatever a feature adds is read from the day it lands, or is linked from nowhere."""
    visits = all_visits(crawls)
    reached = {visit.route.pattern.pattern for visit in visits if visit.route}
    linked = {
        route.pattern.pattern
        for route in compiled_routes()
        if not page_name(route.page).startswith(FOR_PROGRAMS)
    }
    for kind, number in sorted(Counter(kind_of(v.address, v.route) for v in visits).items()):
        print(f"{number:5} {kind}")
    assert sorted(linked - reached) == []


def test_a_visitor_without_a_certificate_is_given_no_key(crawls: Mapping[str, Crawl]) -> None:
    keyed = {
        (visit.address, found)
        for visit in crawls["stranger"].pages()
        for found in targets(visit)
        if KEYED.search(found) and not KEYED.search(visit.address)
    }
    assert not keyed


def test_nothing_is_stored_of_those_who_only_read(crawls: Mapping[str, Crawl]) -> None:
    client = crawls["stranger"].client
    addresses = {
        visit.route: visit.address
        for visit in crawls["stranger"].visits
        if visit.route is not None and not KEYED.search(visit.address)
    }
    before, home = everything(client), client.get("/")
    for who in (None, certificate("reader")):
        for address in addresses.values():
            client.ask(address, who)
    assert everything(client) == before
    client.restart()
    assert client.get("/") == home, "nor does any page tell of them"


@pytest.mark.parametrize("public", ["/everyone/", "/cups/", "/daily/2027-01-20/share"])
def test_a_public_page_leads_to_its_twin_which_wants_a_certificate(
    crawls: Mapping[str, Crawl], public: str
) -> None:
    client, twin = crawls["stranger"].client, f"/play{public}"
    assert twin in links(client.get(public)).values()
    assert client.ask(twin).meta == f"/play/?{public.removeprefix('/')}"
    assert client.get(twin, ALICE).startswith("# ")


def test_what_is_not_there_is_not_found(crawls: Mapping[str, Crawl]) -> None:
    for path in (
        *("/everyone/0", "/everyone/99", "/everyone/01", "/everyone/x", "/everyone/1/feed"),
        *("/cups/2026-01", "/cups/2027-13", "/season/2026-13", "/season/1999-01"),
        *("/daily/2027-02-24/share", "/daily/2027-13-01/share.gmi", "/news/1"),
        *("/play/aaaaaaaaaa/comments", "/play/aaaaaaaaaa/share"),
    ):
        assert crawls["stranger"].client.ask(path).status == 51, path
