"""The home page: who played this week, open seats, results, what is on; and links per page."""

from datetime import timedelta

import pytest

from capsule.cups import course
from capsule.languages.model import LANGUAGES
from capsule.news import publishing
from capsule.puzzles.daily import midnight_after
from engine import VARIANTS
from tests.support import everyone
from tests.support.acting import operate
from tests.support.client import Client, certificate, links
from tests.support.console import Console
from tests.support.conversation import set_player
from tests.support.cups import at, sweep as sweep_cups
from tests.support.gemtext import SCREEN, blocks, lines_shown
from tests.support.gemtext_rules import lines_of
from tests.support.results import result
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
)

TINC = WON_GAMES["tinc"].split()


def store_results(client: Client, x: str, o: str, count: int, *, listed: bool = False) -> None:
    """Store games that X has won with its third move."""
    for _ in range(count):
        result(client, x, o, (1.0, 0.0), "tinc", listed=listed)
    with client.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET ply = 5 WHERE ply = 0 AND winner IS NOT NULL")


def test_the_week_says_how_many_people_played_and_how_much(client: Client) -> None:
    play(client, start_between(client, "tinc"), TINC, ALICE, BOB)
    page = client.get("/")
    assert "2 people have played here. They played 1 game." in page
    store_results(client, "alice", "club bot", 3)
    client.forget_pages()
    assert "They played 4 games, 3 of them against bots." in client.get("/")


def test_a_week_is_the_last_seven_days(client: Client) -> None:
    play(client, start_between(client, "tinc"), TINC, ALICE, BOB)
    client.now += timedelta(days=7)
    assert "2 people have played here." in client.get("/")
    client.now += timedelta(seconds=11)
    page = client.get("/")
    assert "It is quiet here." in page
    assert "people have played" not in page


def test_a_game_that_goes_on_counts_once_somebody_has_moved(client: Client) -> None:
    url = start_between(client, "tinc")
    assert "It is quiet here." in client.get("/")
    play(client, url, TINC[:1], ALICE, BOB)
    assert "They played 1 game." in client.get("/")


def test_solo_games_and_games_between_programs_do_not_count(client: Client) -> None:
    play(client, start(client, "tinc", "solo"), TINC, ALICE)
    url = start_between(client, "tinc", BOB, CAROL)
    set_player(client, BOB, program_since=client.now)
    set_player(client, CAROL, program_since=client.now)
    play(client, url, TINC, BOB, CAROL)
    store_results(client, "bob", "club bot", 2)
    assert "It is quiet here." in client.get("/")


def test_a_program_is_no_person_and_counts_as_a_bot(client: Client) -> None:
    url = start_between(client, "tinc")
    set_player(client, BOB, program_since=client.now)
    play(client, url, TINC, ALICE, BOB)
    page = client.get("/")
    assert "1 person has played here. They played 1 game, against a bot." in page


def test_the_last_results_are_those_between_people(client: Client) -> None:
    between = open_game(client, "tinc")
    play(client, between, TINC, ALICE, BOB)
    client.now += timedelta(minutes=1)
    with_program = open_game(client, "tinc", ALICE, CAROL)
    play(client, with_program, TINC, ALICE, CAROL)
    set_player(client, CAROL, program_since=client.now)
    assert links(client.get("/"))["Tinc: alice (X) – bob (O), 1 : 0"] == f"{between}?end"


def test_an_unlisted_result_is_told_to_nobody(client: Client) -> None:
    play(client, start_between(client, "tinc"), TINC, ALICE, BOB)
    with client.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET listed = false")
    client.forget_pages()
    assert "1 : 0" not in client.get("/")


def test_an_empty_house_invites_and_shows_a_game_worth_looking_at(client: Client) -> None:
    page = client.get("/")
    assert "A bot plays at once, and a seat that you open waits for the next visitor." in page
    ways = ["/play/", "/try/", "/rules/", "/daily/", "/help/certificates"]
    assert list(links(page).values())[:5] == ways
    assert list(links(page).values())[-2:] == ["/pt/", "/zh/"]
    assert "X won this game with move 21." in page
    assert links(page)["The rules of Ultimate, with this game"] == "/rules/ultimate"
    assert len(links(page)) <= 14
    start(client, "tinc", "solo")
    start(client, "tinc", "open")
    page = client.get("/")
    assert "## A game of Ultimate" in page, "nobody plays in public yet"
    assert "Watch this game" not in page


