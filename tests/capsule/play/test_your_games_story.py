"""Your games, page by page: none is left out, and each has a label of its own."""

import re
from datetime import timedelta

import pytest

from tests.support.client import Client, links
from tests.support.events import without_events
from tests.support.stored import change_row, numbered_id, player_id, store_row
from tests.support.stories import ALICE, BOB, play, start, start_between

MORE = "More of your games in progress"
BEFORE = "Your games in progress before these"
FIRST = "The first of your games"


@pytest.fixture
def many(client: Client) -> Client:
    """A capsule where alice has 130 games with bob, each with days of its own.

    In every second one it is her turn. Those moved in first have the most time left.
    """
    for who in (ALICE, BOB):
        start(client, "tinc", "solo", who)
    alice, bob = player_id(client, ALICE), player_id(client, BOB)
    with client.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET status = 'aborted'")
        for number in range(130):
            store_row(
                connection,
                id=numbered_id(number),
                variant="ultimate",
                listed=False,
                x_player_id=alice,
                o_player_id=bob,
                status="playing",
                turn="X" if number % 2 else "O",
                ply=0,
                # Number 0 was moved in last, and 129 runs out first: its days are fewest.
                days_a_move=(14, 7, 5, 3, 2, 1)[number // 22],
                created_at=client.now,
                started_at=client.now,
                moved_at=client.now - timedelta(minutes=number),
            )
    return client


def pages(client: Client, label: str, page: str) -> list[str]:
    """Return a page and those that the links with this label lead to."""
    found = [page]
    while label in (there := links(found[-1])):
        assert len(found) < 20
        found.append(client.get(there[label], ALICE))
    return found


def games_on(page: str) -> list[str]:
    """Return the games listed on a page, in order."""
    listed = without_events(page).partition("## Recently ended")[0]
    return re.findall("^=> (/play/[a-z2-7]{10}) Ultimate with bob", listed, re.MULTILINE)


def days_of(url: str) -> tuple[int, int]:
    number = next(each for each in range(130) if url.endswith(numbered_id(each)))
    return (14, 7, 5, 3, 2, 1)[number // 22], -number


def test_every_game_is_on_some_page_and_the_most_urgent_first(many: Client) -> None:
    shown = pages(many, MORE, many.get("/play/", ALICE))
    found = [url for page in shown for url in games_on(page)]
    assert len(found) == len(set(found)) == 130
    your_turn, waiting = found[:65], found[65:]
    assert all("Your turn." in many.get(url, ALICE) for url in your_turn[::8])
    for part in (your_turn, waiting):
        assert part == sorted(part, key=days_of)
    assert all(page.startswith("# Your games (65 waiting)\n") for page in shown)
    assert "## Recently ended" in shown[0]
    assert not [page for page in shown[1:] if "## Recently ended" in page]
    assert MORE not in links(shown[-1])


def test_the_way_back_is_the_same(many: Client) -> None:
    there = pages(many, MORE, many.get("/play/", ALICE))
    back = pages(many, BEFORE, there[-1])
    assert [games_on(page) for page in back] == [games_on(page) for page in reversed(there)]
    assert FIRST not in links(there[0])
    assert all(links(page)[FIRST].startswith("/play/?at-") for page in there[1:])


def test_a_game_that_moves_on_hides_no_other(many: Client) -> None:
    first = many.get("/play/", ALICE)
    moved = games_on(first)[3].removeprefix("/play/")
    with many.database.writing() as connection:
        change_row(connection, moved, turn="O", moved_at=many.now)
    rest = pages(many, MORE, many.get(links(first)[MORE], ALICE))
    found = [*games_on(first), *(url for page in rest for url in games_on(page))]
    assert len(set(found)) == 130


@pytest.mark.parametrize(
    "query", ["after-9-never-1-aaaaaaaaaa", "after-0-x-1-aaaaaaaaaa", "after-0", "%0D%0A", ""]
)
def test_any_other_query_is_the_first_page(many: Client, query: str) -> None:
    assert many.get(f"/play/?{query}", ALICE) == many.get("/play/", ALICE)


# Games of one variant with the same opponent, or with nobody yet


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
