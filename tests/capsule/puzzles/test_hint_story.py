"""Hints and solutions: an idea, an area, and the whole line for those who give up."""

from urllib.parse import quote

import pytest

from capsule.gemini.types import Response
from engine import VARIANTS
from engine.puzzles import area_of, idea_of, puzzles_of
from tests.support.client import Client, link, links
from tests.support.puzzles import (
    FIRST,
    PUBLISHED,
    address,
    answer,
    gain,
    puzzle,
    rating_shown,
    wrong_move,
)
from tests.support.stories import ALICE, undone


def test_hints_come_in_two_steps(client: Client) -> None:
    hard = puzzle(number=len(puzzles_of("numeric")))
    first = client.get(link(client.get(address(hard)), "/hint/1"))
    assert str(idea_of(hard)) in first
    assert "lets" not in first, "no move is refuted that nobody has played"
    second = client.get(link(first, "/hint/2"))
    assert str(area_of(hard)) in second
    for page in (first, second):
        assert not any(move in page for move in hard.solutions)
    assert "Show the solution" not in first
    solution = client.get(links(second)["Show the solution"])
    assert all(move in solution for move in hard.line)


def test_after_a_wrong_answer_the_solution_is_one_link_away(client: Client) -> None:
    for variant in PUBLISHED:
        missed = puzzle(variant, 30)
        page = client.get(address(missed, wrong_move(missed)))
        shown = client.get(links(page)["Show the solution"])
        assert shown.startswith(f"# The solution of puzzle 30 of {VARIANTS[variant].name}")
        assert all(move in shown for move in missed.line)
        assert "counts as not found" not in shown, "nothing is counted without a certificate"


def test_a_hint_before_it_keeps_an_answer_from_counting(client: Client) -> None:
    page = client.get(f"/play{FIRST}", ALICE)
    hint = link(page, "/hint")
    assert "will not count" in next(label for label, url in links(page).items() if url == hint)
    assert client.ask(hint, ALICE) == Response(30, f"/play{FIRST}/hint/1")
    assert "You have had a hint" in client.get(f"/play{FIRST}", ALICE)
    assert "Your puzzle rating" not in answer(client, puzzle(), puzzle().solutions[0])
    assert "You have solved 1. No answer has counted" in client.get("/play/puzzles/", ALICE)


@pytest.mark.parametrize("hint", ["hint/1", "hint/2"])
@pytest.mark.parametrize("area", ["/play", ""])
def test_a_hint_whose_address_is_typed_counts_as_asked_for(
    client: Client, area: str, hint: str
) -> None:
    answer(client, puzzle(number=2), puzzle(number=2).solutions[0])
    rating = f"Your puzzle rating is {rating_shown(client)}"
    assert client.ask(f"{area}{FIRST}/{hint}", ALICE).status == 20
    assert "You have had a hint" in client.get(f"/play{FIRST}", ALICE)
    assert "Your puzzle rating" not in answer(client, puzzle(), puzzle().solutions[0])
    assert rating in client.get("/play/puzzles/", ALICE)


def test_a_hint_read_after_the_answer_takes_nothing_away(client: Client) -> None:
    gained = gain(answer(client, puzzle(), puzzle().solutions[0]))
    client.get(f"/play{FIRST}/hint/1", ALICE)
    assert gained > 0
    assert "You have had a hint" not in client.get(f"/play{FIRST}", ALICE)


def test_a_solution_that_was_shown_counts_as_not_found(client: Client) -> None:
    missed = puzzle()
    page = answer(client, missed, wrong_move(missed))
    page = client.get(links(page)["Show the solution: it counts as not found"], ALICE)
    assert "The puzzle counts as not found." in page
    assert links(page)["Next puzzle"] == "/play/puzzles/numeric/2"
    assert "You have seen the solution" in client.get(f"/play{FIRST}", ALICE)
    answer(client, missed, missed.solutions[0])
    assert "You have seen the solution" in client.get(f"/play{FIRST}", ALICE)
    assert "You have solved 0 of 100." in client.get("/play/puzzles/numeric/", ALICE)
    assert client.ask("/play/puzzles/practice/numeric", ALICE).meta != f"/play{FIRST}"


def test_a_solution_that_was_shown_does_not_find_the_position_of_the_day(client: Client) -> None:
    day = links(client.get("/play/daily/", ALICE))
    asked = next(url.partition("?")[0] for url in day.values() if "/answer" in url)
    variant, number = asked.split("/")[3:5]
    today = puzzle(variant, int(number))
    page = answer(client, today, wrong_move(today))
    client.get(links(page)["Show the solution: it counts as not found"], ALICE)
    answer(client, today, today.solutions[0])
    assert "You have found it" not in client.get("/play/daily/", ALICE)


def test_a_solution_is_not_shown_to_players_who_have_not_tried(client: Client) -> None:
    page = client.get(f"/play{FIRST}", ALICE)
    assert "Show the solution" not in page
    assert client.ask(f"/play{FIRST}/solution", ALICE) == Response(30, f"/play{FIRST}")
    asked = next(url for url in links(page).values() if url.partition("?")[0].endswith("/answer"))
    give_up = asked.partition("?")[0].replace("/answer", "/solution")
    assert undone(client, give_up, ALICE, f"/play{FIRST}"), "there is no player to give up"
    assert client.ask(f"/play{FIRST}/solution", ALICE) == Response(30, f"/play{FIRST}")
    answer(client, puzzle(), puzzle().solutions[0])
    assert client.ask(f"/play{FIRST}/solution", ALICE).status == 20
    assert "You solved it with your first answer" in client.get(f"/play{FIRST}", ALICE)


def test_two_hints_offer_a_player_the_solution_and_one_does_not(client: Client) -> None:
    first = client.get(link(client.get(f"/play{FIRST}", ALICE), "/hint"), ALICE)
    for page in (first, client.get(f"/play{FIRST}", ALICE)):
        assert "Show the solution" not in page
    second = client.get(link(first, "/hint/2"), ALICE)
    shown = client.get(links(second)["Show the solution: it counts as not found"], ALICE)
    assert "The puzzle counts as not found." in shown
    again = links(client.get(f"/play{FIRST}", ALICE))["The solution again"]
    assert client.get(again, ALICE) == shown
    answer(client, puzzle(), puzzle().solutions[0])
    assert "You have seen the solution" in client.get(f"/play{FIRST}", ALICE)


def test_a_certificate_that_is_no_player_yet_is_offered_no_solution(client: Client) -> None:
    for page in ("hint/2", f"answered?{quote(wrong_move(puzzle()))}"):
        assert "Show the solution" not in client.get(f"/play{FIRST}/{page}", ALICE)
