"""Taking moves back: at once where nobody minds, by consent between people."""

from threading import Barrier, Thread

import pytest

from engine import VARIANTS
from tests.support.client import Client, action, link, links
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    moves_of,
    play,
    record,
    start,
    start_between,
    undone,
)


def ask_back(client: Client, url: str, who: object) -> str:
    """Let somebody ask for a takeback and return the link."""
    asking = link(client.get(url, who), "/takeback")
    client.get(asking, who)
    return asking


@pytest.mark.parametrize("variant", VARIANTS)
def test_alone_moves_are_taken_back_one_by_one(client: Client, variant: str) -> None:
    url = start(client, variant, "solo")
    moves = WON_GAMES[variant].split()[:3]
    assert "/takeback" not in client.get(url, ALICE)
    play(client, url, moves, ALICE)
    for left in (2, 1, 0):
        page = client.get(url, ALICE)
        assert links(page)[f"Take back {moves[left]}"] == link(page, "/takeback")
        client.get(link(page, "/takeback"), ALICE)
        assert moves_of(client, url) == moves[:left]
    play(client, url, moves, ALICE)
    assert moves_of(client, url) == moves


def test_a_position_that_was_taken_back_is_not_there_until_it_is_reached_again(
    client: Client,
) -> None:
    url = start(client, "ultimate", "solo")
    play(client, url, ["e5", "d4"], ALICE)
    before = client.get(f"{url}/2")
    client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
    assert client.ask(f"{url}/2").status == 51
    play(client, url, ["f6"], ALICE)
    after = client.get(f"{url}/2")
    assert after != before
    assert ": O played f6" in after
    assert "O played f6" in client.get(url)


def test_against_a_bot_it_is_your_own_turn_again(client: Client) -> None:
    url = start(client, "ultimate", "bot-club")
    play(client, url, ["e5"], ALICE)
    page = client.get(url, ALICE)
    assert "thinking" in page
    client.get(link(page, "/takeback"), ALICE)
    assert moves_of(client, url) == []
    page = client.get(url, ALICE)
    assert "Your turn." in page
    assert "/takeback" not in page


def test_between_people_the_other_is_asked(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    assert "Ask to take back a1" in links(client.get(url, ALICE))
    assert "Ask to take back d4, a1" in links(client.get(url, BOB)), "with the reply to it"

    ask_back(client, url, BOB)

    assert moves_of(client, url) == ["e5", "d4", "a1"]
    request = "asked to take back d4, a1. The request stands until the next move."
    for who, asking in ((BOB, "You"), (CAROL, "bob (O) has"), (None, "bob (O) has")):
        page = client.get(url, who)
        assert f"\n{asking} {request}\n" in page
        assert not [url for url in links(page).values() if url.endswith(("accept", "decline"))]
    label = "Ultimate with bob: move 4, you are X, bob has 7 days left"
    assert label not in links(client.get("/play/", ALICE))
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n")
    assert "Ultimate with bob: a takeback is requested" in page
    page = client.get(url, ALICE)
    assert "Your opponent asks to take back d4, a1. The request stands until the next move." in page

    client.get(links(page)["Accept the takeback of d4, a1"], ALICE)

    assert moves_of(client, url) == ["e5"]
    assert "Your turn." in client.get(url, BOB)
    assert "asked to take back" not in client.get(url)


def test_who_is_asked_answers_before_asking(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4"], ALICE, BOB)
    alices = link(client.get(url, ALICE), "/takeback")
    ask_back(client, url, BOB)
    assert "Ask to take back" not in client.get(url, ALICE)
    client.get(alices, ALICE)
    page = client.get(url, ALICE)
    assert "Your opponent asks to take back d4." in page
    client.get(link(page, "/decline"), ALICE)
    assert "Ask to take back e5, d4" in links(client.get(url, ALICE))


def test_a_takeback_ends_every_link_of_the_moves_that_are_gone(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE, BOB)
    old_move = link(client.get(url, BOB), "/move")
    first_page = link(client.get(url, ALICE), "/takeback")
    client.get(first_page, ALICE)
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    play(client, url, ["a1"], ALICE, BOB)
    assert undone(client, f"{old_move}?b2", BOB, url)
    client.get(first_page, ALICE)
    assert "asks to take back" not in client.get(url, BOB)
    assert moves_of(client, url) == ["a1"]


def test_an_offer_of_another_kind_is_answered_on_its_own(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)
    ask_back(client, url, BOB)
    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    assert moves_of(client, url) == ["e5"]
    assert record(client, url)["status"] == "playing"
    assert "offers a draw" not in client.get(url, BOB), "it lapses with the moves"


def test_the_wish_ends_with_the_game(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4"], ALICE, BOB)
    ask_back(client, url, BOB)
    old = link(client.get(url, ALICE), "/accept")
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    client.get(old, ALICE)
    assert moves_of(client, url) == ["e5", "d4"]
    assert record(client, url)["status"] == "resigned"
    assert "takeback" not in client.get(url, BOB)


@pytest.mark.parametrize("variant", ["quantum", "extreme"])
def test_two_moves_in_a_row_are_taken_back_one_by_one(client: Client, variant: str) -> None:
    moves = {"quantum": "a1+b2 a1+b2 a1 c1+c2", "extreme": WON_GAMES["extreme"]}[variant].split()
    rules = VARIANTS[variant]
    movers = [str(rules.replay(moves[:ply]).turn) for ply in range(len(moves))]
    twice = next(ply for ply in range(1, len(moves)) if movers[ply] == movers[ply - 1])
    url = start_between(client, variant)
    play(client, url, moves[: twice + 1], ALICE, BOB)
    asker, other = (ALICE, BOB) if movers[twice] == "X" else (BOB, ALICE)
    ask_back(client, url, asker)
    client.get(link(client.get(url, other), "/accept"), other)
    assert moves_of(client, url) == moves[:twice]
    assert "Your turn." in client.get(url, asker)
    ask_back(client, url, asker)
    client.get(link(client.get(url, other), "/accept"), other)
    assert moves_of(client, url) == moves[: twice - 1]
    assert "Your turn." in client.get(url, asker)


def test_a_move_and_a_takeback_at_the_same_moment_leave_a_game_that_replays(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    play(client, url, ["e5", "d4"], ALICE)
    for _ in range(5):
        page = client.get(url, ALICE)
        pressing = [link(page, "/takeback"), link(page, "/move") + "?a1"] * 3
        all_ready = Barrier(len(pressing))

        def press(action: str, ready: Barrier = all_ready) -> None:
            ready.wait()
            assert client.ask(action, ALICE).status in (20, 30)

        presses = [Thread(target=press, args=(each,)) for each in pressing]
        for each in presses:
            each.start()
        for each in presses:
            each.join()

        assert moves_of(client, url) in (["e5"], ["e5", "d4", "a1"])
        assert client.ask(f"{url}/words").status == 20
        while moves_of(client, url) != ["e5"]:
            client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
        play(client, url, ["d4"], ALICE)
