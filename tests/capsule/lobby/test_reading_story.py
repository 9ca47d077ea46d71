"""Pages for anyone: what they answer with, wrong addresses, and a game in words."""

import pytest

from capsule.gemini.types import Response
from engine import VARIANTS
from tests.support.client import Client
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start_between


@pytest.mark.parametrize("path", ["/robots.txt", "/favicon.txt"])
def test_machines_get_plain_text(client: Client, path: str) -> None:
    answer = client.ask(path)
    assert (answer.status, answer.meta) == (20, "text/plain; charset=utf-8")


NO_GAME = Response(
    51, "There is no such game or position. Is the address complete? (Public games: /games/)"
)


@pytest.mark.parametrize(
    "path",
    [
        "/play/aaaaaaaaaa",
        "/play/aaaaaaaaaa/0",
        "/play/aaaaaaaaaa/words",
        "/play/aaaaaaaaaa/record.txt",
        "/play/aaaaaaaaaa/record.json",
        "/play/AAAAAAAAAA",
        "/play/short",
        "/play/\u2028",
    ],
)
def test_a_game_that_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.ask(path) == NO_GAME


@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        ("/players/nobody", "/players/find"),
        ("/players/ladder/chess", "/players/"),
        ("/play/zzz", "/games/"),
        ("/play/new/chess", "/play/new/"),
        ("/play/tournaments/aaaaaaaaaa", "/play/tournaments/"),
        ("/games/chess", "/games/"),
        ("/rules/chess", "/rules/"),
        ("/board/chess/e4", "/board/"),
        ("/try/chess/e4", "/try/"),
        ("/puzzles/ultimate/9999", "/puzzles/"),
        ("/daily/2001-01-01", "/daily/"),
        ("/help/chess", "/help/"),
    ],
)
def test_an_address_of_nothing_names_where_to_look(client: Client, path: str, way_on: str) -> None:
    answer = client.ask(path)
    assert (answer.status, answer.meta.split()[-1]) == (51, f"{way_on})")
    assert client.ask(way_on).status in {10, 20, 30}


def test_a_position_that_has_not_been_reached_is_not_found(client: Client) -> None:
    url = start_between(client, "ultimate")
    assert client.ask(f"{url}/1") == NO_GAME
    for ply in ("00", "-1", "x", "1" * 7, "1" * 400):
        assert client.ask(f"{url}/{ply}") == NO_GAME, ply


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("/play", "/play/"),
        ("/rules", "/rules/"),
        ("/rules/tinc/", "/rules/tinc"),
        ("/daily/2026-11-26/", "/daily/2026-11-26"),
        ("/daily/2026-11-26/share/", "/daily/2026-11-26/share"),
        ("/players/Alice_B/", "/players/Alice_B"),
        ("/season/2026-11/", "/season/2026-11"),
        ("/cups/2026-11/", "/cups/2026-11"),
        ("/board/numeric/b2=5/", "/board/numeric/b2=5"),
        ("/board/quantum/a1+b2,c3+c2/?engine", "/board/quantum/a1+b2,c3+c2?engine"),
        ("/rules/tinc/?narrow", "/rules/tinc?narrow"),
        ("/play?new/tinc?side=o", "/play/?new/tinc?side=o"),
        ("/pt/daily/2026-11-26/", "/pt/daily/2026-11-26"),
        ("/zh/rules/tinc/?narrow", "/zh/rules/tinc?narrow"),
        ("/zh/help", "/zh/help/"),
        ("/pt/play/aaaaaaaaaa/", "/pt/play/aaaaaaaaaa"),
        ("/pt/play/aaaaaaaaaa/notes/", "/pt/play/aaaaaaaaaa/notes"),
        ("/play/me/settings/?lang=pt", "/play/me/settings?lang=pt"),
        # Of what programs read, too, which is there once for all languages.
        ("/feed.xml/", "/feed.xml"),
        ("/pt/robots.txt/", "/robots.txt"),
        ("/play/aaaaaaaaaa/state.json/", "/play/aaaaaaaaaa/state.json"),
        # Nothing that is typed is lost for a slash.
        (
            f"/play/aaaaaaaaaa/{'b' * 26}/say/?1%25%0A20 é",
            f"/play/aaaaaaaaaa/{'b' * 26}/say?1%25%0A20%20%C3%A9",
        ),
    ],
)
def test_a_slip_with_the_last_slash_is_set_right(client: Client, asked: str, right: str) -> None:
    assert client.ask(asked) == Response(30, right)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_described_in_words(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    url = start_between(client, variant)
    play(client, url, moves, ALICE, BOB)
    page = client.get(f"{url}/words")
    position = VARIANTS[variant].replay(moves)
    for sentence in position.describe():
        assert f"\n{sentence}\n" in page
    assert f"* {len(moves)}. " in page
    assert "```" not in page
