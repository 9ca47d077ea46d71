"""Days a move: what each player sees, who may claim, and what ends by itself."""

import re
from datetime import timedelta

import pytest

from capsule.games import deadlines
from tests.support.client import BEGINNING, Client, action, link, links
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, undone


def sweep(client: Client) -> int:
    """End what is over, as the capsule does now and then."""
    return deadlines.end_overdue(client.context, limit=2)


def between_with(client: Client, days: str, moves: str = "e5 d4") -> str:
    """Start a game between Alice and Bob with these days a move, and play moves."""
    page = client.get(f"/play/new/ultimate?days={days}&listed=no", ALICE)
    (invite,) = (url for url in links(page).values() if "/invite" in url)
    url = client.ask(invite, ALICE).meta
    client.get(link(client.get(url, BOB), "/join"), BOB)
    play(client, url, moves.split(), ALICE, BOB)
    return url


def but_ratings(page: str) -> str:
    """Return a page without what a game did to ratings: that is known when the sweep stores it.

    Nor are the rules of a first game in it, which another one that has ended makes the second.
    """
    left_out = r"^(Rated:|Ratings in|=> /players/ladder/|\* ).*\n"
    return re.sub(left_out, "", page, flags=re.MULTILINE)


def pass_days(client: Client, days: float) -> None:
    client.now += timedelta(days=days)


def test_the_page_says_until_when_a_move_may_take(client: Client) -> None:
    url = between_with(client, "3")
    rest = "until 23 November 2026 at 14:02 UTC. A move may take 3 days."
    assert f"\nYou have {rest}\n" in client.get(url, ALICE)
    for who in (BOB, CAROL, None):
        assert f"\nalice (X) has {rest}\n" in client.get(url, who)


def test_a_move_gives_the_other_the_whole_time(client: Client) -> None:
    url = between_with(client, "3")
    pass_days(client, 2)
    play(client, url, ["a1"], ALICE, BOB)
    assert "bob (O) has until 25 November 2026 at 14:02 UTC" in client.get(url)


def test_the_game_is_claimed_once_the_time_is_up(client: Client) -> None:
    url = between_with(client, "3")
    pass_days(client, 3)
    page = client.get(url, BOB)
    assert "alice (X) ran out of time on 23 November 2026 at 14:02 UTC." in page
    claim = link(page, "/claim")
    assert client.ask(claim, BOB).meta == "Type claim to win this game on time"
    assert client.type(claim, "perhaps", BOB).status == 10
    assert record(client, url)["status"] == "playing"

    client.type(claim, "claim", BOB)

    assert "alice (X) ran out of time: bob (O) wins.\n" in client.get(url)
    data = record(client, url)
    assert (data["status"], data["winner"], data["points"]) == ("timed out", "O", [0, 1])
    assert data["ended"] == "2026-11-23T14:02:00Z"


def test_nobody_claims_before_the_time_is_up_or_for_somebody_else(client: Client) -> None:
    url = between_with(client, "3")
    pass_days(client, 2.99)
    early = action(client.get(url, BOB), "resign").replace("/resign", "/claim")
    client.ask(f"{early}?claim", BOB)
    assert record(client, url)["status"] == "playing"

    pass_days(client, 1)
    for who in (ALICE, CAROL, None):
        page = client.get(url, who)
        assert "/claim" not in page
        assert "bob (O) may claim the game or keep waiting" in page
    own = action(client.get(url, ALICE), "resign").replace("/resign", "/claim")
    client.ask(f"{own}?claim", ALICE)
    client.ask(link(client.get(url, BOB), "/claim") + "?claim", CAROL)
    assert record(client, url)["status"] == "playing"


def test_who_is_late_may_still_move_and_then_no_claim_holds(client: Client) -> None:
    url = between_with(client, "3")
    pass_days(client, 4)
    claim = link(client.get(url, BOB), "/claim")
    play(client, url, ["a1"], ALICE, BOB)
    assert undone(client, f"{claim}?claim", BOB, url)
    assert record(client, url)["status"] == "playing"
    assert "/claim" not in client.get(url, BOB)


