"""The position of the day: a new one at midnight, the same for everybody."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote

import feedparser
import pytest

from capsule.gemini.types import Certificate, Response
from capsule.puzzles import daily
from capsule.puzzles.daily import EDITIONS, puzzle_on
from engine.puzzles import Puzzle, puzzle as puzzle_of
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.feeds import ORIGIN, entries, ids
from tests.support.puzzles import wrong_move
from tests.support.stories import ALICE, BOB, CAROL

TODAY = BEGINNING.date()
MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)


def position_of(day: date) -> Puzzle:
    chosen = puzzle_on(day)
    assert chosen is not None
    found = puzzle_of(chosen.variant, chosen.number)
    assert found is not None
    return found


def answer(client: Client, who: Certificate, move: str | None = None) -> str:
    """Answer today's position on its page, rightly if no move is given."""
    page = client.get("/play/daily/", who)
    asked = next(url for url in links(page).values() if url.partition("?")[0].endswith("/answer"))
    right = position_of(client.now.date()).solutions[0]
    return client.get(f"{asked.partition('?')[0]}?{quote(move or right)}", who)


def test_everybody_has_the_same_position_until_midnight(client: Client) -> None:
    todays = position_of(TODAY)
    for who in (None, ALICE, BOB):
        page = client.get("/daily/", who)
        assert page.startswith("# The position of the day, 20 November 2026: ")
        assert str(todays.sentence()) in page
    client.now = MIDNIGHT - timedelta(microseconds=1)
    assert client.get("/daily/").startswith("# The position of the day, 20 November 2026: ")
    client.now = MIDNIGHT
    assert client.get("/daily/").startswith("# The position of the day, 21 November 2026: ")
    assert str(position_of(MIDNIGHT.date()).sentence()) in client.get("/daily/")


def test_a_day_can_be_looked_up_by_its_date_and_has_its_solution(client: Client) -> None:
    day = TODAY - timedelta(days=1)
    past = position_of(day)
    page = client.get(f"/daily/{day}")
    assert page.startswith("# The position of 19 November 2026: ")
    assert "## The solution" in page
    assert all(move in page.partition("## The solution")[2] for move in past.line)
    assert f"/puzzles/{past.variant}/{past.number}" in links(page).values()


def test_todays_page_has_yesterdays_solution_and_not_its_own(client: Client) -> None:
    page = client.get("/daily/")
    yesterday = position_of(TODAY - timedelta(days=1))
    match = re.search(r"The solution: (.+)\.$", page, re.MULTILINE)
    assert match is not None
    assert [each.split()[-1] for each in match[1].split(", ")] == [*yesterday.line]
    assert f"/daily/{TODAY - timedelta(days=1)}" in links(page).values()
    assert "## The solution" not in client.get(f"/daily/{TODAY}")


@pytest.mark.parametrize(
    "day",
    [
        TODAY + timedelta(days=1),
        EDITIONS[0].since - timedelta(days=1),
        "2026-02-30",
        "2026-13-01",
        "0001-01-01",
        "9999-12-31",
    ],
)
def test_a_day_that_has_none_is_not_there(client: Client, day: object) -> None:
    for path in (f"/daily/{day}", f"/daily/{day}/share"):
        assert client.ask(path).status == 51


def test_the_first_day_has_no_day_before_it(client: Client) -> None:
    client.now = datetime.combine(EDITIONS[0].since, BEGINNING.timetz())
    who = certificate("early", not_before=client.now - timedelta(days=1))
    for page in (client.get("/daily/"), client.get("/daily/", who)):
        assert "Yesterday" not in page
    client.now -= timedelta(days=1)
    assert "no position of the day today" in client.get("/daily/")
    assert "/daily/" not in links(client.get("/")).values()


def test_it_is_one_line_and_link_on_the_home_page(client: Client) -> None:
    label = next(label for label, url in links(client.get("/")).items() if url == "/daily/")
    assert position_of(TODAY).variant in label.lower()


