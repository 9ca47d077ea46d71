"""Games of one variant with the same opponent, or with nobody yet, differ in lists."""

from datetime import timedelta

import pytest

from tests.support.client import Client, links
from tests.support.events import without_events
from tests.support.stories import ALICE, BOB, play, start, start_between


def named(page: str, url: str) -> list[str]:
    """Return the labels of the links to a game."""
    targets = (
        line.split(" ", 2) for line in without_events(page).splitlines() if line.startswith("=> ")
    )
    return [rest[0] for _, target, *rest in targets if target == url]


@pytest.mark.parametrize("way", ["invite", "solo"])
def test_two_that_nobody_has_joined_have_their_beginnings_in_your_games(
    client: Client, way: str
) -> None:
    first = start(client, "ultimate", way)
    client.now += timedelta(hours=1)
    second = start(client, "ultimate", way)
    page = client.get("/play/", ALICE)
    for url, time in ((first, "14:02"), (second, "15:02")):
        (label,) = named(page, url)
        assert label.endswith(f", begun on 20 November 2026 at {time} UTC")


def test_two_with_the_same_friend_are_distinguished_on_the_desk_too(client: Client) -> None:
    first = start_between(client, "tinc")
    client.now += timedelta(minutes=1)
    second = start_between(client, "tinc")
    desk = client.get("/play/desk", ALICE)
    for url, time in ((first, "14:02"), (second, "14:03")):
        begun = f", begun on 20 November 2026 at {time} UTC"
        assert links(desk)[f"Go to the game: Tinc with bob{begun}"] == f"{url}?turn-1"
        moving = links(desk)[f"Type your move: Tinc with bob{begun}"]
        assert f"/{url.removeprefix('/play/')}/" in moving
        assert named(client.get("/play/", BOB), url)[0].endswith(begun)


def test_what_the_side_and_the_move_tell_apart_needs_no_beginning(client: Client) -> None:
    urls = [start_between(client, "tinc", ALICE, BOB), start_between(client, "tinc", BOB, ALICE)]
    urls.append(start_between(client, "tinc", ALICE, BOB))
    play(client, urls[2], ["a1", "b1+c1"], ALICE, BOB)
    page = client.get("/play/", ALICE)
    for url in urls:
        (label,) = named(page, url)
        assert "begun" not in label


def test_a_game_that_is_the_only_one_of_its_name_needs_no_beginning(client: Client) -> None:
    urls = [start_between(client, "tinc"), start_between(client, "numeric")]
    urls += [start(client, "tinc", "invite"), start(client, "tinc", "solo")]
    page = client.get("/play/", ALICE)
    for url in urls:
        (label,) = named(page, url)
        assert "begun" not in label
