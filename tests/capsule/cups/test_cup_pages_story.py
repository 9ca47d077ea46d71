"""The pages and feeds of the cups: what they tell, to whom, and that they tell it at once."""

import pytest

from tests.support.client import Client, links
from tests.support.cups import OWN, at, begin_cup, enter, lose, names_in, open_entry, parts, sweep
from tests.support.feeds import private_feed
from tests.support.stories import ALICE, BOB

WHOLE = "Cup of January 2027"


def test_entrants_are_reminded_two_days_before_it_begins_and_others_are_not(client: Client) -> None:
    open_entry(client, 3)
    enter(client, ALICE)
    reminder = "The cup of January 2027 is about to begin: Numeric"
    feeds = {who: private_feed(client, who) for who in (ALICE, BOB)}
    client.now = at("2026-12-29 23:59")
    assert reminder not in client.get(feeds[ALICE])
    client.now = at("2026-12-30 00:00")
    assert reminder in client.get(feeds[ALICE])
    assert reminder not in client.get(feeds[BOB])
    client.now = at("2026-12-31 23:00")
    enter(client, BOB)
    assert reminder in client.get(feeds[BOB]), "who enters late is reminded at once"


def test_a_cup_with_groups_is_told_once_by_public_feeds(client: Client) -> None:
    begin_cup(client, 8)
    for url in parts(client, "2027-01").values():
        lose(client, url, min(names_in(client, url)))
    sweep(client)
    final = parts(client, "2027-01")[f"{WHOLE}, final"]
    lose(client, final, min(names_in(client, final)))
    sweep(client)
    for path in ("/feed", "/games/numeric/feed"):
        told = [url for url in links(client.get(path)).values() if "20" in url]
        events = [url for url in told if url.startswith(("/cups/", "/play/tournaments/"))]
        assert events == ["/cups/2027-01?over", "/cups/2027-01?begun"], path
    assert "The final of the cup of January 2027 begins" in client.get("/cups/feed")


@pytest.mark.parametrize(
    "month", ["2026-12", "2027-00", "2027-13", "2027-1", "0000-01", "9999-12", "2027-01-01", "x"]
)
def test_a_month_without_a_cup_is_not_there(client: Client, month: str) -> None:
    open_entry(client, 3)
    for path in (f"/cups/{month}", f"/cups/{month}/feed", f"/cups/{month}/feed.xml"):
        assert client.ask(path).status == 51, path
    assert client.get(f"/cups/?{month}").startswith("# The monthly cup\n")


def test_a_page_without_a_certificate_tells_nothing_of_its_reader(client: Client) -> None:
    begin_cup(client, 3)
    public = {path: client.get(path) for path in ("/cups/", "/cups/2027-01")}
    for path, page in public.items():
        assert client.get(path, ALICE) == page
        assert "/enter" not in page
        assert "/leave" not in page
    assert client.ask(OWN).meta == "/play/?cups/"
