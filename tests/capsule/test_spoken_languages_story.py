"""What people do in Portuguese and Chinese, with the catalogues as they are."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

import pytest

from capsule.accounts.identity import reader_of
from capsule.gemini.types import Request, Response
from capsule.languages import model
from capsule.languages.model import (
    CHINESE,
    ENGLISH,
    LANGUAGES,
    PORTUGUESE,
    Language,
    override_language,
)
from capsule.ui import typed_words
from capsule.ui.render import translate
from capsule.ui.typed_words import is_typed, naming
from engine import Message, message
from tests.support import noughts
from tests.support.choices import choose
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import say
from tests.support.full_capsule import OneHint, fill
from tests.support.mail import Post, text_of
from tests.support.native_typing import forms
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, start, start_between

OTHERS = [each for each in LANGUAGES.values() if each is not ENGLISH]

in_each = pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.key)

WORDS = [each for each in vars(typed_words).values() if isinstance(each, Message)]
"""All words that are typed at prompts, and between planned moves."""


# Words that are typed


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda each: each.key)
@pytest.mark.parametrize("word", WORDS, ids=str)
def test_every_form_of_a_word_is_understood_and_the_first_is_named(
    language: Language, word: Message
) -> None:
    with override_language(language):
        for form in forms(language, word):
            assert form == form.strip()
            assert all(is_typed(typed, word) for typed in (form, f" {form.upper()}　"))
        asked = translate(naming(message("{word}"), word))
    assert asked == forms(language, word)[0]
    assert (asked == str(word)) is (language is ENGLISH)


def test_no_word_means_two_things_whichever_language_it_is_typed_in() -> None:
    meant = {
        str(word): {form.casefold() for each in LANGUAGES.values() for form in forms(each, word)}
        for word in WORDS
    }
    assert len(meant) >= 14
    for one, other in combinations(meant, 2):
        assert not meant[one] & meant[other], (one, other)


@pytest.mark.parametrize(
    ("language", "typed", "shown"),
    [
        (PORTUGUESE, "Se e5 então d4", "* Se e5 então d4"),
        (PORTUGUESE, "se e5 entao d4", "* Se e5 então d4"),
        (PORTUGUESE, "if e5 then d4", "* Se e5 então d4"),
        (CHINESE, "若ｅ５，則ｄ４", "* 若 e5 則 d4"),
        (CHINESE, "若e5则d4", "* 若 e5 則 d4"),
    ],
)
def test_a_plan_is_typed_in_either_language(
    client: Client, language: Language, typed: str, shown: str
) -> None:
    url = start_between(client, "ultimate")
    choose(client, f"language/{language.key}", who=BOB)
    asking = link(client.get(url, BOB), "/plan")
    assert client.ask(f"{asking}?{quote(typed)}", BOB) == Response(30, url)
    assert shown in client.get(url, BOB).splitlines()


# What people write


@in_each
def test_what_people_write_is_shown_as_it_is(client: Client, language: Language) -> None:
    written = "ＡＢＣ １２３ ｶﾞ ½ ﷺ: hello"
    url = start_between(client, "tinc")
    choose(client, f"language/{language.key}")
    say(client, url, written, ALICE)
    assert written in client.get(f"{url}/messages", BOB)
    note = link(client.get(f"{url}/more", ALICE), "/note")
    client.ask(f"{note}?{quote(written)}", ALICE)
    assert written in client.get(url, ALICE)


# What goes out into the world


@in_each
def test_mail_speaks_the_language_of_the_settings(client: Client, language: Language) -> None:
    post, words = Post(client), language.translations.gettext
    for who in (ALICE, BOB):
        start(client, "tinc", "solo", who)
    choose(client, f"language/{language.key}")
    for who, subject in (
        (ALICE, words("Your code for mail from Oxonaut")),
        (BOB, "Your code for mail from Oxonaut"),
    ):
        post.type_address(who, f"{who.common_name}@example.net")
        (letter,) = post.deliver()
        assert letter["Subject"] == subject
        assert ("typed this address" in text_of(letter)) is (who is BOB)


@in_each
def test_a_shared_game_speaks_the_language_of_its_page(client: Client, language: Language) -> None:
    url = open_game(client)
    play(client, url, ["e5"], ALICE, BOB)
    english = client.get(f"{url}/share.gmi")
    for_visitors = client.ask(f"{language.prefix}{url}/share.gmi")
    assert for_visitors.meta == language.gemtext
    assert for_visitors.body != english
    assert client.get(f"{url}/share.gmi") == english
    choose(client, f"language/{language.key}")
    shared = client.ask(f"{url}/share.gmi", ALICE)
    assert (shared.meta, shared.body) == (for_visitors.meta, for_visitors.body)
    assert client.get(f"{url}/share.gmi", BOB) == english


@in_each
def test_records_and_exports_are_the_same_in_all_languages(
    client: Client, language: Language
) -> None:
    url = open_game(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    addresses = [
        *(f"{url}/{name}" for name in ("record.txt", "record.json", "state.json")),
        *("/play/desk.json", "/play/me/records.txt", "/play/new/tinc/keys.json"),
        *("/games/open.json", "/players/ladder/tinc.csv", "/robots.txt", "/favicon.txt"),
    ]
    before = [client.ask(address, ALICE) for address in addresses]
    exported = json.loads(client.get("/play/me/export.json", ALICE))
    choose(client, f"language/{language.key}")
    after = [client.ask(address, ALICE) for address in addresses]
    own = [re.sub("[a-z2-7]{26}", "KEY", str(answer)) for answer in after]
    assert own == [re.sub("[a-z2-7]{26}", "KEY", str(answer)) for answer in before]
    again = json.loads(client.get("/play/me/export.json", ALICE))
    changed = {name for name in exported if exported[name] != again[name]}
    assert language.key in json.dumps([again[name] for name in changed])
    assert exported.keys() == again.keys()


# Plug-ins


@pytest.fixture
def plugged_in() -> Iterator[None]:
    with noughts_plugged_in():
        yield
    model._folders.cache_clear()


@pytest.mark.usefixtures("plugged_in")
@in_each
def test_a_plugin_without_a_catalogue_speaks_english_within_the_page(
    client: Client, language: Language
) -> None:
    for path in ("/rules/noughts", "/rules/", "/board/noughts/b2"):
        answer = client.ask(f"{language.prefix}{path}")
        assert answer.meta == language.gemtext
        assert answer.body != client.get(path)
    page = client.get(f"{language.prefix}/rules/noughts")
    assert "Three of your marks in a row, a column or a diagonal win." in page
    assert f"=> {language.prefix}/help/ " in page
    game = start(client, "noughts", "solo")
    choose(client, f"language/{language.key}")
    answer = client.ask(game, ALICE)
    assert answer.meta == language.gemtext
    assert answer.body.startswith("# Noughts")


@pytest.mark.usefixtures("plugged_in")
def test_a_plugin_brings_a_catalogue_of_its_own(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "locale"
    catalogue = folder / "pt/LC_MESSAGES/oxonaut.po"
    catalogue.parent.mkdir(parents=True)
    own, others = "Três em linha: onde tudo começou.", "As regras de outra pessoa"
    catalogue.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        f'msgid "Three in a row: where it all began."\nmsgstr "{own}"\n\n'
        f'msgid "The rules"\nmsgstr "{others}"\n',
        "utf-8",
    )
    monkeypatch.setattr(noughts, "LOCALE", folder, raising=False)
    model._folders.cache_clear()
    assert own in client.get("/pt/rules/")
    assert own not in client.get("/zh/rules/")
    assert others not in client.get("/pt/about"), "it changes no words of the capsule"


# Somebody new


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client(tmp_path_factory.mktemp("full"), bots=lambda _: OneHint())
    fill(client)
    yield client
    client.database.close()


def is_first_act(url: str) -> bool:
    """Return whether a link acts, and chooses no other language."""
    return re.search("[a-z2-7]{26}[/;]", url) is not None and "/set/language/" not in url


@pytest.mark.slow
@in_each
def test_whatever_somebody_new_does_first_stores_their_language(
    full: Client, language: Language
) -> None:
    Post(full)
    seat = start(full, "tinc", "open", CAROL)
    tournament = next(
        url
        for url in links(full.get("/play/tournaments/", ALICE)).values()
        if re.fullmatch("/play/tournaments/[a-z2-7]{10}", url)
    )
    pages = [
        *("", "new/tinc", "new/ultimate/bots", "me/settings", "me/mail", "me/", "players/bob"),
        *("puzzles/numeric/1", "cups/", "everyone/", "everyone/vote", "tournaments/new"),
        *(url.removeprefix("/play/") for url in (seat, tournament)),
    ]
    made = 0
    for page in pages:
        for number in range(40):
            who = certificate(f"{language.key} {page} {number}", common_name="")
            shown = full.ask(f"/play/?{language.key}/{page}", who)
            acts = [url for url in links(shown.body).values() if is_first_act(url)]
            if number >= len(acts):
                break
            answer = full.ask(acts[number], who)
            for typed in ("Lisbon", "bob", f"n{made}", "a@example.net"):
                if answer.status in (10, 11):
                    answer = full.ask(f"{acts[number].partition('?')[0]}?{typed}", who)
            player = reader_of(full.context, Request("/", certificate=who)).player
            if player is not None:
                made += 1
                assert player.settings.language == language.key, (page, acts[number])
    assert made > 40