def test_after_twice_the_time_the_game_has_ended_by_itself(client: Client) -> None:
    url = between_with(client, "3")
    old = client.get(url, ALICE)
    pass_days(client, 6)

    shown = client.get(url, BOB)
    data = record(client, url)

    assert "You won on time.\n" in shown
    assert "alice (X) ran out of time: bob (O) wins." in client.get(url)
    assert (data["status"], data["winner"]) == ("timed out", "O")
    assert data["ended"] == "2026-11-26T14:02:00Z"
    for late in (link(old, "/move") + "?a1", action(old, "resign") + "?resign"):
        assert undone(client, late, ALICE, url)
    assert record(client, url) == data


def test_the_sweep_stores_what_the_pages_have_shown(client: Client) -> None:
    urls = [between_with(client, "1"), between_with(client, "5"), between_with(client, "1", "e5")]
    urls += [between_with(client, "none"), start(client, "tinc", "open")]
    for days in (0.5, 1, 1, 3, 3, 5):
        pass_days(client, days)
        before = [
            (but_ratings(client.get(url, who)), record(client, url))
            for url in urls
            for who in (ALICE, BOB)
        ]
        listed = [client.get("/games/"), client.get("/play/", ALICE), client.get("/play/", BOB)]
        sweep(client)
        after = [
            (but_ratings(client.get(url, who)), record(client, url))
            for url in urls
            for who in (ALICE, BOB)
        ]
        assert after == before
        assert [client.get("/games/"), client.get("/play/", ALICE), client.get("/play/", BOB)] == (
            listed
        )
    assert [record(client, url)["status"] for url in urls] == [
        *("timed out", "timed out", "aborted", "playing", "aborted")
    ]
    assert sweep(client) == 0


def test_with_fewer_than_two_moves_nobody_wins_on_time(client: Client) -> None:
    url = between_with(client, "2", "e5")
    pass_days(client, 3)
    page = client.get(url, ALICE)
    assert "Either player may abort the game" in page
    assert "/claim" not in page
    forged = link(page, "/abort").replace("/abort", "/claim")
    client.ask(f"{forged}?claim", ALICE)
    assert record(client, url)["status"] == "playing"
    pass_days(client, 1)
    assert "bob ran out of time. Nobody won or lost." in client.get(url)


@pytest.mark.parametrize("way", ["solo", "bot-club"])
def test_alone_and_against_bots_no_clock_runs(client: Client, way: str) -> None:
    url = start(client, "ultimate", way)
    assert "has until" not in client.get(url, ALICE)
    pass_days(client, 365)
    assert record(client, url)["status"] == "playing"
    assert sweep(client) == 0


def test_your_turn_comes_with_the_soonest_deadline_first(client: Client) -> None:
    relaxed, hurried, free = (between_with(client, days, "") for days in ("14", "2", "none"))
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (3 waiting)\n")
    labels = [label for label in links(page) if label.startswith("Ultimate with bob")]
    assert labels == [
        "Ultimate with bob: move 1, you are X, 2 days left",
        "Ultimate with bob: move 1, you are X, 14 days left",
        "Ultimate with bob: move 1, you are X",
    ]
    assert [links(page)[label] for label in labels] == [
        f"{url}?turn-1" for url in (hurried, relaxed, free)
    ]
    pass_days(client, 1.5)
    assert "Ultimate with bob: move 1, you are X, 12 hours left" in client.get("/play/", ALICE)
    pass_days(client, 0.49)
    assert "move 1, you are X, 14 minutes left" in client.get("/play/", ALICE)
    client.now += timedelta(minutes=13, seconds=55)
    assert "move 1, you are X, less than a minute left" in client.get("/play/", ALICE)


@pytest.mark.parametrize(
    ("minutes", "left"),
    [
        (2, "7 days left"),
        (59, "7 days left"),
        (90, "6 days left"),
        (12 * 60, "6 days left"),
        (5 * 24 * 60, "2 days left"),
        (6 * 24 * 60 + 120, "22 hours left"),
        (6 * 24 * 60 + 17 * 60 + 2, "7 hours left"),
        (7 * 24 * 60 - 61, "1 hour left"),
        (7 * 24 * 60 - 12, "12 minutes left"),
    ],
)
def test_a_clock_is_worded_as_people_would(client: Client, minutes: int, left: str) -> None:
    between_with(client, "7", "")
    client.now += timedelta(minutes=minutes)
    assert f"Ultimate with bob: move 1, you are X, {left}" in links(client.get("/play/", ALICE))


