"""The operator publishes news, which stand on home for a week."""

from datetime import timedelta

import pytest

from capsule.news.publishing import publish
from tests.support.acting import operate
from tests.support.client import Client, context_of, links
from tests.support.console import Console
from tests.support.feeds import addresses, entries, ids
from tests.support.pages import read
from tests.support.stored import on_disk
from tests.support.stories import ALICE

WEEK, MOMENT = timedelta(days=7), timedelta(seconds=11)
"""The time for which news stand on home, and that for which other pages may be kept."""


def tell(console: Console, line: str) -> str:
    """Return what is printed after `oxonaut admin news`, and wait until everybody sees it."""
    printed = console.admin(f"news {line}")
    console.client.now += MOMENT
    return printed


def test_news_stand_on_their_page_and_for_a_week_on_home(client: Client, console: Console) -> None:
    assert "There is no news." in read(client, "/news")
    assert "/news" not in read(client, "/").links.values()
    printed = tell(console, "The capsule moves on Sunday")
    assert printed == "News number 1 is published: gemini://localhost/news\n"
    for who in (None, ALICE):
        home = read(client, "/", who)
        assert home.links["News, 20 November 2026: The capsule moves on Sunday"] == "/news"
        page = read(client, home.link("capsule moves"), who)
        assert page.title == "News"
        assert "* 20 November 2026: The capsule moves on Sunday\n" in page
    client.now += WEEK - 2 * MOMENT
    assert "/news" in links(client.get("/")).values()
    client.now += MOMENT
    assert "/news" not in links(client.get("/")).values()
    assert "The capsule moves on Sunday" in client.get("/news")


def test_the_newest_stands_on_home_and_after_it_is_withdrawn_the_one_before(
    client: Client, console: Console
) -> None:
    tell(console, "first")
    client.now += timedelta(days=1)
    tell(console, "second")
    assert "News, 21 November 2026: second" in links(client.get("/"))
    page = client.get("/news")
    assert page.index("second") < page.index("first")
    tell(console, "--withdraw 2")
    assert "second" not in client.get("/news")
    assert "News, 20 November 2026: first" in links(client.get("/"))
    tell(console, "third")
    assert "3" in tell(console, "--edit 3 the third")
    assert "the third" in client.get("/news")


def test_edited_news_keep_their_number_and_their_date(client: Client, console: Console) -> None:
    tell(console, "Tehre is a cup")
    client.get("/"), client.get("/news")
    client.now += timedelta(days=2)
    assert tell(console, "--edit 1 There is a cup") == "News number 1 is edited.\n"
    assert "News, 20 November 2026: There is a cup" in links(client.get("/"))
    assert entries(client, "/news/feed") == ["There is a cup"]
    assert addresses(client, "/news/feed") == ids(client, "/news/feed") == ["/news?1"]


def test_what_cannot_be_news_is_refused(client: Client, console: Console) -> None:
    assert console.refusal("news") == "That cannot be the news. There is nothing to read in it."
    assert "only 280 fit" in console.refusal(f"news {'x' * 281}")
    assert console.refusal("news --edit 1 text") == "There is no news number 1."
    assert console.refusal("news --withdraw 1") == "There is no news number 1."
    console.admin("news stays")
    assert console.refusal("news --withdraw 1 stays") == (
        "To withdraw news, give their number alone."
    )
    assert "stays" in client.get("/news")


def test_withdrawn_news_leave_the_disk(client: Client, console: Console) -> None:
    console.admin("news a slip of the tongue")
    console.admin("news --withdraw 1")
    assert b"slip of the tongue" not in on_disk(client)


@pytest.mark.parametrize("query", ["0", "x", "1%0D%0A", "-1", "9" * 400])
def test_a_query_that_is_no_number_begins_with_the_newest(
    client: Client, console: Console, query: str
) -> None:
    console.admin("news first")
    assert client.get(f"/news?{query}") == client.get("/news")


def test_each_is_recorded(console: Console) -> None:
    console.admin("news a secret")
    console.admin("news --edit 1 no secret")
    console.admin("news --withdraw 1")
    assert console.admin("log") == "".join(
        f"2026-11-20 at 14:02 UTC, news: {done} number 1\n"
        for done in ("published", "edited", "withdrew")
    )


def test_older_news_are_pages_of_twenty(client: Client) -> None:
    for number in range(1, 42):
        operate(publish, context_of(client), f"item {number}.")
    page = read(client, "/news")
    assert ("item 41." in page, "item 22." in page, "item 21." in page) == (True, True, False)
    last = read(client, read(client, page.link("Older")).link("Older"))
    assert ("item 1." in last, "item 2." in last) == (True, False)
    assert "Older" not in last
    middle = read(client, last.link("Newer"))
    assert ("item 21." in middle, "item 22." in middle) == (True, False)
    assert read(client, middle.link("Newest")) == page
