"""The page of a player: ratings and their history, results, streaks, and what stays private."""

from collections.abc import Sequence

import pytest

from capsule.gemini.types import Response
from capsule.lobby.pages.players import MAX_OPPONENTS, MIN_PLOTTED_GAMES
from capsule.ratings.model import INITIAL, updated
from capsule.ui.drawings import MAX_COLUMNS
from tests.support.client import Client, link, links
from tests.support.gemtext import blocks, prose
from tests.support.results import course, rate, result
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, played, start, start_between

WIN, DRAW, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


@pytest.fixture(autouse=True)
def alice(client: Client) -> None:
    """Let alice have played here, out of sight."""
    start(client, "tinc", "solo", ALICE)


def section(page: str, heading: str) -> str:
    for sign in ("## ", "### "):
        _, found, rest = page.partition(f"\n{sign}{heading}\n")
        if found:
            return rest.partition("\n#")[0]
    return ""


# Nothing yet


def test_a_new_player_has_nothing_to_show_yet(client: Client) -> None:
    page = client.get("/players/alice")
    assert "None yet. No rated game of this player has ended." in section(page, "Ratings")
    assert section(page, "Results").endswith("\nNone yet.\n")
    assert "No listed games at the moment." in section(page, "Games in progress")
    assert "No listed games yet." in section(page, "Recently finished games")
    for heading in ("Against people", "Against bots", "Rating history"):
        assert heading not in page
    assert not blocks(page)


# Ratings


def test_a_rating_is_shown_with_its_rank_and_the_best_it_ever_was(client: Client) -> None:
    rate(client, "ultimate", "bob", 1700)
    rate(client, "ultimate", "alice", 1612, uncertainty=85)
    rate(client, "tinc", "alice", 1530, uncertainty=410, games=3)
    # A provisional number is never the best, however high.
    course(client, "alice", "ultimate", [2100] * 10 + [1500] * 10 + [1650, 1612])
    page = client.get("/players/alice")
    found = links(section(page, "Ratings"))
    assert list(found.values()) == ["/players/ladder/tinc", "/players/ladder/ultimate"]
    assert list(found) == [
        "Tinc: 1530? ± 410 after 3 games, no rank yet",
        "Ultimate: 1612 ± 85 after 40 games, rank 2, best 1650",
    ]


def test_a_plot_and_a_sentence_tell_how_a_rating_went(client: Client) -> None:
    rate(client, "ultimate", "alice", 1612)
    course(client, "alice", "ultimate", [1540, 1580, 1500, 1460, 1550, 1640, 1612])
    page = client.get("/players/alice")
    (drawn,) = blocks(page)
    assert drawn.title == (
        "Rating of alice in Ultimate over time: a plot of 7 games, from 1460 to 1640"
    )
    assert drawn.rows == (
        "  1650 |               ***",
        "       |",
        "  1600 |                  ***",
        "       |   ***",
        "  1550 |***         ***",
        "       |",
        "  1500 |      ***",
        "       |",
        "  1450 |         ***",
        "       +---------------------",
        "        1                   7",
    )
    assert "From 1500 to 1612 in 7 games. Lowest 1460, highest 1640." in prose(page)


def test_the_first_rating_counts_among_the_lowest_and_the_highest(client: Client) -> None:
    rate(client, "ultimate", "alice", 1300)
    course(client, "alice", "ultimate", [1403, 1350, 1330, 1320, 1300])
    sentence = "From 1500 to 1300 in 5 games. Lowest 1300, highest 1500."
    assert sentence in prose(client.get("/players/alice"))


def test_a_long_history_fits_on_the_screen_and_loses_no_extreme(client: Client) -> None:
    rate(client, "ultimate", "alice", 1500)
    course(client, "alice", "ultimate", [1500] * 90 + [2000] + [1500] * 90 + [1000] + [1500] * 20)
    page = client.get("/players/alice")
    (drawn,) = blocks(page)
    assert max(map(len, drawn.rows)) <= MAX_COLUMNS
    assert "from 1000 to 2000" in drawn.title
    assert [row for row in drawn.rows if row.startswith("  2000 |") and "*" in row]
    assert [row for row in drawn.rows if row.startswith("  1000 |") and "*" in row]
    assert drawn.rows[-1].split() == ["1", "202"]


def test_a_few_games_are_not_plotted(client: Client) -> None:
    rate(client, "ultimate", "alice", 1500, uncertainty=400, games=MIN_PLOTTED_GAMES - 1)
    course(client, "alice", "ultimate", [1500] * (MIN_PLOTTED_GAMES - 1))
    assert not blocks(client.get("/players/alice"))


