"""A plug-in has rules and nothing else: pages say less of its game, and each of them answers."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from capsule.languages import model
from capsule.languages.model import override_language
from capsule.ui.render import translate
from engine import message, plugins, variants
from tests.support.client import Client, link, links
from tests.support.crawling import SMALL, Crawl
from tests.support.matches import MATCHES
from tests.support.stories import ALICE, BOB, open_game, play
from tests.support.walking import changes_nothing

RULES = "/rules/matches"


@pytest.fixture(autouse=True)
def matches() -> Iterator[None]:
    """Take the last match, plugged in for the length of a test."""
    plugins.load("tests.support.matches")
    yield
    plugins.unload("tests.support.matches")


def test_its_rules_page_has_its_title_its_board_and_a_move_to_type(client: Client) -> None:
    page = client.get(RULES)
    assert page.startswith("# Take the Last Match\n\n=> /play/new/matches Play it: ")
    assert "```Matches: the board at the start\n| | | | | | |\n```\n" in page
    assert "\nThere are 7 matches.\nX takes one or two matches.\n" in page
    assert "\nYour first move can look like this: 1\n" in page


def test_its_rules_page_ends_like_those_of_the_others(client: Client) -> None:
    last = [client.get(path).splitlines()[-4:] for path in (RULES, "/rules/numeric")]
    assert last[0] == last[1]


def test_its_rules_page_has_all_its_words(client: Client) -> None:
    words = {
        "tagline": "Who takes the last one?",
        "about": "Take the Last Match is a game of seven matches.",
        "notation": "2 takes two matches.",
        "origin": "It is older than matches.",
        "points_note": "A draw cannot be.",
    }
    rules = ("Take one match or two.", "Whoever takes the last match wins.")
    variants.unregister("matches")
    told = {name: message(text) for name, text in words.items()}
    variants.register(replace(MATCHES, **told, summary=tuple(map(message, rules))))
    page = client.get(RULES)
    assert page.startswith(
        "# Take the Last Match\n\n"
        "Take the Last Match is a game of seven matches.\n\n"
        "It is older than matches.\n\n"
        "* Take one match or two.\n* Whoever takes the last match wins.\n\n"
        "A draw cannot be.\n\n=> "
    )
    assert "\nMatches: 2 takes two matches.\n" in page
    assert "Who takes the last one?" in client.get("/rules/")


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_its_rules_page_speaks_every_language(client: Client, language: str) -> None:
    page = client.get(f"/{language}{RULES}")
    assert page.startswith("# Take the Last Match\n"), "it has no words in other languages"
    with override_language(model.OFFERED[language]):
        for heading in ("The start", "How to type a move"):
            assert f"\n## {translate(message(heading))}\n" in page
    assert "How to type" not in page
    assert f"=> /{language}/rules/ " in page


@pytest.mark.parametrize("name", ["try", "try/1", "example", "strategy", "history", "facts"])
def test_pages_that_only_the_built_in_games_have_are_not_there(client: Client, name: str) -> None:
    assert client.ask(f"{RULES}/{name}").status == 51
    assert f"{RULES}/" not in client.get(RULES)


@pytest.mark.parametrize("prefix", ["", "/pt", "/zh"])
def test_every_page_that_speaks_of_it_answers(client: Client, prefix: str) -> None:
    url = open_game(client, "matches")
    play(client, url, ["2", "1"], ALICE, BOB)
    assert link(client.get(f"/pt{url}"), RULES)
    running = open_game(client, "matches")
    beginnings = ["/", "/rules/", "/games/", "/players/", "/board/", "/about", RULES]
    beginnings += ["/help/moves", "/help/tournaments", "/puzzles/", "/players/ladder/matches"]
    for beginning in [*beginnings, url, f"{url}/history", running, "/board/matches/"]:
        found = client.ask(f"{prefix}{beginning}")
        assert found.status == 20, beginning
        for address in links(found.body).values():
            if "matches" in address:
                assert client.ask(address).status in {10, 20, 30, 60}, address


def test_every_link_that_its_players_find_answers(client: Client) -> None:
    url = open_game(client, "matches")
    play(client, url, ["2", "1", "2", "2"], ALICE, BOB)
    open_game(client, "matches")
    crawl = Crawl(
        client,
        ALICE,
        lambda address: changes_nothing(address) and ("matches" in address or "/play/" in address),
        SMALL,
    ).run(RULES)
    assert url in {visit.address for visit in crawl.visits}
    answers = [
        visit.answer
        for visit in crawl.visits
        # Without a bot, nobody answers a move in a game of a plug-in without a certificate.
        if not re.match(r"/try/matches/.*move(/narrow)?[?]", visit.address)
    ]
    assert not [answer for answer in answers if answer.status not in {10, 20, 30}]