def test_the_board_shown_is_one_between_people_before_all_others(client: Client) -> None:
    moves = WON_GAMES["ultimate"].split()[:6]
    with_program = open_game(client, "ultimate", ALICE, CAROL)
    set_player(client, CAROL, program_since=client.now)
    play(client, with_program, moves, ALICE, CAROL)
    assert links(client.get("/"))["Watch this game of Ultimate"] == with_program
    between = open_game(client, "extreme")
    play(client, between, WON_GAMES["extreme"].split()[:6], ALICE, BOB)
    client.now += timedelta(minutes=1)
    play(client, with_program, WON_GAMES["ultimate"].split()[6:7], ALICE, CAROL)
    assert links(client.get("/"))["Watch this game of Extreme"] == between


def test_a_listed_game_of_earlier_releases_without_a_person_is_not_shown(client: Client) -> None:
    store_results(client, "novice bot", "club bot", 2, listed=True)
    page = client.get("/")
    assert "## A game of Ultimate" in page
    assert "club bot" not in page


def test_what_it_is_and_a_board_are_on_the_first_screen(client: Client) -> None:
    for variant in ("tinc", "numeric", "quantum"):
        play(client, open_game(client, variant), WON_GAMES[variant].split(), ALICE, BOB)
        start(client, variant, "open", CAROL)
    play(client, open_game(client), WON_GAMES["ultimate"].split()[:6], ALICE, BOB)
    page = client.get("/")
    assert page.startswith("# Oxonaut\nGames descended from noughts and crosses.")
    above = page[: page.index("\n```")]
    assert lines_shown(above) + len(blocks(page)[0].rows) <= SCREEN
    assert "Open seat: Tinc: carol (X, 1500?), 7 days a move, rated" in links(page)


def test_the_cup_and_everyones_game_come_before_all_else_that_happens(client: Client) -> None:
    everyone.advance(client)
    course.advance_cups(client.context)
    operate(publishing.publish, client.context, "The capsule moves")
    shown = client.get("/").partition("## What happens here\n")[2].partition("\n## ")[0]
    assert [each.partition("?")[0] for each in links(shown).values()] == [
        "/everyone/",
        "/cups/",
        "/news",
        "/games/",
        "/players/",
        "/help/",
    ]


def test_there_are_few_links_however_much_there_is_to_tell(
    client: Client, console: Console
) -> None:
    sweep_cups(client)
    client.now = at("2026-12-20 12:00")
    sweep_cups(client)
    everyone.advance(client)
    urls = []
    for variant in ("tinc", "numeric", "quantum"):
        urls.append(open_game(client, variant))
        play(client, urls[-1], WON_GAMES[variant].split(), ALICE, BOB)
        start(client, variant, "open", CAROL)
    play(client, open_game(client), WON_GAMES["ultimate"].split()[:6], ALICE, BOB)
    console.admin(f'feature {urls[0].removeprefix("/play/")} "{"A long word. " * 20}"')
    assert "Game of the week, Tinc: alice – bob" in client.get("/")
    console.admin(f'news "{"A long word. " * 20}"')
    client.now += timedelta(seconds=2)
    page = client.get("/")
    (news,) = [label for label, url in links(page).items() if url == "/news"]
    assert news.startswith("News, 20 December 2026: A long word")
    assert len(news) <= 60
    for label in (
        "Everyone's game: Tinc, vote now",
        "Cup of January 2027: Numeric, enter now",
        "Today's position: Extreme",
    ):
        assert label in links(page)
    for who in (None, ALICE):
        assert len(links(client.get("/", who))) <= 14


def test_the_position_of_the_day_changes_at_midnight(client: Client) -> None:
    before = client.get("/")
    client.now = midnight_after(client.now)
    assert "Today's position: " in before
    assert client.get("/") != before


# Links


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
