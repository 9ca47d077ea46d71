"""The position of a day as a text that fits anybody's gemlog, without the solution."""

from datetime import date, timedelta
from urllib.parse import quote

from capsule.gemini.types import Certificate
from tests.capsule.play.test_share_story import text_of
from tests.capsule.puzzles.test_daily_story import answer, position_of
from tests.support.client import Client, links
from tests.support.gemtext import blocks
from tests.support.stories import ALICE, BOB

DAY = "/daily/2026-11-20"


def own_text(client: Client, who: Certificate, day: str = DAY) -> str:
    """Return the text with the reader's own tries, as their page of the day leads to it."""
    page = client.get(
        links(client.get(f"/play{day}", who))["Share this position in your gemlog"], who
    )
    return client.get(links(page)["The text alone, to copy"], who)


def wrong_moves(count: int) -> list[str]:
    puzzle = position_of(date(2026, 11, 20))
    return [each for each in puzzle.position().legal_moves() if each not in puzzle.solutions][
        :count
    ]


def test_the_text_has_the_position_and_its_task_and_no_solution(client: Client) -> None:
    answer(client, BOB)
    puzzle = position_of(date(2026, 11, 20))
    text = text_of(client, DAY)
    assert text.startswith("# The position of 20 November 2026: ")
    assert "1 player found it that day." in text
    assert "Grade" in text
    said = text.split("\n```\n")[1]
    assert str(puzzle.sentence()) in said.replace("\n", " ")
    assert not {*puzzle.solutions} & {*said.replace(".", " ").replace(",", " ").split()}
    assert f"\n=> gemini://localhost{DAY} This position, to solve\n" in text
    assert text.endswith(f"/try/{puzzle.variant}/ Try it without a certificate\n")
    page = client.get(f"{DAY}/share")
    assert links(client.get("/daily/"))["Share this position in your gemlog"] == f"{DAY}/share"
    assert len(blocks(page)) == 1
    assert "I found it" not in text


def test_the_twin_says_how_many_tries_it_took_the_reader(client: Client) -> None:
    wrong = wrong_moves(3)
    assert "I " not in own_text(client, ALICE)
    for move in (wrong[0], wrong[1], wrong[0]):
        answer(client, ALICE, move)
    ways = links(client.get("/play/daily/", ALICE)).values()
    asked = next(way.partition("?")[0] for way in ways if way.partition("?")[0].endswith("/answer"))
    assert "I have tried 2 times, and have not found it." in own_text(client, ALICE)
    answer(client, ALICE)
    assert "I found it in 3 tries." in own_text(client, ALICE)
    client.get(f"{asked}?{quote(wrong[2])}", ALICE)
    assert "I found it in 3 tries." in own_text(client, ALICE), "later answers are no tries"
    answer(client, BOB)
    assert "I found it at the first try." in own_text(client, BOB)
    for who in (None, ALICE, BOB):
        assert "I found it" not in client.get(f"{DAY}/share.gmi", who), "the text is for anyone"


def test_the_public_page_leads_to_the_twin(client: Client) -> None:
    ways = links(client.get(f"{DAY}/share"))
    assert ways["The same with your own tries"] == f"/play{DAY}/share"
    answer(client, ALICE)
    twin = client.get(ways["The same with your own tries"], ALICE)
    assert "I found it at the first try." in twin
    assert "The same with your own tries" not in links(twin)
    assert links(twin)["The text alone, to copy"] == f"/play{DAY}/share.gmi"


def test_the_twin_says_how_many_days_in_a_row(client: Client) -> None:
    for _ in range(3):
        answer(client, ALICE)
        client.now += timedelta(days=1)
    assert "That made 3 days in a row." in own_text(client, ALICE, "/daily/2026-11-22")
    assert "That made 2 days in a row." in own_text(client, ALICE, "/daily/2026-11-21")
    assert "in a row" not in own_text(client, ALICE)
    assert "in a row" not in own_text(client, ALICE, "/daily/2026-11-23")


def test_the_twin_needs_a_certificate(client: Client) -> None:
    for form in ("share", "share.gmi"):
        assert client.ask(f"/play{DAY}/{form}").meta == f"/play/?{DAY[1:]}/{form}"
        assert client.get(f"/play/?{DAY[1:]}/{form}", ALICE) == client.get(
            f"/play{DAY}/{form}", ALICE
        )
