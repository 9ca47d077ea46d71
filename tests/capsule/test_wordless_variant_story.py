"""A plug-in has rules and nothing else: pages say less of its game, and each of them answers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from capsule.languages import model
from capsule.languages.model import override_language
from capsule.ui.render import translate
from engine import message, plugins, variants
from tests.support.client import Client, link, links
from tests.support.crawling import SMALL, Crawl
from tests.support.stories import ALICE, BOB, open_game, play
from tests.support.walking import changes_nothing
from tests.support.wordless import WORDLESS

RULES = "/rules/wordless"


@pytest.fixture(autouse=True)
def wordless() -> Iterator[None]:
    """Noughts and crosses without a word, plugged in for the length of a test."""
    plugins.load("tests.support.wordless")
    yield
    plugins.unload("tests.support.wordless")


def test_its_rules_page_has_its_title_its_board_and_a_move_to_type(client: Client) -> None:
    page = client.get(RULES)
    assert page.startswith("# Wordless Crosses\n\n=> /play/new/wordless Play it: ")
    assert "```Wordless: the board at the start\n     a b c\n 1   ~ ~ ~\n" in page
    assert "\nPut X in an empty cell: a1, b1, c1, a2, " in page
    assert "\nYour first move can look like this: a1\n" in page


def test_its_rules_page_ends_like_those_of_the_others(client: Client) -> None:
    last = [client.get(path).splitlines()[-4:] for path in (RULES, "/rules/numeric")]
    assert last[0] == last[1]


def test_its_rules_page_has_all_its_words(client: Client) -> None:
    words = {
        "tagline": "Three in a row",
        "about": "Crosses are a game of nine cells.",
        "notation": "b2 is the cell in the middle.",
        "origin": "It is older than words.",
        "points_note": "A draw cannot be.",
    }
    rules = ("Mark an empty cell.", "Three in a row win.")
    variants.unregister("wordless")
    told = {name: message(text) for name, text in words.items()}
    variants.register(replace(WORDLESS, **told, summary=tuple(map(message, rules))))
    page = client.get(RULES)
    assert page.startswith(
        "# Wordless Crosses\n\n"
        "Crosses are a game of nine cells.\n\n"
        "It is older than words.\n\n"
        "* Mark an empty cell.\n* Three in a row win.\n\n"
        "A draw cannot be.\n\n=> "
    )
    assert "\nWordless: b2 is the cell in the middle.\n" in page
    assert "Three in a row" in client.get("/rules/")


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_its_rules_page_speaks_every_language(client: Client, language: str) -> None:
    page = client.get(f"/{language}{RULES}")
    assert page.startswith("# Wordless Crosses\n"), "it has no words in other languages"
    with override_language(model.OFFERED[language]):
        for heading in ("The start", "How to type a move"):
            assert f"\n## {translate(message(heading))}\n" in page
    assert "How to type" not in page
    assert f"=> /{language}/rules/ " in page


def test_pages_that_only_the_built_in_games_have_are_not_there(client: Client) -> None:
    for name in ("try", "try/1", "example", "strategy", "history", "facts"):
        assert client.ask(f"{RULES}/{name}").status == 51, name
    assert f"{RULES}/" not in client.get(RULES)


def test_every_page_that_speaks_of_it_answers(client: Client) -> None:
    url = open_game(client, "wordless")
    play(client, url, ["b2", "a1"], ALICE, BOB)
    assert link(client.get(f"/pt{url}"), RULES)
    running = open_game(client, "wordless")
    beginnings = ["/", "/rules/", "/games/", "/players/", "/board/", "/about", RULES]
    beginnings += ["/help/moves", "/help/tournaments", "/puzzles/", "/players/ladder/wordless"]
    beginnings += [url, f"{url}/history", running, "/board/wordless/"]
    for prefix, beginning in product(("", "/pt", "/zh"), beginnings):
        found = client.ask(f"{prefix}{beginning}")
        assert found.status == 20, beginning
        for address in links(found.body).values():
            if "wordless" in address:
                assert client.ask(address).status in {10, 20, 30, 60}, address


def test_every_link_that_its_players_find_answers(client: Client) -> None:
    url = open_game(client, "wordless")
    play(client, url, ["b2", "a1", "a2", "c1", "c2"], ALICE, BOB)
    open_game(client, "wordless")
    crawl = Crawl(
        client,
        ALICE,
        lambda address: changes_nothing(address) and ("wordless" in address or "/play/" in address),
        SMALL,
    ).run(RULES)
    assert url in {visit.address for visit in crawl.visits}
    answers = [
        visit.answer
        for visit in crawl.visits
        # Without a bot, nobody answers a move in a game of a plug-in without a certificate.
        if not re.match(r"/try/wordless/.*move(/narrow)?[?]", visit.address)
    ]
    assert not [answer for answer in answers if answer.status not in {10, 20, 30}]
