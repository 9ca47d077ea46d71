"""“Refresh” and the like lead to addresses that a browser has not kept a page at."""

import re
from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate
from tests.support.client import Client, links
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, CAROL, play, start_between


@pytest.mark.parametrize("who", [None, CAROL, ALICE])
def test_each_refresh_is_at_another_address(client: Client, who: Certificate | None) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    shown = [url]
    for seconds in (60, 1, 0):
        client.now += timedelta(seconds=seconds)
        shown.append(links(client.get(shown[-1], who))["Refresh"])
    assert len(set(shown)) == 4
    play(client, url, ["d4"], BOB)
    refreshed, page = (re.sub(r"\?at-\d+", "", client.get(each, who)) for each in (shown[-1], url))
    assert refreshed == page


def test_your_games_are_at_a_new_address_whenever_they_are_asked_for(client: Client) -> None:
    url = start_between(client, "ultimate")
    first = links(client.get(url, ALICE))["Your games"]
    client.now += timedelta(seconds=1)
    assert links(client.get(url, ALICE))["Your games"] != first
    assert client.get(first, ALICE) == client.get("/play/", ALICE)
    assert client.ask(first).status == 60


@pytest.mark.sqlite  # on PostgreSQL no page is kept
def test_a_page_is_kept_for_all_times_of_asking(client: Client) -> None:
    url = start_between(client, "ultimate")
    before = client.get(url, ALICE)
    client.now += timedelta(seconds=1)
    with recorded_queries(client) as recorded:
        after = client.get(f"{url}?at-1", ALICE)
    assert not recorded
    old, new = links(before)["Your games"], links(after)["Your games"]
    assert after == before.replace(old, new)


def test_crawlers_find_one_address_a_minute(client: Client) -> None:
    url = start_between(client, "ultimate")
    found = set()
    for _ in range(4):
        client.now += timedelta(seconds=15)
        found.add(links(client.get(url))["Refresh"])
    assert len(found) <= 2
