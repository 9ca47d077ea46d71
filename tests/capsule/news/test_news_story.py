"""The operator publishes news, which stand on home for a week."""

from datetime import timedelta

import pytest

from tests.support.client import Client, links
from tests.support.console import Console
from tests.support.feeds import addresses, entries, ids
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
    assert "There is no news." in client.get("/news")
    assert "/news" not in links(client.get("/")).values()
    printed = tell(console, "The capsule moves on Sunday")
    assert printed == "News number 1 is published: gemini://localhost/news\n"
    for who in (None, ALICE):
        shown = links(client.get("/", who))
        assert shown["News, 20 November 2026: The capsule moves on Sunday"] == "/news"
        page = client.get("/news", who)
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


def test_kept_pages_of_every_process_learn_of_each_change(client: Client, console: Console) -> None:
    other = Client(client.home, client.now)

    def assert_told(*texts: str) -> None:
        # On PostgreSQL, strangers may be given a page that is a second old.
        client.now = other.now = client.now + timedelta(seconds=2)
        for process in (client, other):
            for who in (None, ALICE):
                page = process.get("/news", who)
                told = [each for each in ("first", "last", "second") if f": {each}\n" in page]
                assert told == [*texts]
                assert all((f": {text}" in process.get("/", who)) for text in texts[-1:])
                assert ("News, " in process.get("/", who)) is bool(texts)

    assert_told()
    console.admin("news first")
    assert_told("first")
    console.admin("news second")
    assert_told("first", "second")
    console.admin("news --edit 2 last")
    assert_told("first", "last")
    console.admin("news --withdraw 1")
    assert_told("last")
    console.admin("news --withdraw 2")
    assert_told()
    other.database.close()


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


def test_news_cannot_forge_a_line(client: Client, console: Console) -> None:
    console.admin("news '=> gemini://example.org ``` here'")
    page = client.get("/news")
    assert "\n=> gemini://example.org" not in page


def test_each_is_recorded(console: Console) -> None:
    console.admin("news a secret")
    console.admin("news --edit 1 no secret")
    console.admin("news --withdraw 1")
    assert console.admin("log") == "".join(
        f"2026-11-20 at 14:02 UTC, news: {done} number 1\n"
        for done in ("published", "edited", "withdrew")
    )


def test_many_news_are_read_page_by_page(client: Client, console: Console) -> None:
    for number in range(1, 46):
        console.admin(f"news announcement {number}!")
    read = []
    page = client.get("/news")
    while True:
        read += [line for line in page.splitlines() if "announcement" in line]
        if "Older" not in links(page):
            break
        page = client.get(links(page)["Older"])
    assert read == [f"* 20 November 2026: announcement {number}!" for number in range(45, 0, -1)]
    page = client.get(links(page)["Newer"])
    assert "announcement 25!" in page
    assert links(page)["Newest"] == "/news"
    assert len(entries(client, "/news/feed")) == 30
