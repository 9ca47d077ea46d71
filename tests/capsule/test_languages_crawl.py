"""All that a visitor in another language finds by links speaks that language, and is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capsule.ui.languages import PORTUGUESE
from tests.capsule.test_translation_story import words_left
from tests.support.choices import choose
from tests.support.client import Client, certificate
from tests.support.crawling import Crawl, Sample
from tests.support.full_capsule import OneHint, fill
from tests.support.gemtext_rules import lines_of
from tests.support.pseudo_translation import all_languages_offered
from tests.support.stories import ALICE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capsule.gemini.types import Certificate

VISITORS = ("stranger", "newcomer", "alice")


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Crawl]]:
    """Return what a stranger, somebody with a new certificate and a player find in Portuguese."""
    client = Client(tmp_path_factory.mktemp("portuguese"), bots=lambda _: OneHint())
    fill(client)

    def crawl(beginning: str, who: Certificate | None = None, *, is_known: bool = False) -> Crawl:
        few = Sample(3, 2, 2, 2)
        may_ask = (lambda _: True) if is_known else _keeps_language
        return Crawl(client, who, may_ask, few, PORTUGUESE).run(beginning)

    with all_languages_offered():
        client.forget_pages()
        choose(client, "language/pt")
        found = {
            "stranger": crawl("/pt/"),
            "newcomer": crawl("/play/?pt/", certificate("newcomer")),
            "alice": crawl("/play/", ALICE, is_known=True),
        }
    yield found
    client.database.close()


def _keeps_language(address: str) -> bool:
    """Return whether an address says its language; a visitor's first link of a game does not."""
    return address.startswith(("/pt/", "/play/?pt/")) or "lang=pt" in address


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_page_speaks_the_language(crawls: Mapping[str, Crawl], visitor: str) -> None:
    pages = [*crawls[visitor].pages()]
    assert len(pages) > 100
    assert not {page.address for page in pages if not page.answer.meta.endswith("lang=pt")}


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_word_is_left_in_english(crawls: Mapping[str, Crawl], visitor: str) -> None:
    left = {
        visit.address: words_left(visit.answer)
        for visit in crawls[visitor].visits
        if "/share.gmi" not in visit.address
    }
    assert not {address: lines for address, lines in left.items() if lines}


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_link_is_broken(crawls: Mapping[str, Crawl], visitor: str) -> None:
    broken = {
        visit.address: (visit.answer.status, visit.linked_from)
        for visit in crawls[visitor].visits
        if visit.answer.status not in {10, 11, 20, 30, 60}
    }
    assert not broken


@pytest.mark.parametrize("visitor", VISITORS)
def test_links_stay_in_the_language(crawls: Mapping[str, Crawl], visitor: str) -> None:
    english = {
        (page.address, line.text)
        for page in crawls[visitor].pages()
        for line in lines_of(page.answer.body)
        if line.kind == "link" and _leads_to_english(line.text)
    }
    assert not english


def _leads_to_english(link: str) -> bool:
    _, address, *label = link.split()
    if not address.startswith("/") or label[-1:] == ["English"] or "this game in English" in link:
        return False
    path = address.partition("?")[0]
    is_machines = path.endswith((".txt", ".json", ".csv"))
    # A private feed has one address, and its player's language.
    return not is_machines and not path.startswith(("/pt/", "/zh/", "/play/", "/feed/"))
