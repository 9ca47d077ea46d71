"""A capsule in three languages: whose pages speak which, and where their links lead.

Every language but English is played by a pseudo-language here, in which each sentence stands in «».
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import feedparser
import pytest

from capsule.gemini.types import Certificate, Live, Request, Response, Wait
from capsule.languages.model import ENGLISH
from tests.support.client import Client, answer_of, certificate, link, links
from tests.support.feeds import private_feed
from tests.support.full_capsule import OneHint
from tests.support.pseudo_translation import all_languages_offered
from tests.support.stories import ALICE, BOB, open_game, play, start

NEWCOMER = certificate("newcomer")

SETTINGS = "/play/me/settings"


@pytest.fixture(autouse=True)
def languages() -> Iterator[None]:
    with all_languages_offered():
        yield


def tag_of(meta: str) -> str:
    return meta.rpartition("lang=")[2]


def choose_language(client: Client, key: str, who: Certificate = ALICE) -> None:
    client.get(link(client.get(SETTINGS, who), f"/language/{key}"), who)


# The prefix


PUBLIC = [
    *("/", "/rules/", "/rules/tinc", "/rules/tinc/try", "/help/", "/help/moves", "/about"),
    *("/games/", "/games/tinc", "/players/", "/puzzles/", "/puzzles/ultimate/1", "/daily/"),
    *("/feed", "/games/tinc/feed", "/news", "/season/", "/cups/", "/everyone/", "/board/tinc/"),
    *("/games/annotated", "/players/alice", "/rules/tinc/strategy", "/board/tinc/b2"),
]


def test_a_public_page_is_there_in_each_language(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    for path in PUBLIC:
        english = client.ask(path)
        assert (english.status, english.meta) == (20, "text/gemini; charset=utf-8; lang=en")
        for key, tag in (("pt", "pt"), ("zh", "zh-Hant")):
            answer = client.ask(f"/{key}{path}")
            assert (answer.status, tag_of(answer.meta)) == (20, tag), path
            assert "«" in answer.body
            inside = {
                url
                for url in links(answer.body).values()
                if url.startswith("/")
                and not url.startswith((f"/{key}/", "/play/"))
                and not url.endswith((".csv", ".txt", ".json"))
            }
            assert inside <= {path, f"/pt{path}", f"/zh{path}"}, inside


def test_no_other_prefix_is_one(client: Client) -> None:
    for path in ("/en/", "/PT/", "/pt/zh/", "/zh/pt/", "/fr/", "/pt/en/", "/ptrules"):
        assert client.ask(path).status == 51, path


def test_what_machines_read_is_there_once(client: Client) -> None:
    for path in (
        *("/robots.txt", "/favicon.txt", "/players/ladder/tinc.csv", "/games/open.json"),
        *("/health", "/feed/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ):
        assert client.ask(f"/pt{path}").status == 51, path


def test_redirects_stay_in_their_language(client: Client) -> None:
    assert client.ask("/pt/rules").meta == "/pt/rules/"
    assert client.ask("/zh/help").meta == "/zh/help/"
    asked = client.ask("/pt/board/ultimate/?e5")
    assert (asked.status, asked.meta) == (30, "/pt/board/ultimate/e5")


def test_prompts_and_errors_speak_the_language_of_the_address(client: Client) -> None:
    assert client.ask("/pt/players/find").meta.startswith("«")
    assert client.ask("/pt/rules/nothing").meta.startswith("«")
    assert not client.ask("/rules/nothing").meta.startswith("«")
    assert "/pt/rules/" in client.ask("/pt/rules/nothing").meta
    assert "/pt/help/certificates" in client.ask("/play/?pt/").meta


def test_narrow_pages_lead_to_narrow_ones_in_their_language(client: Client) -> None:
    page = client.get("/pt/rules/ultimate?narrow")
    assert any(re.match(r"/pt/rules/\S+\?narrow", url) for url in links(page).values())


def test_robots_leave_every_address_alone_in_each_language(client: Client) -> None:
    lines = client.get("/robots.txt").splitlines()
    english = [line for line in lines if re.match("Disallow: /(?!pt/|zh/)", line)]
    assert len(english) > 30
    for line in english:
        for key in ("pt", "zh"):
            assert line.replace("Disallow: ", f"Disallow: /{key}") in lines


# Ways from one language to another


def test_home_and_help_end_with_links_to_the_other_languages(client: Client) -> None:
    for path in ("/", "/help/"):
        english, portuguese = (client.get(f"{prefix}{path}") for prefix in ("", "/pt"))
        assert english.endswith(f"=> /pt{path} Portuguese\n=> /zh{path} Chinese (traditional)\n")
        assert portuguese.endswith(f"=> {path} English\n=> /zh{path} 繁體中文\n")
        assert english.startswith("# ")
        assert portuguese.startswith("# ")


def test_a_page_names_every_language_as_its_speakers_do(client: Client) -> None:
    named = {"English": "/", "Português": "/pt/", "繁體中文": "/zh/"}
    for prefix in ("", "/pt", "/zh"):
        assert links(client.get(f"{prefix}/languages")) == named


def test_no_label_of_an_english_page_needs_a_font_that_browsers_lack(client: Client) -> None:
    for path in ("/", "/help/", "/rules/", "/try/", "/games/", "/about"):
        assert all(label.isascii() for label in links(client.get(path))), path


def test_the_first_link_of_a_page_in_another_language_leads_back(client: Client) -> None:
    for path in ("/rules/tinc", "/board/tinc/b2,a1+c3", "/puzzles/numeric/1"):
        page = client.get(f"/pt{path}")
        assert next(iter(links(page).items())) == ("English", path)
        assert page.startswith("# ")
        assert "English" not in links(client.get(path))


# A visitor's page of a game


def test_a_visitor_reads_a_game_in_their_language(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE, BOB)
    for page in ("", "/1", "/history", "/words", "/comments", "/share"):
        answer = client.ask(f"/pt{game}{page}")
        assert (answer.status, tag_of(answer.meta)) == (20, "pt"), page
        assert game in (first := next(iter(links(answer.body).values()))), page
        assert first == f"{game}{page}"
    title = client.get(f"/pt{game}").splitlines()[0]
    assert re.sub("[«»]", "", title) == "# Ultimate: alice (X) – bob (O)"
    assert f"/pt{game}/history" in links(client.get(f"/pt{game}/more")).values()
    assert f"/play/?pt/{game.removeprefix('/play/')}" in links(client.get(f"/pt{game}")).values()


def test_a_live_page_goes_on_in_its_language(client: Client, game: str) -> None:
    live = answer_of(client.application, Request(f"/pt{game}/live"))
    assert isinstance(live, Live)
    assert (tag_of(live.meta), next(iter(links(live.text).values()))) == ("pt", f"{game}/live")
    play(client, game, ["e5"], ALICE, BOB)
    more = live.more()
    assert "«" in more.text
    assert "«" in more.on_expiry()
    english = answer_of(client.application, Request(f"{game}/live"))
    assert isinstance(english, Live)
    assert english.audience != live.audience


def test_other_addresses_lead_to_where_one_signs_in(client: Client) -> None:
    for path, goal in (
        ("/pt/play/", "/play/?pt/"),
        ("/pt/play/new/", "/play/?pt/new/"),
        ("/pt/play/new/tinc?side=o", "/play/?pt/new/tinc?side=o"),
        ("/zh/play/me/", "/play/?zh/me/"),
        ("/pt/play/tournaments/", "/play/?pt/tournaments/"),
        ("/pt/play/no such page", "/play/?pt/"),
    ):
        assert client.ask(path) == Response(30, goal)


def test_links_to_pages_that_need_an_identity_lead_to_where_one_signs_in(client: Client) -> None:
    assert "/play/?pt/" in links(client.get("/pt/")).values()
    assert all(
        not url.startswith("/play/") or url.startswith("/play/?pt/")
        for path in ("/pt/", "/pt/rules/tinc", "/pt/games/", "/pt/help/", "/pt/puzzles/")
        for url in links(client.get(path)).values()
    )


# Below /play/


def test_the_certificate_is_asked_for_in_the_language_of_the_address(client: Client) -> None:
    asked = client.ask("/play/?pt/new/")
    assert asked.status == 60
    assert asked.meta.startswith("«")
    assert not client.ask("/play/?new/").meta.startswith("«")
    answer = client.ask("/play/?pt/new/", NEWCOMER)
    assert (answer.status, tag_of(answer.meta)) == (20, "pt")
    assert answer.body == client.get("/play/new/?lang=pt", NEWCOMER)


def test_somebody_new_carries_the_language_until_the_first_action_stores_it(client: Client) -> None:
    games = client.get("/play/?pt/new/", NEWCOMER)
    ways = client.get(link(games, "/new/ultimate"), NEWCOMER)
    for page in (games, ways, client.get("/play/?pt/", NEWCOMER)):
        below = [url for url in links(page).values() if url.startswith("/play/")]
        assert all("lang=pt" in url or url.startswith("/play/?pt/") for url in below)
    started = client.ask(link(ways, "/solo"), NEWCOMER)
    assert started.status == 30
    assert re.fullmatch("/play/[a-z2-7]{10}", started.meta), "an address to share"
    game = client.ask(started.meta, NEWCOMER)
    assert tag_of(game.meta) == "pt"
    assert not any("lang=" in url for url in links(game.body).values())


@pytest.mark.parametrize(
    ("page", "end", "typed"),
    [
        ("/play/?pt/new/tinc", "/challenge", "bob"),
        ("/play/?pt/", "/name", "nova"),
        ("/play/?pt/me/settings", "/set/zone", "Lisbon"),
        ("/play/?pt/tournaments/new", "/announce", "An evening"),
    ],
)
def test_somebody_new_may_type_first(client: Client, page: str, end: str, typed: str) -> None:
    start(client, "tinc", "solo", BOB)
    (prompt,) = {url for url in links(client.get(page, NEWCOMER)).values() if url.endswith(end)}
    asked = client.ask(prompt, NEWCOMER)
    assert (asked.status, asked.meta[0]) == (10, "«")
    assert client.ask(f"{prompt}?{typed}", NEWCOMER).status == 30
    assert tag_of(client.ask("/play/", NEWCOMER).meta) == "pt"


def test_an_action_on_a_public_page_carries_its_language(client: Client) -> None:
    # Some browsers show a certificate to these, too.
    page = client.get("/pt/daily/", NEWCOMER)
    (prompt,) = {url for url in links(page).values() if re.search("/[a-z2-7]{26}.*/answer$", url)}
    asked = client.ask(prompt, NEWCOMER)
    assert (asked.status, asked.meta[0]) == (10, "«")
    client.ask(f"{prompt}?a1", NEWCOMER)
    client.get(link(page, "/hint"), NEWCOMER)
    assert tag_of(client.ask("/play/", NEWCOMER).meta) == "pt"


def test_a_language_that_is_not_offered_is_english(client: Client) -> None:
    assert tag_of(client.ask("/play/new/?lang=fr", NEWCOMER).meta) == "en"


def test_the_players_setting_decides_below_play(client: Client, game: str) -> None:
    choose_language(client, "zh")
    for path in ("/play/", "/play/?pt/", "/play/me/", game, f"{game}/words", "/play/new/?lang=pt"):
        assert tag_of(client.ask(path, ALICE).meta) == "zh-Hant", path
        assert tag_of(client.ask(path, BOB).meta) != "zh-Hant", path
    assert tag_of(client.ask("/rules/tinc", ALICE).meta) == "en"
    assert tag_of(client.ask("/pt/rules/tinc", ALICE).meta) == "pt"
    public = {url for url in links(client.get(game, ALICE)).values() if "rules" in url}
    assert public
    assert all(url.startswith("/zh/") for url in public)
    choose_language(client, "en")
    assert tag_of(client.ask(game, ALICE).meta) == "en"


def test_prompts_and_refusals_below_play_speak_the_players_language(
    client: Client, game: str
) -> None:
    choose_language(client, "pt")
    move = link(client.get(game, ALICE), "/move")
    assert client.ask(move, ALICE).meta.startswith("«")
    assert client.ask(f"{move}?nonsense", ALICE).meta.startswith("«")
    play(client, game, ["e5"], ALICE, BOB)
    late = client.ask(f"{move}?a1", ALICE)
    assert (late.status, tag_of(late.meta), late.body[0]) == (20, "pt", "«")


def test_what_is_missing_below_play_is_said_in_the_players_language(client: Client) -> None:
    choose_language(client, "pt")
    for path in (
        *("/play/aaaaaaaaaa", "/play/nothing", "/play/new/nothing", "/play/me/nothing"),
        *("/play/tournaments/aaaaaaaaaa", "/play/players/nobody", "/play/everyone/nothing"),
    ):
        answer = client.ask(path, ALICE)
        assert (answer.status, answer.meta[0]) == (51, "«"), path
        for who in (BOB, None):
            assert not client.ask(path, who).meta.startswith("«")


def test_an_expired_certificate_is_refused_in_the_players_language(client: Client) -> None:
    choose_language(client, "pt")
    client.now = ALICE.not_after + timedelta(seconds=1)
    answer = client.ask("/play/", ALICE)
    assert (answer.status, answer.meta[0]) == (62, "«")


def test_a_wait_ends_in_the_language_in_which_it_began(tmp_path: Path) -> None:
    client = Client(tmp_path, bots=lambda _: OneHint())
    game = start(client, "numeric", "solo")
    choose_language(client, "pt")
    hint = link(client.get(game, ALICE), "/hint")
    path, _, query = hint.partition("?")
    answer = answer_of(client.application, Request(path, query or None, ALICE))
    assert isinstance(answer, Wait)
    page = answer.finish()
    client.database.close()
    assert (tag_of(page.meta), "«" in page.body) == ("pt", True)


def test_programs_read_refusals_in_english(client: Client, game: str) -> None:
    choose_language(client, "pt")
    state = json.loads(client.get(f"{game}/state.json", ALICE))
    assert "«" not in client.get(f"{state['move']}?zz", ALICE)


def test_the_settings_name_each_language_in_itself(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    assert {"Português", "繁體中文"} <= set(links(client.get(SETTINGS, ALICE)))
    choose_language(client, "pt")
    assert {"English", "繁體中文"} <= set(links(client.get(SETTINGS, ALICE)))


# Feeds


def test_atom_says_its_language_and_keeps_the_ids_of_english(client: Client) -> None:
    open_game(client)
    english, portuguese = (client.get(f"{prefix}/feed.xml") for prefix in ("", "/pt"))
    assert 'xml:lang="pt"' in portuguese
    assert 'xml:lang="en"' in english
    ids = [
        [feed.feed.id, *(entry.id for entry in feed.entries)]
        for feed in map(feedparser.parse, (english, portuguese))
    ]
    assert ids[0] == ids[1]
    parsed = feedparser.parse(portuguese)
    assert parsed.entries
    assert all("/pt/play/" in entry.link for entry in parsed.entries)
    assert "«" in parsed.entries[0].title


def test_a_private_feed_speaks_its_players_language(client: Client, game: str) -> None:
    address = private_feed(client, ALICE)
    choose_language(client, "zh")
    feed = client.ask(address)
    assert tag_of(feed.meta) == "zh-Hant"
    assert any(url.startswith(game) for url in links(feed.body).values())
    assert 'xml:lang="zh-Hant"' in client.get(f"{address}.xml")


def test_a_language_that_is_withdrawn_leaves_its_players_english(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    choose_language(client, "pt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("capsule.languages.model.OFFERED", {"en": ENGLISH})
        client.forget_pages()
        assert tag_of(client.ask("/play/", ALICE).meta) == "en"
        assert client.ask("/pt/").status == 51


def test_an_expired_certificate_is_refused_in_the_language_of_the_address(client: Client) -> None:
    expired = replace(NEWCOMER, not_after=client.now.replace(year=2020))
    answer = client.ask("/play/?pt/", expired)
    assert (answer.status, answer.meta[0]) == (62, "«")
