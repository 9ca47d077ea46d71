"""Open seats: everybody's first stands before anybody's second, and nobody takes them all."""

import json
import re
from datetime import timedelta

from capsule.gemini.types import Certificate
from tests.support.client import Client, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, start

EVES = [certificate(f"eve-{number}") for number in range(12)]


def offer(client: Client, who: Certificate, count: int = 1, variant: str = "tinc") -> list[str]:
    """Let somebody offer games to anyone, a minute apart, and return their URLs."""
    urls = []
    for _ in range(count):
        client.now += timedelta(minutes=1)
        urls.append(start(client, variant, "open", who))
    return urls


def take(client: Client, url: str, who: Certificate) -> str:
    """Take an open seat and return the page that follows."""
    return client.get(link(client.get(url, who), "/join"), who)


def shown(client: Client, path: str = "/games/", who: Certificate | None = None) -> list[str]:
    """Return the games that wait on a page, in its order."""
    waiting = client.get(path, who).partition("## Waiting for an opponent")[2].partition("\n## ")[0]
    return re.findall(r"/play/[a-z2-7]{10}", waiting)


def listed(client: Client, who: Certificate | None = None) -> list[str]:
    """Return the open seats in JSON, from one address to the next."""
    path, found = "/games/open.json", []
    while path:
        data = json.loads(client.get(path, who))
        found += [each["page"] for each in data["games"]]
        path = data["next"]
    return found


def test_one_honest_seat_stands_before_the_second_ones_of_others(client: Client) -> None:
    (honest,) = offer(client, ALICE)
    crowd = [offer(client, eve, 6) for eve in EVES]
    firsts = [urls[0] for urls in reversed(crowd)] + [honest]
    for path in ("/games/", "/games/tinc"):
        assert shown(client, path)[: len(firsts)] == firsts
    assert listed(client)[: len(firsts)] == firsts
    page = client.get("/play/new/tinc", BOB)
    waiting = [url for url in links(page).values() if re.fullmatch("/play/[a-z2-7]{10}", url)]
    assert waiting == firsts[: len(waiting)]


def test_the_lists_lead_on_to_every_seat_once(client: Client) -> None:
    urls = [url for eve in EVES for url in offer(client, eve, 6)]
    found = listed(client)
    assert sorted(found) == sorted(urls)
    assert len(json.loads(client.get("/games/open.json"))["games"]) == 50
    path, pages = "/games/", []
    while path:
        pages.append(shown(client, path))
        path = links(client.get(path)).get("More games waiting", "")
    assert [url for page in pages for url in page] == found
    last = "/games/?waiting-older-5-0-aaaaaaaaaa"
    assert shown(client, last) == pages[0], "beyond the end it begins again"


def test_the_list_leads_back(client: Client) -> None:
    for eve in EVES:
        offer(client, eve, 4)
    second = links(client.get("/games/"))["More games waiting"]
    third = links(client.get(second))["More games waiting"]
    assert shown(client, links(client.get(third))["The games before these"]) == shown(
        client, second
    )


def test_where_a_seat_is_taken_or_aborted_the_last_one_moves_up(client: Client) -> None:
    mine = offer(client, ALICE, 4)
    (other,) = offer(client, BOB)
    assert shown(client) == [other, *mine]
    take(client, mine[0], CAROL)
    assert shown(client) == [other, mine[3], *mine[1:3]]
    client.type(link(client.get(mine[3], ALICE), "/abort"), "abort", ALICE)
    assert shown(client) == [other, mine[2], mine[1]]
    (another,) = offer(client, ALICE)
    assert shown(client) == [other, mine[2], mine[1], another]
    client.now += timedelta(days=7)
    (late,) = offer(client, ALICE)
    assert shown(client) == [late]


def test_ten_seats_a_day_are_enough(client: Client) -> None:
    urls = [url for eve in EVES[:3] for url in offer(client, eve, 4)]
    began = client.now
    for url in urls[:10]:
        assert "Too many games" not in take(client, url, ALICE)
        client.now += timedelta(minutes=1)
    page = take(client, urls[10], ALICE)
    assert page.startswith("# Too many games\n")
    assert (
        "You have taken 10 open seats within 24 hours, the most allowed. You can take the next one "
        "on 21 November 2026 at 14:14 UTC." in page
    )
    seat = next(
        each
        for each in json.loads(client.get("/games/open.json", ALICE))["games"]
        if each["page"] == urls[10]
    )
    assert "the next one on 21 November" in json.loads(client.get(seat["join"], ALICE))["error"]
    assert "Too many games" not in take(client, urls[10], BOB), "it is still open to others"
    client.now = began + timedelta(days=1)
    assert "Too many games" not in take(client, urls[11], ALICE)


def test_challenges_and_own_games_take_no_seats(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    for eve in EVES[:10]:
        (url,) = offer(client, eve)
        take(client, url, ALICE)
    start(client, "tinc", "bot-club", ALICE)
    page = client.get("/play/new/tinc", BOB)
    challenge = client.type(link(page, "/challenge"), "alice", BOB).meta
    client.get(link(client.get(challenge, ALICE), "/accept"), ALICE)
    assert "Abort" in client.get(challenge, ALICE)
    (url,) = offer(client, CAROL)
    assert "Too many games" in take(client, url, ALICE)
