"""Every word of every page, prompt and refusal can be translated: a crawl in a pseudo-language."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

import pytest

from capsule.accounts.model import NewsKind
from capsule.gemini.types import Certificate, Response
from capsule.languages.model import LANGUAGES
from capsule.learning.lessons.pages import lesson_in
from capsule.lobby.pages.players import MAX_OPPONENTS
from capsule.moderation import actions
from capsule.moderation.model import LineKind
from capsule.ratings.ladders import LadderPlace, LadderSection
from capsule.ratings.pages import query_of
from capsule.ui import render
from engine import VARIANTS
from engine.bots.levels import LEVELS, level_label
from tests.support.acting import operate
from tests.support.choices import FEED, HERE as SETTINGS, choose, choose_zone
from tests.support.client import Client, certificate, context_of, link, links
from tests.support.console import EVE, quarrel
from tests.support.conversation import act, block_in, ended_game, name_in_list, say, set_player
from tests.support.crawling import LARGE, Crawl, Sample, kind_of
from tests.support.full_capsule import WEBSITE, OneHint, fill
from tests.support.ladders import LADDER
from tests.support.linking import PHONE, devices_action, make_code, prompt_for
from tests.support.pseudo_translation import pseudo_translated, untranslated
from tests.support.results import rate, rate_many, result
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between
from tests.support.tournaments import HERE, act as act_in_tournament, announce, begin, games, resign

Requests = Iterator[tuple[str, Certificate | None]]

NEWCOMER = certificate("newcomer")

DESK = "/play/desk"
MANY = [f"p{number:03}" for number in range(120)]
NAMES = [
    *(name for variant in VARIANTS.values() for name in (variant.title, variant.name)),
    *("alice", "bob", "carol", "dave", "eve", "newcomer", "phone", "a former player", *MANY),
    *(f"{level_label(level)} bot" for level in LEVELS),
    *("An evening of tinc", "bob's Quantum", "alice's Ultimate", "alice's Numeric", "alice's Tinc"),
    *("Lagrange", "Amfora", "Kristall", "Elpher", "offpunk", "Astronomo"),
    *(language.name for language in LANGUAGES.values()),
    *(language.english_name for language in LANGUAGES.values()),
    *("Oxonaut", "UTC", "JSON", "CSV", "Atom", "ASCII", "Unicode", "localhost", WEBSITE),
]


def words_left(answer: Response) -> list[str]:
    """Return the lines of a page, a prompt or a refusal with words that nobody can translate."""
    if answer.status == 20:
        is_page = answer.meta.startswith("text/gemini")
        return untranslated(answer.body, NAMES) if is_page else []
    return [] if answer.status == 30 else untranslated(answer.meta, NAMES)


# What links lead to


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("small", marks=pytest.mark.slow),
        pytest.param("large", marks=pytest.mark.deep),
    ],
)
def crawls(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Crawl]]:
    """Return what a player finds, and with a large sample also a stranger and a newcomer."""
    client = Client(tmp_path_factory.mktemp("translated"), bots=lambda _: OneHint())
    fill(client)
    is_large = request.param == "large"
    samples = {"alice": LARGE if is_large else Sample(8, 2, 2, 2)}
    if is_large:
        samples |= dict.fromkeys(("stranger", "newcomer"), Sample(12))
    certificates = {"stranger": None, "newcomer": NEWCOMER, "alice": ALICE}
    with pseudo_translated():
        found = {
            visitor: Crawl(client, certificates[visitor], sample=sample).run()
            for visitor, sample in samples.items()
        }
    yield found
    client.database.close()


def test_every_word_that_links_lead_to_can_be_translated(crawls: Mapping[str, Crawl]) -> None:
    visits = [visit for crawl in crawls.values() for visit in crawl.visits]
    # Lines of a text to be pasted are wrapped, in the middle of the marks of this translation.
    whole = [each for each in visits if "/share.gmi" not in each.address]
    left = {
        # News on the first page are cut in the middle of the marks, too.
        visit.address: [
            each
            for each in words_left(visit.answer)
            if not (each.startswith("=> /news ") and each.endswith("…"))
        ]
        for visit in whole
    }
    assert not {address: lines for address, lines in left.items() if lines}


@pytest.mark.parametrize("typed", ["(9)", "alice", "9" * 600])
def test_every_answer_to_what_is_typed_can_be_translated(
    crawls: Mapping[str, Crawl], typed: str
) -> None:
    crawl = crawls["alice"]
    prompts = {kind_of(v.address, v.route): v for v in crawl.visits if v.answer.status in (10, 11)}
    assert len(prompts) > 30
    for visit in prompts.values():
        with pseudo_translated():
            answer = crawl.client.ask(f"{visit.address}?{typed}", crawl.who)
        assert not words_left(answer), visit


# What no link leads to in a capsule where all is well


def pages_before_anybody_has_come(_: Client) -> Requests:
    for path in ("/", "/games/", "/players/", LADDER, HERE):
        yield path, None


def answers_of_lessons(_: Client) -> Requests:
    for variant in VARIANTS:
        lesson = lesson_in(variant)
        assert lesson is not None
        for number, step in enumerate(lesson.steps, start=1):
            moves = lesson.position(step).legal_moves()
            answers = {step.judge(lesson.attempt(step, move)).words.text: move for move in moves}
            for move in answers.values():
                yield f"/rules/{variant}/try/{number}/answered?{render.query(move)}", None


def terms_of_a_game(client: Client) -> Requests:
    start(client, "numeric", "open", BOB)
    for terms in ("with=bob", "rated=no", "side=o&days=none&listed=yes", "side=draw&days=1"):
        yield f"/play/new/ultimate?{terms}", ALICE
    for agreed in ("rated=no", "days=none", "listed=yes"):
        offered = links(client.get(f"/play/new/ultimate?{agreed}", ALICE)).values()
        invite = next(url for url in offered if "/invite" in url)
        yield client.ask(invite, ALICE).meta, ALICE


def offers(client: Client) -> Requests:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    for path in (url, "/play/", DESK):
        yield path, ALICE
        yield path, BOB
    yield url, None


def time_and_rematches(client: Client) -> Requests:
    url = start_between(client, "ultimate")
    short = start_between(client, "quantum")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    shown = [(path, who) for path in (url, short, "/play/", DESK) for who in (ALICE, BOB)]
    client.now += timedelta(days=8)
    yield from shown
    client.now += timedelta(days=8)
    yield from shown
    client.get(link(client.get(url, BOB), "/rematch"), BOB)
    yield from shown
    client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    yield from shown
    yield url, None


def settings(client: Client) -> Requests:
    start(client, "tinc", "solo")
    choices = ["boards/unicode", "rulers/off", "words/first", "messages/off"]
    choose(client, *choices, *(f"news-{kind}/off" for kind in NewsKind))
    choose_zone(client, "Vienna")
    yield SETTINGS, ALICE
    yield FEED, ALICE


def the_operators_words(client: Client) -> Requests:
    quarrel(client)
    context = context_of(client)
    operate(actions.warn, context, "eve", "(9)")
    operate(actions.mute, context, "eve", 1, "(9)")
    operate(actions.remove_line, context, LineKind.MESSAGE, 1, "(9)")
    operate(actions.rename, context, "eve", "dave", "(9)", leads_on=True)
    yield "/play/", EVE


def second_certificates(client: Client) -> Requests:
    start(client, "tinc", "solo")
    code = make_code(client)
    prompt = prompt_for(client)
    yield prompt, PHONE
    yield "/play/me/code", ALICE
    client.ask(f"{prompt}?{code}", PHONE)
    yield "/play/me/code", PHONE
    yield devices_action(client, "link", PHONE), PHONE


def certificates_about_to_expire(client: Client) -> Requests:
    start(client, "tinc", "solo")
    client.now = ALICE.not_after - timedelta(days=3)
    for path in ("/play/", "/play/me/", "/play/me/certificates"):
        yield path, ALICE


def names_that_others_have(client: Client) -> Requests:
    start(client, "tinc", "open", BOB)
    for path in ("/play/", "/play/me/"):
        yield path, certificate("other", common_name="bob")


def long_ladders(client: Client) -> Requests:
    start(client, "tinc", "solo", ALICE)
    rate_many(client, "ultimate", {name: 2000 - number for number, name in enumerate(MANY)})
    rate(client, "ultimate", "alice", 1000)
    rate(client, "ultimate", "club bot", 1500)
    lower = query_of(LadderSection.RANKED, LadderPlace(25.0 + 470 / 30, 0, upwards=False))
    for path in (LADDER, f"{LADDER}?{lower}", "/players/find?p"):
        yield path, None
        yield path, ALICE


def long_profiles(client: Client) -> Requests:
    start(client, "tinc", "solo", ALICE)
    for name in MANY[: MAX_OPPONENTS + 2]:
        result(client, "alice", name, (1.0, 0.0))
    result(client, "alice", "club bot", (0.0, 1.0), "quantum")
    start(client, "tinc", "solo", BOB)
    result(client, "alice", "bob", (0.5, 0.5))
    client.type(link(client.get("/play/me/", BOB), "/erase"), "erase", BOB)
    rate(client, "ultimate", "alice", 1500)
    rate(client, "numeric", "alice", 1500, changed_at=client.now - timedelta(days=500))
    yield "/players/alice", None


def messages_that_are_not_taken(client: Client) -> Requests:
    url = ended_game(client)
    say(client, url, "(alice)", ALICE)
    shown = [(path, who) for path in (url, f"{url}/messages") for who in (ALICE, BOB)]
    for who in (ALICE, BOB):
        act(client, url, "show", who)
        yield from shown
    act(client, url, "hide", ALICE)
    yield from shown
    yield f"{url}/messages", None
    set_player(client, BOB, takes_messages=False)
    yield from shown
    set_player(client, BOB, takes_messages=True, silenced_until=client.now + timedelta(days=1))
    yield from shown
    act(client, url, "mute", ALICE)
    yield from shown
    block_in(client, url, BOB)
    yield from shown
    client.now += timedelta(days=31)
    yield from shown


def people_apart(client: Client) -> Requests:
    opened = [start(client, "ultimate", "open", who) for who in (ALICE, BOB, CAROL)]
    name_in_list(client, "mute", "carol", ALICE)
    block_in(client, start_between(client, "ultimate"), ALICE)
    for path in (*opened, "/play/me/people"):
        yield path, ALICE
        yield path, BOB


def reports(client: Client) -> Requests:
    url = start_between(client, "ultimate")
    prompt = link(client.get(f"{url}/messages", ALICE), "/report")
    yield prompt, ALICE
    yield f"{prompt}?(9)", ALICE


def tournaments_on_other_terms(client: Client) -> Requests:
    begun = begin(client, "variant=tinc&seats=3&rated=no")
    act_in_tournament(client, begun, "leave", CAROL, "leave")
    resign(client, games(client, begun)["alice", "bob"], ALICE)
    cancelled = announce(client)
    act_in_tournament(client, cancelled, "cancel", ALICE, "cancel")
    for url in (begun, cancelled, announce(client, "bots=club"), announce(client, "starts=full")):
        yield url, ALICE
    yield HERE, None
    yield f"{HERE}new?starts=now&bots=club", ALICE


@pytest.mark.parametrize(
    "story",
    [
        pages_before_anybody_has_come,
        answers_of_lessons,
        terms_of_a_game,
        offers,
        time_and_rematches,
        settings,
        the_operators_words,
        second_certificates,
        certificates_about_to_expire,
        names_that_others_have,
        long_ladders,
        long_profiles,
        messages_that_are_not_taken,
        people_apart,
        reports,
        tournaments_on_other_terms,
    ],
)
def test_every_word_of_a_rare_state_can_be_translated(
    client: Client, story: Callable[[Client], Requests]
) -> None:
    for path, who in story(client):
        with pseudo_translated():
            answer = client.ask(path, who)
        assert answer.status != 30, path
        assert not words_left(answer), path


# The pseudo-language itself


def test_a_page_is_in_english_again_after_another_language(client: Client) -> None:
    with pseudo_translated():
        assert "«" in client.get("/rules/tinc")
    assert "«" not in client.get("/rules/tinc")
