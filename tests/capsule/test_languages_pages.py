"""Every page in Portuguese or Chinese, as its readers and their browsers read it."""

import re
from collections.abc import Mapping
from itertools import pairwise, takewhile
from urllib.parse import quote

import pytest

from capsule.languages.model import ENGLISH, LANGUAGES, Language
from tests.support.crawling import Crawl, kind_of, targets
from tests.support.gemtext_rules import lines_of
from tests.support.native_typing import english_in
from tests.support.visitors import COMMANDS, KEYED, crawls_in, faults_of

pytestmark = pytest.mark.slow

_SAME = (
    # By people and by the operator, and by a bot of the tests.
    "The capsule serves ``` since today",
    "The capsule serves…",
    "It turns ``` twice",
    "gemini://example.org and ``` (?:in a note|are text, too)",
    "(?:1: )?the best way to begin",
    "beware of the corners",
    "And another",
    "Well played; thank you!",
    "be kind(?: to \\w+)?",
    "An evening of tinc",
    "is the first of the legal moves",
    # Names, and quotes of programs and titles.
    "Theoretically Infinite Noughts and Crosses",
    "Math with Bad Drawings",
    "American Journal of Physics",
    "Journal of Recreational Mathematics",
    "“[^”]+”|「[^」]+」|〈[^〉]+〉|《[^》]+》",
    # What programs read and write.
    r'/\S+|[a-z]+=[\w,]+|"you"|your-name|out of time',
)

WRITTEN = re.compile("|".join(_SAME))
"""Words that are the same in every language."""

VISITORS = ("stranger", "newcomer", "alice", "bob")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, id=each.key, marks=[] if each.key == "zh" else pytest.mark.deep)
        for each in LANGUAGES.values()
        if each is not ENGLISH
    ],
)
def language(request: pytest.FixtureRequest) -> Language:
    return request.param


