"""Every page that links lead to from `/`, read by machines: indexes, browsers, screen readers."""

import json
import re
from collections import Counter
from collections.abc import Mapping

import feedparser
import pytest

from capsule.app import compiled_routes
from capsule.ui.routes import page_name
from tests.support.crawling import Crawl, Visit, kind_of
from tests.support.gemtext_rules import NARROW, WIDE, faults, lines_of
from tests.support.sentences import Counted
from tests.support.visitors import crawls_in

pytestmark = pytest.mark.slow

COMMANDS = {
    "/help/programs",
    "/help/certificates/amfora",
    "/help/certificates/openssl",
    "/play/me/certificates",
}
"""Pages with commands or a program to copy, whose lines nobody can break: 64 columns for all."""

KEYED = re.compile("/[a-z2-7]{26}/")
"""The part of an address by which a link acts, once."""

FOR_PROGRAMS = ("programs.", "lobby.pages.robots.robots", "lobby.pages.home.favicon")
"""The names of pages that programs ask for by what they know of them, not by a link."""


MEAN_WORDS, SHARE_OF_LONG, REPEATED = 11.5, 0.03, 6
"""The house style's limits of all sentences, as `tests/support/sentences.py` counts them."""


@pytest.fixture(scope="module", params=["small", pytest.param("large", marks=pytest.mark.deep)])
def crawls(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob on a narrow screen."""
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
    found = {}
    for visit in crawls[visitor].pages():
        is_narrow = visitor == "bob" and visit.address not in COMMANDS
        page = visit.answer.body
        if KEYED.search(visit.address):
            # It may be too late for an action: the lines above the page say so.
            page = re.sub(r"\A[^\n#]+[.:]\n(> .+\n)?\n", "", page)
        wrong = faults(page, NARROW if is_narrow else WIDE)
        if visit.address.partition("?")[0].endswith("/share.gmi"):
            # It fits any gemlog: no line is wider than its board.
            wrong = [each for each in wrong if "a paragraph goes on on another line" not in each]
        if visit.address.endswith("/share") and is_narrow:
            # An address cannot be broken.
            wrong = [each for each in wrong if ": '=> gemini://" not in each]
        found[visit.address] = wrong
    assert not {address: wrong for address, wrong in found.items() if wrong}


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
