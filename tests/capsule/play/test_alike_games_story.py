"""Games of one variant with the same opponent, or with nobody yet, differ in lists."""

from __future__ import annotations

import pytest

from tests.support.client import Client, links
from tests.support.stories import ALICE, BOB, play, start, start_between


def named(page: str, url: str) -> list[str]:
    """Return the labels of the links to a game."""
    targets = (line.split(" ", 2) for line in page.splitlines() if line.startswith("=> "))
    return [rest[0] for _, target, *rest in targets if target == url]


@pytest.mark.parametrize("way", ["invite", "solo"])
def test_two_that_nobody_has_joined_have_their_addresses_in_your_games(
    client: Client, way: str
) -> None:
    urls = [start(client, "ultimate", way) for _ in range(2)]
    page = client.get("/play/", ALICE)
    for url in urls:
        (label,) = named(page, url)
        assert label.endswith(f" ({url.removeprefix('/play/')})")
        assert links(page)[label] == url


def test_two_with_the_same_friend_are_distinguished_on_the_desk_too(client: Client) -> None:
    urls = [start_between(client, "tinc") for _ in range(2)]
    desk = client.get("/play/desk", ALICE)
    for url in urls:
        game = url.removeprefix("/play/")
        assert links(desk)[f"Go to the game: Tinc with bob ({game})"] == url
        assert f"/{game}/" in links(desk)[f"Type your move: Tinc with bob ({game})"]
        assert named(client.get("/play/", BOB), url)[0].endswith(f" ({game})")


def test_what_the_side_and_the_move_tell_apart_needs_no_address(client: Client) -> None:
    urls = [start_between(client, "tinc", ALICE, BOB), start_between(client, "tinc", BOB, ALICE)]
    urls.append(start_between(client, "tinc", ALICE, BOB))
    play(client, urls[2], ["a1", "b1+c1"], ALICE, BOB)
    page = client.get("/play/", ALICE)
    for url in urls:
        (label,) = named(page, url)
        assert url.removeprefix("/play/") not in label


def test_a_game_that_is_the_only_one_of_its_name_needs_no_address(client: Client) -> None:
    urls = [start_between(client, "tinc"), start_between(client, "numeric")]
    urls += [start(client, "tinc", "invite"), start(client, "tinc", "solo")]
    page = client.get("/play/", ALICE)
    for url in urls:
        (label,) = named(page, url)
        assert url.removeprefix("/play/") not in label