@pytest.fixture(scope="module")
def crawls(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob on a narrow screen."""
    return crawls_in(tmp_path_factory.mktemp("crawled"), "small", language)


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_link_is_answered(crawls: Mapping[str, Crawl], visitor: str) -> None:
    for visit in crawls[visitor].visits:
        asks = {60} if visitor == "stranger" and visit.address.startswith("/play/?") else set()
        assert visit.answer.status in {10, 11, 20, 30, *asks}, visit


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_page_is_as_the_specification_wants_it(
    crawls: Mapping[str, Crawl], language: Language, visitor: str
) -> None:
    found = {}
    for visit in crawls[visitor].pages():
        assert visit.answer.meta == language.gemtext, visit.address
        # A visitor's page of a game knows no player, and no settings.
        knows_bob = visitor == "bob" and not visit.address.startswith(f"{language.prefix}/play/")
        found[visit.address] = faults_of(crawls[visitor], visit, is_narrow=knows_bob)
    assert len(found) > 300
    assert not {address: wrong for address, wrong in found.items() if wrong}


BOARDS = re.compile("/board/|/play/[a-z2-7]{10}(?:/[0-9]+)?(?:[?]|$)")


@pytest.mark.parametrize("visitor", VISITORS)
def test_wide_characters_stand_in_the_last_column_of_tables_and_in_no_board(
    crawls: Mapping[str, Crawl], language: Language, visitor: str
) -> None:
    # The first row may be a head, with which nothing is aligned.
    rows = {
        (visit.address, line.text)
        for visit in crawls[visitor].pages()
        for before, line in pairwise(lines_of(visit.answer.body))
        if before.kind == line.kind == "row"
    }
    assert len(rows) > 1000
    # Fonts differ in how wide they draw them: what comes after is not where it should be.
    moved = {row for row in rows if re.search("[\u2e80-\uffef].*  +\\S", row[1])}
    drawn = {
        (address, row)
        for address, row in rows
        if BOARDS.match(address.removeprefix(language.prefix)) and not row.isascii()
    }
    assert not moved
    assert not drawn


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_sentence_is_english(crawls: Mapping[str, Crawl], visitor: str) -> None:
    found = {}
    for visit in crawls[visitor].visits:
        if visit.answer.status != 20:
            lines = [] if visit.answer.status == 30 else [visit.answer.meta]
        elif visit.is_gemtext:
            path = crawls[visitor].bare(visit.address).partition("?")[0]
            are_commands = path in COMMANDS
            lines = [
                line.text
                for line in lines_of(visit.answer.body)
                if not (line.kind == "row" and are_commands)
            ]
        else:
            lines = []
        found[visit.address] = [line for line in lines if english_in(WRITTEN.sub("", line))]
    assert not {address: lines for address, lines in found.items() if lines}


@pytest.mark.parametrize("visitor", VISITORS)
def test_links_stay_in_the_language(
    crawls: Mapping[str, Crawl], language: Language, visitor: str
) -> None:
    english = {
        (page.address, line.text)
        for page in crawls[visitor].pages()
        for line in lines_of(page.answer.body)
        if line.kind == "link" and _leads_away_from(language, line.text)
    }
    assert not english


def _leads_away_from(language: Language, link: str) -> bool:
    _, address, *label = link.split()
    # The first link of a page leads back to English.
    if not address.startswith("/") or label[-1:] in ([each.name] for each in LANGUAGES.values()):
        return False
    path = address.partition("?")[0]
    is_machines = path.endswith((".txt", ".json", ".csv"))
    # A private feed has one address, and its player's language.
    return not is_machines and not path.startswith((f"{language.prefix}/", "/play/", "/feed/"))


def test_whoever_is_new_is_led_on_in_the_language_alone(
    crawls: Mapping[str, Crawl], language: Language
) -> None:
    said = (f"/play/?{language.key}/", f";lang={language.key}/", f"lang={language.key}")
    left = set()
    # The crawl acts in the end, and who has acted is new no longer.
    for visit in takewhile(lambda each: not KEYED.search(each.address), crawls["newcomer"].visits):
        for found in targets(visit):
            is_machines = found.partition("?")[0].endswith((".json", ".txt"))
            # A visitor's page of a game leads to its reader's own seat first.
            is_seat = found == visit.address.partition("?")[0].removeprefix(language.prefix)
            below = found.startswith("/play/") and not (is_machines or is_seat)
            if below and not any(each in found for each in said):
                left.add((visit.address, found))
    assert not left


def test_entries_of_feeds_have_the_ids_of_english(
    crawls: Mapping[str, Crawl], language: Language
) -> None:
    crawl = crawls["stranger"]
    feeds = [v for v in crawl.visits if v.address.partition("?")[0].endswith(".xml")]
    assert len(feeds) > 10
    for visit in feeds:
        ids = []
        for address, tag in (
            (visit.address, language.tag),
            (visit.address.removeprefix(language.prefix), "en"),
        ):
            # Players have acted since the crawl.
            feed = crawl.client.ask(address).body
            assert f'xml:lang="{tag}"' in feed, address
            ids.append(re.findall("<id>(.*?)</id>", feed))
        assert ids[0] == ids[1], visit.address


def test_prompts_and_refusals_keep_to_one_short_line(crawls: Mapping[str, Crawl]) -> None:
    metas = {
        visit.answer.meta
        for crawl in crawls.values()
        for visit in crawl.visits
        if visit.answer.status not in {20, 30}
    }
    assert len(metas) > 30
    for meta in metas:
        assert meta.isprintable()
        assert meta == meta.strip()
        # Nor is any cut within a sentence.
        assert 0 < len(meta.encode()) <= 1024, meta
        assert not meta.endswith((":", "：", "…")), meta


@pytest.mark.parametrize("typed", ["(9)", "ﷺ" * 100, "格" * 280, "a\r\n20 text/gemini"])
def test_no_answer_to_what_is_typed_is_longer_or_in_english(
    crawls: Mapping[str, Crawl], typed: str
) -> None:
    crawl = crawls["alice"]
    prompts = {kind_of(v.address, v.route): v for v in crawl.visits if v.answer.status in (10, 11)}
    assert len(prompts) > 30
    for visit in prompts.values():
        answer = crawl.client.ask(f"{visit.address}?{quote(typed)}", crawl.who)
        assert len(answer.meta.encode()) <= 1024
        assert answer.meta.isprintable()
        if answer.status in (10, 11):
            assert not answer.meta.endswith("…"), visit
            assert not english_in(WRITTEN.sub("", answer.meta.replace("text/gemini", ""))), visit