def test_the_feed_has_an_entry_a_day_at_midnight(client: Client) -> None:
    page = client.get("/daily/feed")
    assert page.startswith("# Oxonaut: the position of the day\n")
    first = next(iter(links(page).items()))
    assert first[1] == f"/daily/{TODAY}"
    assert first[0].startswith(f"{TODAY} - ")
    assert ids(client, "/daily/feed")[0] == f"/daily/{TODAY}"
    read: Any = feedparser.parse(client.get("/daily/feed.xml"))
    assert not read.bozo, read.bozo_exception
    assert read.entries[0].link == f"{ORIGIN}/daily/{TODAY}"
    before = entries(client, "/daily/feed")
    client.now += timedelta(days=1)
    assert entries(client, "/daily/feed")[1:] == before, "days stay as they are"


def test_it_is_solved_on_its_page_and_days_in_a_row_are_counted(client: Client) -> None:
    for day in range(3):
        client.now = BEGINNING + timedelta(days=day)
        assert "You have found it" not in client.get("/play/daily/", ALICE)
        answer(client, ALICE)
        page = client.get("/daily/", ALICE)
        assert "You have found it before anyone else today." in page
        assert f"(best {day + 1})." in page
    client.now += timedelta(days=1)
    assert "Your streak: 3 days (best 3)." in client.get("/daily/", ALICE), (
        "today may still be added"
    )
    client.now += timedelta(days=1)
    assert "Your streak: 0 days (best 3)." in client.get("/daily/", ALICE)


def test_the_number_of_solvers_is_shown_at_once(client: Client) -> None:
    for who in (None, ALICE, BOB, CAROL):
        client.get("/daily/", who)
    answer(client, ALICE, wrong_move(position_of(TODAY)))
    assert "found it" not in client.get("/daily/")
    answer(client, ALICE)
    answer(client, BOB)
    assert "2 players have found it today." in client.get("/daily/")
    assert "2 players have found it today." in client.get("/daily/", CAROL)
    assert "You have found it. So has 1 other player today." in client.get("/daily/", ALICE)
    client.now += timedelta(days=1)
    assert "2 players found it that day." in client.get(f"/daily/{TODAY}")
    assert "You found it, too." in client.get(f"/daily/{TODAY}", ALICE)


def test_beyond_many_nobody_is_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "MAX_COUNTED", 1)
    answer(client, ALICE)
    assert "1 player has found it today." in client.get("/daily/", CAROL)
    answer(client, BOB)
    assert "\nMore than 1 player has found it today.\n" in client.get("/daily/", CAROL)
    assert "You have found it. More than 1 player" in client.get("/daily/", ALICE)
    client.now += timedelta(days=1)
    assert "More than 1 player found it that day." in client.get(f"/daily/{TODAY}")


def test_a_day_is_solved_by_a_puzzle_solved_before_if_it_is_solved_again(client: Client) -> None:
    answer(client, ALICE)
    todays = position_of(TODAY)
    day = TODAY + timedelta(days=1)
    while position_of(day) != todays:
        day += timedelta(days=1)
        assert day < TODAY + timedelta(days=3000)
    client.now = datetime.combine(day, BEGINNING.timetz())
    assert "You have found it" not in client.get("/daily/", ALICE)
    answer(client, ALICE)
    assert "You have found it" in client.get("/daily/", ALICE)


def test_a_past_day_cannot_be_made_up_for(client: Client) -> None:
    past = position_of(TODAY - timedelta(days=1))
    asked = link(client.get(f"/play/puzzles/{past.variant}/{past.number}", ALICE), "/answer")
    client.get(f"{asked}?{quote(past.solutions[0])}", ALICE)
    assert "You found it, too." not in client.get(f"/daily/{TODAY - timedelta(days=1)}", ALICE)


def test_the_way_to_sign_in_leads_back_to_the_day(client: Client) -> None:
    assert client.ask("/play/daily/") == Response(30, "/play/?daily/")
    assert client.get("/play/?daily/", ALICE) == client.get("/play/daily/", ALICE)
    assert "/play/?daily/" in links(client.get("/daily/")).values()
