"""Public feeds: of all games, of those of a variant or a player, and of one game."""

from datetime import timedelta

import pytest

from engine import VARIANTS
from tests.support.client import Client, link, links
from tests.support.feeds import addresses, entries, private_feed
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, start, start_between

HOUR = timedelta(hours=1)


# Public games


def test_the_feed_of_public_games_tells_of_new_ones_and_of_how_they_ended(client: Client) -> None:
    url = open_game(client, "numeric")
    client.now += HOUR
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    for path in ("/feed", "/games/numeric/feed", "/players/alice/feed", "/players/BOB/feed"):
        assert entries(client, path) == [
            "bob beats alice at Numeric",
            "Numeric begins: alice – bob",
        ], path
        assert addresses(client, path) == [f"{url}?end", f"{url}/0"]
    for path in ("/games/tinc/feed", "/players/carol/feed"):
        answer = client.ask(path)
        assert "beats" not in answer.body, path


def test_games_that_are_not_listed_are_in_their_own_feed_alone(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    for path in ("/feed", "/games/numeric/feed", "/players/alice/feed"):
        assert url not in client.get(path) + client.get(f"{path}.xml"), path
    assert url in client.get(f"{url}/feed")
    assert url in client.get(private_feed(client, ALICE))


def test_a_game_that_was_aborted_is_no_news(client: Client) -> None:
    url = start(client, "tinc", "open")
    assert entries(client, "/feed") == ["alice is looking for an opponent in Tinc"]
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert not entries(client, "/feed")
    assert (
        entries(client, f"{url}/feed")[0]
        == "Aborted: Tinc, alice – open seat: alice closed the open seat"
    )


@pytest.mark.parametrize(
    ("verb", "typed", "expected"),
    [
        ("/resign", "resign", "bob beats alice at Tinc by resignation"),
        ("/draw", None, "alice and bob agree on a draw in Tinc"),
    ],
)
def test_a_feed_says_how_a_game_ended_early(
    client: Client, verb: str, typed: str | None, expected: str
) -> None:
    url = open_game(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    action = link(client.get(url, ALICE), verb)
    client.type(action, typed, ALICE) if typed else client.get(action, ALICE)
    if verb == "/draw":
        client.get(link(client.get(url, BOB), "/accept"), BOB)
    for path in ("/feed", f"{url}/feed"):
        assert entries(client, path)[0] == expected


# One game


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_feed_of_a_game_has_its_moves_and_each_leads_to_its_position(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    moves = WON_GAMES[variant].split()
    play(client, url, moves, ALICE, BOB)
    shown = entries(client, f"{url}/feed")
    assert shown[0].startswith(("alice beats bob", "bob beats alice"))
    assert shown[1].startswith(f"Move {len(moves)}: ")
    assert shown[1].endswith(f" plays {moves[-1]}")
    assert shown[-1].endswith(" begins: alice – bob")
    assert addresses(client, f"{url}/feed") == [
        f"{url}?end",
        *(f"{url}/{ply}" for ply in range(len(moves), -1, -1)),
    ]
    for address in addresses(client, f"{url}/feed"):
        assert client.ask(address).status == 20, address


def test_a_feed_has_the_thirty_newest_entries(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    position = VARIANTS["ultimate"].start
    for _ in range(33):
        move = next(iter(position.legal_moves()))
        play(client, url, [move], ALICE)
        position = position.play(move)
    assert addresses(client, f"{url}/feed") == [f"{url}/{ply}" for ply in range(33, 3, -1)]


def test_pages_lead_to_their_feeds(client: Client) -> None:
    url = open_game(client, "tinc")
    assert links(client.get(f"{url}/history"))["Feed of this game"] == f"{url}/feed"
    assert links(client.get("/games/"))["Feed of public games"] == "/feed"
    assert links(client.get("/games/tinc"))["Feed of public games of Tinc"] == "/games/tinc/feed"
    assert links(client.get(f"{url}/feed"))["Back to the game"] == url


@pytest.mark.parametrize(
    "path", ["/games/chess/feed", "/players/nobody/feed", "/play/aaaaaaaaaa/feed", "/feed/short"]
)
def test_a_feed_of_nothing_is_not_found(client: Client, path: str) -> None:
    assert client.ask(path).status == client.ask(f"{path}.xml").status == 51