# Results


def test_results_are_listed_by_game_opponent_and_bot(client: Client) -> None:
    for points in (WIN, WIN, DRAW, LOSS):
        result(client, "alice", "bob", points)
    result(client, "bob", "alice", WIN, "tinc")
    result(client, "expert bot", "alice", LOSS, "tinc")
    result(client, "alice", "novice bot", WIN, "tinc")
    result(client, "alice", "carol", DRAW, "tinc")
    result(client, "bob", "carol", WIN)
    page = client.get("/players/alice")
    assert section(page, "Results").splitlines()[3:] == [
        "* Tinc: 4 games, 2 won, 1 drawn, 1 lost, points 2½ : 1½",
        "* Ultimate: 4 games, 2 won, 1 drawn, 1 lost, points 2½ : 1½",
    ]
    people = section(page, "Against people")
    assert links(people) == {
        "bob: 5 games, 2 won, 1 drawn, 2 lost, points 2½ : 2½": "/players/bob",
        "carol: 1 game, 0 won, 1 drawn, 0 lost, points ½ : ½": "/players/carol",
    }
    assert [line for line in section(page, "Against bots").splitlines() if line] == [
        "* novice bot: 1 game, 1 won, 0 drawn, 0 lost, points 1 : 0",
        "* expert bot: 1 game, 1 won, 0 drawn, 0 lost, points 1 : 0",
    ]


def test_half_points_of_quantum_are_shown_as_they_are(client: Client) -> None:
    result(client, "alice", "bob", (1.0, 0.5), "quantum")
    result(client, "bob", "alice", (1.0, 0.5), "quantum")
    result(client, "alice", "bob", (0.0, 0.0), "quantum")
    expected = "3 games, 1 won, 1 drawn, 1 lost, points 1½ : 1½"
    assert f"* Quantum: {expected}" in client.get("/players/alice")
    assert f"bob: {expected}" in links(client.get("/players/alice"))


def test_a_game_that_was_played_counts(client: Client) -> None:
    url = played(client, "numeric", terms="?listed=no")
    for name, own, other, points in (
        ("alice", "0 won, 0 drawn, 1 lost", "bob", "0 : 1"),
        ("bob", "1 won, 0 drawn, 0 lost", "alice", "1 : 0"),
    ):
        page = client.get(f"/players/{name}")
        assert f"{other}: 1 game, {own}, points {points}" in links(page)
        rating = updated(INITIAL, INITIAL, (0, 1))[name == "bob"]
        assert f"Numeric: {rating.text} after 1 game, no rank yet" in links(page)
        # The game is not listed: the result is everybody's, the address is not.
        assert url not in page


def test_a_casual_game_that_is_not_listed_stays_between_its_players(client: Client) -> None:
    for terms in ("?listed=no&rated=no", "?days=none&listed=no&rated=no"):
        url = played(client, "numeric", terms=terms)
        for name in ("alice", "bob"):
            for who in (None, ALICE, BOB, CAROL):
                page = client.get(f"/players/{name}", who)
                assert section(page, "Results").endswith("\nNone yet.\n")
                assert url not in page
    assert "Unlisted casual games are private to their players" in page


def test_a_casual_game_that_is_listed_counts(client: Client) -> None:
    url = played(client, "numeric", terms="?rated=no&listed=yes")
    page = client.get("/players/alice")
    assert "bob: 1 game, 0 won, 0 drawn, 1 lost, points 0 : 1" in links(page)
    assert url in section(page, "Recently finished games")


def test_games_aborted_played_alone_or_in_progress_count_nowhere(client: Client) -> None:
    result(client, "alice", "bob", None, rated=True)
    result(client, "alice", "alice", WIN, rated=True)
    url = start_between(client, "tinc")
    play(client, url, ["a1"], ALICE, BOB)
    assert section(client.get("/players/alice"), "Results").endswith("\nNone yet.\n")
    assert "Ultimate alone: X won, on " in client.get("/players/alice")


def test_a_player_with_many_opponents_shows_those_met_most(client: Client) -> None:
    for number in range(MAX_OPPONENTS + 3):
        for _ in range(2 if number else 1):
            result(client, "alice", f"other-{number:02}", WIN)
    for _ in range(5):
        result(client, "rival", "alice", WIN)
    people = section(client.get("/players/alice"), "Against people")
    shown = list(links(people).values())
    assert len(shown) == MAX_OPPONENTS
    assert shown[0] == "/players/rival"
    assert shown[1:] == [f"/players/other-{number:02}" for number in range(1, MAX_OPPONENTS)]
    assert "And 4 others, in 7 games." in people


