"""After a game: a rematch with sides changed, offered, agreed, declined, or at once with a bot."""

from datetime import timedelta
from functools import partial

from capsule.gemini.types import Response
from tests.support.client import Client, action, link, links
from tests.support.noting_bots import NotingBots
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    play,
    record,
    start,
    start_between,
    undone,
)
from tests.support.tournaments import resign
from tests.support.waiting import at_once


def resigned(client: Client) -> str:
    """Return a game between Alice and Bob that Bob has given up."""
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    resign(client, url, BOB)
    return url


def offer(client: Client, url: str, who: object) -> str:
    """Let somebody offer a rematch and return the link."""
    offering = link(client.get(url, who), "/rematch")
    assert client.ask(offering, who) == Response(30, url)
    return offering


def test_a_rematch_is_offered_and_accepted(client: Client) -> None:
    url = resigned(client)
    offer(client, url, ALICE)

    assert "You have offered a rematch." in client.get(url, ALICE)
    for who in (CAROL, None):
        assert "rematch" not in client.get(url, who)
    page = client.get("/play/", BOB)
    assert page.startswith("# Your games (1 waiting)\n")
    assert "Ultimate with alice: a rematch is offered, you would be X, 7 days left" in page
    page = client.get(url, BOB)
    assert "Your opponent offers a rematch. You would be X." in page

    rematch = client.ask(links(page)["Accept the rematch, rated"], BOB).meta

    assert client.get(rematch, BOB).startswith("# Ultimate: bob (X) – alice (O)\n")
    assert "Your turn." in client.get(rematch, BOB)
    for who in (ALICE, BOB, CAROL, None):
        assert links(client.get(url, who))["The rematch"] == rematch
        assert links(client.get(f"{rematch}/more", who))["The game before this rematch"] == url


def test_a_rematch_keeps_the_terms(client: Client) -> None:
    page = client.get("/play/new/ultimate?days=2&listed=yes", ALICE)
    (invite,) = (url for url in links(page).values() if "/invite" in url)
    url = client.ask(invite, ALICE).meta
    client.get(link(client.get(url, BOB), "/join"), BOB)
    client.type(link(client.get(url, BOB), "/abort"), "abort", BOB)
    offer(client, url, BOB)
    waiting = links(client.get(url, BOB))["The game that you have offered"]
    assert waiting not in client.get("/games/")
    rematch = client.ask(link(client.get(url, ALICE), "/accept"), ALICE).meta
    assert rematch == waiting
    assert "A move may take 2 days" in client.get(rematch)
    assert rematch in client.get("/games/")


def test_a_rematch_may_be_accepted_on_its_own_page(client: Client) -> None:
    url = resigned(client)
    offer(client, url, ALICE)
    waiting = links(client.get(url, ALICE))["The game that you have offered"]
    client.get(link(client.get(waiting, BOB), "/accept"), BOB)
    assert record(client, waiting)["status"] == "playing"
    assert links(client.get(url))["The rematch"] == waiting


def test_two_offers_make_one_rematch(client: Client) -> None:
    url = resigned(client)
    bobs = link(client.get(url, BOB), "/rematch")
    offer(client, url, ALICE)
    rematch = client.ask(bobs, BOB).meta
    assert rematch != url
    assert record(client, rematch)["status"] == "playing"
    assert client.ask(bobs, BOB) == Response(30, rematch)
    assert len(links(client.get("/play/", BOB).split("Recently ended")[0])) == len(
        links(client.get("/play/", ALICE).split("Recently ended")[0])
    )


def test_who_was_declined_does_not_offer_again_but_the_other_may(client: Client) -> None:
    url = resigned(client)
    offering = offer(client, url, ALICE)
    old = client.get(url, BOB)
    client.get(link(old, "/decline"), BOB)
    assert "Your offer of a rematch was not accepted: bob declined" in client.get(url, ALICE)
    client.get(offering, ALICE)
    assert "offered" not in client.get("/play/", BOB)
    client.get(link(old, "/accept"), BOB)
    assert "The rematch" not in links(client.get(url)), "the old page's link"

    offer(client, url, BOB)

    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    assert "The rematch" in links(client.get(url))


def test_an_offer_lapses_after_seven_days(client: Client) -> None:
    url = resigned(client)
    offer(client, url, ALICE)
    accept = link(client.get(url, BOB), "/accept")
    client.now += timedelta(days=7)
    client.get(accept, BOB)
    assert "The rematch" not in links(client.get(url))
    assert "Your offer of a rematch was not accepted: bob did not answer" in client.get(url, ALICE)
    assert "Play again with the sides swapped, rated" in links(client.get(url, BOB))


def test_a_rematch_comes_after_the_end_and_for_players_only(client: Client, game: str) -> None:
    running = action(client.get(game, ALICE), "resign").replace("/resign", "/rematch")
    assert undone(client, running, ALICE, game)
    assert "rematch" not in client.get(game, ALICE)
    play(client, game, WON_GAMES["ultimate"].split(), ALICE, BOB)
    offering = link(client.get(game, ALICE), "/rematch")
    assert undone(client, offering, CAROL, game)
    assert client.ask(offering) == Response(30, "/play/?unsent")
    offer(client, game, ALICE)
    accept = link(client.get(game, BOB), "/accept")
    for who in (ALICE, CAROL):
        client.ask(accept, who)
    client.ask(offering.replace("/rematch", "/accept"), ALICE)
    assert "The rematch" not in links(client.get(game))


def test_a_bot_plays_a_rematch_at_once_and_moves_before_its_page_is_shown(client: Client) -> None:
    bots = NotingBots()
    client.bots = lambda _: bots
    client.restart()
    url = start(client, "ultimate", "bot-club")
    play(client, url, ["e5"], ALICE)
    resign(client, url, ALICE)
    again = links(client.get(url, ALICE))["Play again with the sides swapped, casual"]
    bots.requests.clear()
    rematch = client.ask(again, ALICE).meta
    assert bots.requests == [(rematch, 0)]
    assert client.get(rematch).startswith("# Ultimate: club bot (X) – alice (O)\n")
    assert client.ask(again, ALICE) == Response(30, rematch), "a reload starts no second one"
    assert links(client.get(url))["The rematch"] == rematch


def test_alone_there_is_no_rematch(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert "rematch" not in client.get(url, ALICE)


def test_two_who_offer_at_the_same_moment_play_one_game(client: Client) -> None:
    url = resigned(client)
    pressing = [(link(client.get(url, who), "/rematch"), who) for who in (ALICE, BOB)] * 4
    at_once([partial(client.ask, *each) for each in pressing])
    rematch = links(client.get(url))["The rematch"]
    assert record(client, rematch)["players"]["X"] in ("alice", "bob")
    for who in (ALICE, BOB):
        running = client.get("/play/", who).split("## Recently ended")[0]
        assert running.count("=> /play/") - running.count("=> /play/new/") == 1
