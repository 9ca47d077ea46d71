"""Results as their players read them, at addresses that a browser has not been to."""

import re
from collections.abc import Mapping
from datetime import timedelta

from tests.support.client import Client, action, link, links
from tests.support.feeds import addresses, private_feed
from tests.support.stories import ALICE, BOB, WON_GAMES, play, played, start, start_between


def recently_ended(client: Client) -> Mapping[str, str]:
    """Return the links of alice's list of games that have ended."""
    _, _, rest = client.get("/play/", ALICE).partition("## Recently ended\n")
    return links(rest.partition("\n## ")[0])


def test_a_result_says_what_it_was_for_its_reader(client: Client) -> None:
    lost = played(client, "numeric")
    won = start_between(client, "tinc", BOB, ALICE)
    play(client, won, ["a1", "c1"], BOB, ALICE)
    client.type(action(client.get(won, BOB), "resign"), "resign", BOB)
    drawn = start_between(client, "quantum", ALICE, BOB)
    client.get(link(client.get(drawn, ALICE), "/draw"), ALICE)
    client.get(link(client.get(drawn, BOB), "/accept"), BOB)
    off = start_between(client, "extreme", ALICE, BOB)
    client.type(link(client.get(off, ALICE), "/abort"), "abort", ALICE)
    alone = start(client, "ultimate", "solo")
    play(client, alone, ["e5", "d4"], ALICE)
    client.type(action(client.get(alone, ALICE), "resign"), "resign", ALICE)
    assert recently_ended(client) == {
        "Lost to bob, Numeric": f"{lost}?end",
        "Won against bob by resignation, Tinc": f"{won}?end",
        "Drew with bob by agreement, Quantum": f"{drawn}?end",
        "Aborted: Extreme with bob, you aborted the game": f"{off}?end",
        "Ultimate alone: O won": f"{alone}?end",
    }
    assert client.get(f"{lost}?end", ALICE) == client.get(lost, ALICE)


def test_results_in_the_same_words_have_their_times(client: Client) -> None:
    for _ in range(2):
        played(client, "numeric")
        client.now += timedelta(hours=1)
    assert list(recently_ended(client)) == [
        "Lost to bob, Numeric, 20 November 2026 at 15:02 UTC",
        "Lost to bob, Numeric, 20 November 2026 at 14:02 UTC",
    ]


def test_the_list_and_the_feed_lead_to_a_turn_and_to_an_end_by_the_same_addresses(
    client: Client,
) -> None:
    url = start_between(client, "numeric")
    moves = WON_GAMES["numeric"].split()
    play(client, url, moves[:-2], ALICE, BOB)
    newest, *_ = addresses(client, private_feed(client, ALICE))
    assert newest == f"{url}?turn-{len(moves) - 1}"
    assert newest in links(client.get("/play/", ALICE)).values()
    play(client, url, moves[-2:], ALICE, BOB)
    newest, *_ = addresses(client, private_feed(client, ALICE))
    assert newest in recently_ended(client).values()


def test_after_a_takeback_the_same_turn_is_new_again(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    before = turn_of(client, url)
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    play(client, url, ["c1"], BOB)
    assert turn_of(client, url) not in (None, before)


def turn_of(client: Client, url: str) -> str | None:
    """Return the address of alice's turn in a game, as her list has it."""
    found = re.search(rf"^=> ({url}\?turn-\S+) ", client.get("/play/", ALICE), re.MULTILINE)
    return found and found[1]