def test_opponents_who_were_erased_are_former_players(client: Client) -> None:
    for who in (BOB, CAROL):
        start(client, "tinc", "solo", who)
    for name in ("bob", "carol", "carol", "dora"):
        result(client, "alice", name, WIN)
    for who in (BOB, CAROL):
        client.type(link(client.get("/play/me/", who), "/erase"), "erase", who)
    people = section(client.get("/players/alice"), "Against people")
    assert "* Former players: 3 games, 3 won, 0 drawn, 0 lost, points 3 : 0" in people
    assert list(links(people).values()) == ["/players/dora"]
    assert "bob" not in people
    assert "carol" not in people


def test_an_opponents_new_name_is_announced(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    result(client, "alice", "bob", WIN)
    client.type(link(client.get("/play/me/", BOB), "/name"), "robert", BOB)
    people = section(client.get("/players/alice"), "Against people")
    assert links(people) == {
        "robert: 1 game, 1 won, 0 drawn, 0 lost, points 1 : 0": "/players/robert"
    }


# Streaks


@pytest.mark.parametrize(
    ("results", "winning", "unbeaten"),
    [
        ([LOSS], "0 (best 0)", "0 (best 0)"),
        ([WIN, WIN, WIN], "3 (best 3)", "3 (best 3)"),
        ([WIN, WIN, DRAW, WIN], "1 (best 2)", "4 (best 4)"),
        ([(1.0, 0.5), WIN, (0.5, 1.0), DRAW, WIN], "1 (best 2)", "2 (best 2)"),
        ([WIN, WIN, WIN, LOSS], "0 (best 3)", "0 (best 3)"),
    ],
)
def test_a_streak_lasts_until_a_game_is_not_won_or_lost(
    client: Client, results: Sequence[tuple[float, float]], winning: str, unbeaten: str
) -> None:
    for points in results:
        result(client, "alice", "bob", points, "quantum")
    page = client.get("/players/alice")
    assert f"Winning streak against people: {winning}." in page
    assert f"Unbeaten streak against people: {unbeaten}." in page


# Games and feeds


def test_games_in_progress_come_before_finished_ones(client: Client) -> None:
    ended = result(client, "alice", "bob", WIN)
    going_on = start(client, "tinc", "open", ALICE)
    secret = start(client, "tinc", "invite", ALICE)
    page = client.get("/players/alice")
    assert page.startswith("# alice\n\nalice has played here since 20 November 2026.")
    begun = f"=> {going_on} Tinc: alice (X) – open seat (O), move 1, since "
    assert begun in section(page, "Games in progress")
    won = f"=> {ended}?end Won against bob, Ultimate, on "
    assert won in section(page, "Recently finished games")
    assert page.index("## Games in progress") < page.index("## Recently finished games")
    assert secret not in page


def test_the_feed_is_there_and_leads_to_the_one_for_feed_readers(client: Client) -> None:
    feed = client.get(links(client.get("/players/alice"))["Feed of public games of alice"])
    assert client.ask(link(feed, ".xml")).status == 20


# Who has a page


def test_a_name_is_found_in_any_case(client: Client) -> None:
    start(client, "tinc", "open")
    assert client.ask("/players/ALICE") == Response(30, "/players/alice")


@pytest.mark.parametrize("name", ["nobody-here", "al1ce", "x", "a" * 300])
def test_a_name_that_is_nobodys_is_not_found(client: Client, name: str) -> None:
    start(client, "tinc", "open")
    assert client.ask(f"/players/{name}").status == 51


def test_a_game_leads_to_its_players_and_not_to_bots(client: Client) -> None:
    url = start_between(client, "tinc")
    assert links(client.get(f"{url}/more"))["Ratings and games of alice"] == "/players/alice"
    assert links(client.get(f"{url}/more"))["Ratings and games of bob"] == "/players/bob"
    url = start(client, "tinc", "bot-club")
    found = set(links(client.get(f"{url}/more")).values())
    people = {each for each in found if each.startswith("/players/")}
    assert people == {"/players/alice", "/players/ladder/tinc"}


def test_an_erased_player_has_no_page(client: Client) -> None:
    url = open_game(client, "tinc")
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    assert client.ask("/players/alice").status == 51
    assert "Ratings and games of alice" not in links(client.get(url))
