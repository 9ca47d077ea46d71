"""People play, learn and meet through a real server, each in a language of their own."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from capsule.languages.model import LANGUAGES, Language
from capsule.ui.typed_words import RESIGN
from engine import VARIANTS
from tests.support.client import action, link, links
from tests.support.gemtext import blocks
from tests.support.native_typing import as_typed, forms
from tests.support.puzzles import puzzle, wrong_move
from tests.support.stories import WON_GAMES
from tests.support.wire.identities import make
from tests.support.wire.native import Native
from tests.support.wire.running import Running, running, serving

Meet = Callable[[str], Native]

PEOPLE = count(1)

RIGHT = "%(move)s is right: puzzle %(number)s of %(variant)s"
WRONG = "Not %(move)s: puzzle %(number)s of %(variant)s"
OVER = "It is over: %(name)s won with %(points)s."

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda each: each.key),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = {"OXONAUT_NEW_PLAYERS_PER_HOUR": "1000"}
    with running(serving(tmp_path_factory.mktemp("home")), settings) as started:
        yield started
        assert "Traceback" not in started.printed, started.printed


@pytest.fixture
def meet(server: Running, tmp_path: Path, language: Language) -> Meet:
    """Return somebody with a new certificate, who reads the language."""

    def met(name: str) -> Native:
        # One server has them all, and a name is given once.
        name = f"{name}{next(PEOPLE)}"
        return Native(server, make(tmp_path, name), language, name)

    return met


@pytest.fixture
def stranger(server: Running, language: Language) -> Native:
    """Return somebody without a certificate."""
    return Native(server, None, language)


def type_at(reader: Native, prompt: str, text: str) -> str:
    """Type text at a prompt, in the way of the language, and return where that leads."""
    assert reader.ask(prompt).status in (10, 11)
    reply = reader.ask(f"{prompt}?{quote(as_typed(reader.language, text))}")
    assert reply.status == 30, reply
    return reply.meta


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_people_play_a_whole_game(meet: Meet, stranger: Native, variant: str) -> None:
    x, o = meet("alice"), meet("bob")
    url = x.start_between(o, variant)
    position = VARIANTS[variant].start
    for move in WON_GAMES[variant].split():
        mover = x if str(position.turn) == "X" else o
        mover.move(url, move)
        position = position.play(move)
    assert position.outcome is not None
    reason = x.says(position.outcome.reason)
    prefix = x.language.prefix
    for reader, address in ((x, url), (o, url), (stranger, f"{prefix}{url}")):
        page = reader.get(address)
        assert page.startswith(f"# {x.says(VARIANTS[variant].name)}"), page
        assert reason in page
    for sub in ("0", "history", "words", "live", "analysis", "comments", "share", "more"):
        stranger.get(f"{prefix}{url}/{sub}")
    recorded = json.loads(x.get(f"{url}/record.json"))
    assert recorded["moves"] == WON_GAMES[variant].split()
    assert recorded["winner"] == str(position.outcome.winner)


def test_a_game_is_given_up_with_any_form_of_the_word(meet: Meet, language: Language) -> None:
    alice = meet("alice")
    for form in forms(language, RESIGN):
        new = alice.begin("new/tinc")
        url = alice.ask(link(new, "/solo")).meta
        prompt = action(alice.get(url), "resign")
        asked = alice.ask(prompt)
        assert asked.status == 10
        assert forms(language, RESIGN)[0] in asked.meta
        assert alice.ask(f"{prompt}?{quote('-')}").status == 10
        assert type_at(alice, prompt, form) == url
        assert json.loads(alice.get(f"{url}/record.json"))["status"] == "resigned"


@pytest.mark.deep
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_puzzle_is_tried_and_solved(
    meet: Meet, stranger: Native, language: Language, variant: str
) -> None:
    found = puzzle(variant)
    alice = meet("alice")
    alice.ask(link(alice.begin("new/tinc"), "/solo"))
    for reader, area in ((stranger, language.prefix), (alice, "/play")):
        for move in (wrong_move(found), found.solutions[0]):
            asked = link(reader.get(f"{area}/puzzles/{variant}/1"), "/answer")
            reply = reader.ask(f"{asked}?{quote(as_typed(language, move))}")
            page = reader.get(reply.meta) if reply.status == 30 else reply.body
            title = RIGHT if move in found.solutions else WRONG
            values = {"move": move, "variant": reader.says(VARIANTS[variant].name), "number": 1}
            assert page.startswith(f"# {reader.finds(title, **values)}\n")


@pytest.mark.deep
def test_a_second_device_is_added_with_a_code(meet: Meet) -> None:
    laptop, phone = meet("alice"), meet("phone")
    laptop.ask(link(laptop.begin("new/tinc"), "/solo"))
    (shown,) = blocks(laptop.get(link(laptop.get("/play/me/"), "/code")))
    code = shown.rows[0]
    prompt = link(phone.begin(""), "/link")
    wrong = code[:-1] + ("2" if code[-1] != "2" else "3")
    again = phone.ask(f"{prompt}?{wrong}")
    assert again.status == 11
    assert type_at(phone, prompt, code) in ("/play/", f"/play/?{phone.language.key}/")
    assert phone.get("/play/") == laptop.get("/play/")


def test_a_tournament_is_played_to_its_end(meet: Meet, language: Language) -> None:
    alice, bob, carol = (meet(name) for name in ("alice", "bob", "carol"))
    title = "Serão, 井字之夜"
    page = alice.begin("tournaments/new?variant=tinc&seats=3")
    (prompt,) = {url for url in links(page).values() if url.endswith("/announce")}
    url = alice.ask(f"{prompt}?{quote(title)}").meta
    for other in (bob, carol):
        here = other.begin(url.removeprefix("/play/"))
        assert other.ask(link(here, "/join")).meta == url
    page = alice.get(url)
    assert title in page.splitlines()[0]
    games = {found[0] for found in re.finditer("/play/[a-z2-7]{10}(?=[? ])", page)}
    assert len(games) == 6
    for game in games:
        # Alice wins all of hers, so that nobody shares the first place.
        loser = next(each for each in (carol, bob) if "/resign" in each.get(game))
        prompt = action(loser.get(game), "resign")
        assert type_at(loser, prompt, forms(language, RESIGN)[0]) == game
    begin, _, _ = alice.finds(OVER, name=alice.name, points="!").partition("!")
    assert begin in alice.get(url)
