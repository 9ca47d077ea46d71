"""Pages where something is chosen have a screen of links at most."""

import pytest

from capsule.languages.model import LANGUAGES
from engine import VARIANTS
from tests.support.client import Client, certificate, links
from tests.support.gemtext_rules import lines_of
from tests.support.stories import ALICE, open_game

CHOICE = 14
"""Links of a page on which a game or a tournament is chosen, its terms, or something to read."""

NEWCOMER = certificate("newcomer")


def number_of_links(page: str) -> int:
    """Return how many links a reader chooses from who has found their language."""
    languages = {language.english_name for language in LANGUAGES.values()}
    found = [line for line in lines_of(page) if line.kind == "link"]
    return len(found) - len(languages & set(links(page)))


@pytest.mark.parametrize("path", ["/play/", "/play/new/", "/rules/", "/help/"])
def test_a_newcomer_chooses_from_one_screen(client: Client, path: str) -> None:
    assert number_of_links(client.get(path, NEWCOMER)) <= CHOICE


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_new_game_and_its_terms_are_a_screen_each(client: Client, variant: str) -> None:
    page = client.get(f"/play/new/{variant}", ALICE)
    assert number_of_links(page) <= CHOICE
    assert number_of_links(client.get(links(page)["Change the terms"], ALICE)) <= CHOICE


def test_a_new_tournament_and_its_terms_are_a_screen_each(client: Client) -> None:
    page = client.get("/play/tournaments/new", ALICE)
    terms = client.get(links(page)["Change the terms"], ALICE)
    choices = [url for url in links(terms).values() if url.startswith("/play/tournaments/new/")]
    assert len(choices) >= 5
    for each in (page, terms, *(client.get(url, ALICE) for url in choices)):
        assert number_of_links(each) <= CHOICE


@pytest.mark.parametrize("path", ["/play/me/", "/play/me/settings", "/play/me/news"])
def test_an_account_and_its_settings_have_a_link_for_each_choice(client: Client, path: str) -> None:
    open_game(client, "tinc")
    assert number_of_links(client.get(path, ALICE)) <= 18
