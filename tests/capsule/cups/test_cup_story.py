"""A monthly cup from the opening of its entry to its winners."""

from datetime import timedelta

from tests.support.client import Client, links
from tests.support.cups import (
    OWN,
    act,
    at,
    begin_cup,
    enter,
    lose,
    make_count,
    parts,
    people,
    sweep,
    travel,
)
from tests.support.stories import ALICE, BOB, CAROL
from tests.support.tournaments import games


def test_three_play_the_first_cup(client: Client) -> None:
    client.now = at("2026-11-24 12:00")
    make_count(client, people(3))
    assert "Entry opens on 20 December 2026 at 00:00 UTC." in client.get("/cups/")
    sweep(client)
    page = client.get("/cups/")
    assert next(iter(links(page).values())) == "/help/cups", "nothing can be entered or played"
    assert "## The cup of January 2027: Numeric" in page
    assert "The cup begins on 1 January 2027 at 00:00 UTC." in page
    assert "/enter " not in client.get(OWN, ALICE)
    travel(client, "2026-12-20 00:01")
    assert "Entry is open until the cup begins, on 1 January 2027 at 00:00 UTC." in client.get(
        "/cups/"
    )
    assert links(client.get(OWN, ALICE))["Enter the cup of January 2027: Numeric"].endswith(
        "/enter"
    )
    enter(client, ALICE, BOB, CAROL)
    assert "You have entered the cup of January 2027, Numeric." in client.get(OWN, ALICE)
    assert "=> /players/carol carol" in client.get("/cups/2027-01")
    travel(client, "2027-01-01 00:01")
    assert "All play in one group." in client.get("/cups/")
    ((title, group),) = parts(client, "2027-01").items()
    assert title == "Cup of January 2027"
    page = client.get(group)
    assert "It ends on 15 February 2027 at 00:00 UTC at the latest." in page
    assert "Numeric, 3 days a move, rated." in page
    assert len(games(client, group)) == 6
    lose(client, group, "bob")
    sweep(client)
    assert "bob won the cup on 1 January 2027." in client.get("/cups/2027-01")
    assert "=> /cups/2027-01 January 2027, Numeric: bob\n" in client.get("/cups/")
    page = client.get(OWN, CAROL)
    assert "You are entered in the cup of February 2027, Quantum, because" in page
    assert "The monthly cup: you are entered for February 2027" in client.get("/play/", CAROL)
    act(client, "leave", CAROL)
    assert "/players/carol" not in client.get("/cups/2027-02")
    assert "/players/alice" in client.get("/cups/2027-02")


def test_twelve_play_two_groups_and_a_final(client: Client) -> None:
    begin_cup(client, 12)
    found = parts(client, "2027-01")
    assert [*found] == ["Cup of January 2027, group 1", "Cup of January 2027, group 2"]
    first, second = found.values()
    winners = []
    for url in (first, second):
        winners.append(next(iter(games(client, url)))[0])
        assert len(games(client, url)) == 30
        page = client.get("/cups/2027-01")
        assert "2 groups are being played. Next is the final" in page
        assert "Cup of January 2027, final" not in parts(client, "2027-01")
        lose(client, url, winners[-1])
        client.now += timedelta(days=1)
        sweep(client)
    page = client.get("/cups/2027-01")
    assert "The final is being played." in page
    final = parts(client, "2027-01")["Cup of January 2027, final"]
    assert set(games(client, final)) == {(winners[0], winners[1]), (winners[1], winners[0])}
    lose(client, final, winners[1])
    sweep(client)
    assert f"{winners[1]} won the cup on 3 January 2027." in client.get("/cups/2027-01")
    assert f"January 2027, Numeric: {winners[1]}\n" in client.get("/cups/")