def test_a_game_that_may_be_claimed_is_first_of_those_that_wait(client: Client) -> None:
    between_with(client, "14")
    late = between_with(client, "1")
    pass_days(client, 1)
    page = client.get("/play/", BOB)
    assert page.startswith("# Your games\n")
    first = page.split("## Waiting for your opponent")[1].strip().splitlines()[0]
    label = (
        "Ultimate with alice: move 3, you are O, you may claim the game: your opponent's time is up"
    )
    assert first == f"=> {late} {label}"
    assert "the time is up" in client.get("/play/", ALICE)


def test_a_game_that_ended_by_itself_is_not_your_turn(client: Client) -> None:
    url = between_with(client, "1")
    pass_days(client, 2)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games\n")
    assert page.index("## Recently ended") < page.index(url)


def test_a_game_for_anyone_lapses_after_seven_days(client: Client) -> None:
    url = start(client, "tinc", "open")
    friends = start(client, "tinc", "invite")
    assert "The game lapses if nobody joins by 27 November 2026 at 14:02 UTC." in client.get(
        url, ALICE
    )
    join = link(client.get(url, BOB), "/join")
    client.now = BEGINNING + timedelta(days=7)
    assert url not in client.get("/games/tinc")
    client.ask(join, BOB)
    assert record(client, url)["status"] == "aborted"
    assert record(client, friends)["status"] == "waiting"


def test_a_new_time_runs_from_when_the_seat_is_taken(client: Client) -> None:
    url = start(client, "tinc", "invite")
    pass_days(client, 30)
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert "alice (X) has until 27 December 2026 at 14:02 UTC" in client.get(url)


def test_vacation_stops_the_clock_and_the_opponent_sees_it(client: Client) -> None:
    url = between_with(client, "2")
    vacation = link(client.get("/play/", ALICE), "/vacation")
    assert client.ask(vacation, ALICE).meta == "Days of vacation from now on, at most 20"
    for nonsense in ("0", "21", "-3", "2.5", "ten", "9" * 30):
        answer = client.type(vacation, nonsense, ALICE)
        assert answer.meta.startswith("Type a whole number of days from 1 to 20."), nonsense

    assert client.type(vacation, "5", ALICE).meta == "/play/"

    for who in (BOB, CAROL, None):
        page = client.get(url, who)
        assert (
            "alice (X) is on vacation until 25 November 2026 at 14:02 UTC. The clock stands "
            "still." in page
        )
        assert "alice (X) has until 27 November 2026 at 14:02 UTC" in page
    pass_days(client, 6.9)
    assert sweep(client) == 0
    assert "/claim" not in client.get(url, BOB)
    pass_days(client, 0.1)
    assert "/claim" in client.get(url, BOB)


def test_the_opponents_clock_runs_on_in_somebodys_vacation(client: Client) -> None:
    url = between_with(client, "2")
    client.type(link(client.get("/play/", BOB), "/vacation"), "5", BOB)
    assert "You have until 22 November 2026 at 14:02 UTC" in client.get(url, ALICE)


def test_a_vacation_is_taken_once_and_given_back(client: Client) -> None:
    between_with(client, "2")
    vacation = link(client.get("/play/", ALICE), "/vacation")
    client.type(vacation, "12", ALICE)
    assert undone(client, f"{vacation}?3", ALICE, "/play/"), "an old page's link"
    page = client.get("/play/", ALICE)
    assert "You are on vacation until 2 December 2026 at 14:02 UTC" in page
    assert undone(client, link(page, "/back"), BOB, "/play/"), "somebody else's link"
    pass_days(client, 2)
    client.get(link(page, "/back"), ALICE)
    assert "You can take 18 more days of vacation this year." in client.get("/play/", ALICE)


def test_twenty_days_a_year_and_no_more(client: Client) -> None:
    between_with(client, "2")
    client.type(link(client.get("/play/", ALICE), "/vacation"), "20", ALICE)
    pass_days(client, 20)
    assert "You have taken all your vacation for this year." in client.get("/play/", ALICE)
    pass_days(client, 30)
    assert "You can take 20 more days of vacation this year." in client.get("/play/", ALICE)


def test_who_is_erased_after_the_time_was_up_has_lost_on_time(client: Client) -> None:
    url = between_with(client, "1")
    client.type(link(client.get("/play/", ALICE), "/vacation"), "3", ALICE)
    pass_days(client, 6)
    before = record(client, url)
    assert before["status"] == "timed out"
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    after = record(client, url)
    assert after["status"] == "timed out"
    assert after["ended"] == before["ended"] == "2026-11-25T14:02:00Z"
    assert sweep(client) == 0
