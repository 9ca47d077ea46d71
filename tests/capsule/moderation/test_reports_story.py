"""Reports to the operator about the opponent of a game, which nobody else learns of."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from capsule.db.schema.social import reports
from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import ended_game
from tests.support.feeds import private_feed
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, ROOM, start, start_between, undone


def kept(client: Client) -> list[tuple[int, int, str | None, str]]:
    """Return what the operator has: who reports whom, on which game, and what."""
    which = (reports.c.reporter_id, reports.c.reported_id, reports.c.game_id, reports.c.text)
    with client.database.reading() as connection:
        found = connection.execute(reports.select().with_only_columns(*which)).all()
    return [(row[0], row[1], row[2], row[3]) for row in found]


def report(client: Client, url: str, text: str, who: object = ALICE) -> Response:
    """Type a report at the prompt of a game's page and return the answer."""
    return client.type(link(client.get(f"{url}/messages", who), "/report"), text, who)


def test_a_report_reaches_the_operator(client: Client) -> None:
    url = start_between(client, "ultimate")
    before = client.get(url, BOB)
    prompt = links(client.get(f"{url}/messages", ALICE))["Report bob to the operator"]
    assert client.ask(prompt, ALICE) == Response(
        10, f"{ROOM} What should the operator know about bob?"
    )
    answer = client.type(prompt, " called me names ", ALICE)
    assert answer.status == 20
    assert "The operator has your report. bob does not learn of it." in answer.body
    assert links(answer.body)["Back to the game"] == url
    alice, bob = player_id(client, ALICE), player_id(client, BOB)
    assert kept(client) == [(alice, bob, url.removeprefix("/play/"), "called me names")]
    assert client.get(url, BOB) == before
    assert "called" not in client.get(private_feed(client, BOB))
    assert "called me names" not in client.get("/play/me/export.json", BOB)
    assert "called me names" not in client.get(url)


def test_only_an_opponent_can_be_reported(client: Client) -> None:
    url = start_between(client, "ultimate")
    key = link(client.get(f"{url}/messages", ALICE), "/report").split("/")[3]
    start(client, "tinc", "solo", CAROL)
    for way in ("solo", "bot-club", "open"):
        other = start(client, "tinc", way, CAROL)
        assert "/report" not in client.get(f"{other}/messages", CAROL)
    theirs = start(client, "tinc", "solo", BOB)
    assert undone(client, f"{theirs}/{key}/report?rude", ALICE, theirs)
    for who in (CAROL, certificate("new"), None):
        assert "/report" not in client.get(f"{url}/messages", who)
    assert kept(client) == []


def test_opponents_can_be_reported_after_the_game_too(client: Client) -> None:
    url = ended_game(client)
    client.now += timedelta(days=300)
    assert report(client, url, "later").status == 20


@pytest.mark.parametrize("text", ["", "  ", "\r\n", "\u200b", "x" * 281])
def test_a_report_that_is_empty_or_too_long_is_asked_for_again(client: Client, text: str) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(f"{url}/messages", ALICE), "/report")
    answer = client.ask(f"{prompt}?{quote(text)}", ALICE)
    assert answer.status == 10
    assert answer.meta.endswith("What should the operator know about bob?")
    assert kept(client) == []
    assert client.ask(f"{prompt}?rude", ALICE).status == 20, "the same prompt still fits"


def test_a_player_makes_five_reports_a_day(client: Client) -> None:
    url = start_between(client, "ultimate")
    for number in range(5):
        assert report(client, url, f"report {number}").status == 20
    answer = report(client, url, "more")
    assert answer.body.startswith(
        "Nothing was sent. You can make 5 reports a day. Try again on 21 November 2026 at 14:02 "
        "UTC. Your text was:\n> more\n"
    )
    assert report(client, url, "bob's", BOB).status == 20
    client.now += timedelta(days=1)
    assert report(client, url, "more").status == 20
