"""Each week has a game of the week, picked by the operator or chosen by its turning points."""

from datetime import UTC, datetime, timedelta

import pytest

from capsule.bots import queries as bot_queries
from capsule.featured import choosing
from capsule.gemini.types import Certificate
from engine import Side
from engine.bots import analysis
from engine.bots.evaluators import Finding
from tests.support.client import Client, context_of, link, links
from tests.support.console import Console
from tests.support.conversation import set_player
from tests.support.people import erase
from tests.support.stored import change_row
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, open_game, play, start

MONDAY = datetime(2026, 11, 23, 0, 0, 5, tzinfo=UTC)
WEEK, MINUTE, MOMENT = timedelta(days=7), timedelta(minutes=1), timedelta(seconds=11)
SIX_MOVES = WON_GAMES["ultimate"].split()[:6]
"""Moves enough for home to show a game."""

LINE = "Game of the week, Tinc: alice – bob, 1 turning point"


def analyse(client: Client, url: str, turning_points: int) -> None:
    """Store an analysis of a game with so many turning points."""
    finding = Finding(1, "a1", Side.X, 0.5, 0.9, None)
    made = analysis.Analysis(
        "tinc",
        is_exact=False,
        first=0,
        win_probabilities=(0.5, 0.9),
        findings=(finding,) * turning_points,
    )
    game_id = url.removeprefix("/play/")
    with client.database.writing() as connection:
        bot_queries.save_analysis(connection, game_id, analysis.to_json(made))
        change_row(connection, game_id, analysis_due=False)


def played(
    client: Client, turning_points: int, x: Certificate = ALICE, o: Certificate = BOB
) -> str:
    """Let two people play a public game, and return its address."""
    url = open_game(client, "tinc", x, o)
    play(client, url, WON_GAMES["tinc"].split(), x, o)
    analyse(client, url, turning_points)
    client.now += MOMENT
    return url


def choose(client: Client, now: datetime = MONDAY) -> str | None:
    """Choose what is due at a time, and return where home's line then leads."""
    client.now = now
    choosing.choose_if_due(context_of(client))
    client.now += MOMENT
    return shown(client)


def shown(client: Client) -> str | None:
    """Return the address of the game of the week, which home and the public games agree on.

    Home shows its board while no public game is being played, and else a line.
    """
    home = client.get("/")
    below = home.partition("## Game of the week\n")[2].partition("\n## ")[0]
    on_home = [url.removesuffix("?end") for url in links(below).values()]
    on_home += [
        url.removesuffix("?end")
        for label, url in links(home).items()
        if label.startswith("Game of the week, ")
    ]
    assert len(on_home) <= 1
    page = client.get("/games/")
    if not on_home:
        assert "Game of the week" not in page
        return None
    first = page.partition("## Game of the week\n")[2].partition("\n## ")[0]
    assert f"=> {on_home[0]}?end " in first
    return on_home[0]


def decline(client: Client, who: Certificate, choice: str = "off") -> None:
    client.get(link(client.get("/play/me/settings", who), f"/featured/{choice}"), who)


def test_it_is_the_game_with_most_turning_points_of_last_week(client: Client) -> None:
    played(client, 1)
    best = played(client, 3)
    played(client, 2)
    assert shown(client) is None
    assert choose(client) == best
    page = client.get("/games/")
    assert page.index("## Game of the week") < page.index("## Being played")
    assert "Tinc: alice (X) – bob (O), 1 : 0" in page
    assert "It was chosen for its 3 turning points." in page
    assert "Game of the week" not in client.get("/games/tinc")


def test_it_is_chosen_once_a_week(client: Client) -> None:
    first = played(client, 1)
    assert choose(client) == first
    second = played(client, 3)
    assert choose(client, MONDAY + timedelta(days=6)) == first
    assert choose(client, MONDAY + WEEK) == second
    assert choose(client, MONDAY + 2 * WEEK) is None


def test_it_waits_an_hour_for_analyses_that_are_due(client: Client) -> None:
    played(client, 1)
    late = open_game(client, "tinc")
    play(client, late, WON_GAMES["tinc"].split(), ALICE, BOB)
    assert choose(client) is None
    analyse(client, late, 2)
    assert choose(client, MONDAY + timedelta(minutes=5)) == late
    never = open_game(client, "tinc")
    play(client, never, WON_GAMES["tinc"].split(), ALICE, BOB)
    client.now += timedelta(hours=2)
    again = played(client, 1)
    assert choose(client, MONDAY + WEEK) == late
    assert choose(client, MONDAY + WEEK + timedelta(hours=1)) == again


@pytest.mark.parametrize("who", [ALICE, BOB])
def test_a_player_can_decline(client: Client, who: Certificate) -> None:
    played(client, 3)
    other = played(client, 1, ALICE if who == BOB else BOB, CAROL)
    decline(client, who)
    assert "No game of yours is chosen as the game of the week." in client.get(
        "/play/me/settings", who
    )
    assert choose(client) == other


def test_whoever_declined_can_take_part_again(client: Client) -> None:
    best = played(client, 3)
    decline(client, ALICE)
    decline(client, ALICE, "on")
    assert choose(client) == best


def test_games_with_programs_alone_unlisted_or_without_turning_points_are_not_chosen(
    client: Client,
) -> None:
    solo = start(client, "tinc", "solo")
    play(client, solo, WON_GAMES["tinc"].split(), ALICE)
    analyse(client, solo, 3)
    played(client, 3, ALICE, CAROL)
    unlisted = played(client, 3)
    played(client, 0)
    set_player(client, CAROL, program_since=client.now)
    with client.database.writing() as connection:
        change_row(connection, unlisted.removeprefix("/play/"), listed=False)
    assert choose(client) is None


def test_a_banned_players_game_is_not_chosen(client: Client, console: Console) -> None:
    played(client, 3)
    other = played(client, 1, ALICE, CAROL)
    console.admin("ban bob cheats")
    assert choose(client) == other


def test_nobodys_game_is_shown_after_they_are_erased(client: Client) -> None:
    best = played(client, 3)
    assert choose(client) == best
    erase(client, BOB)
    assert shown(client) is None
    assert choose(client, MONDAY + timedelta(days=1)) is None


def test_a_banned_players_game_is_hidden_until_the_ban_ends(
    client: Client, console: Console
) -> None:
    best = played(client, 3)
    assert choose(client) == best
    console.admin("ban bob cheats --days 2")
    client.forget_pages()
    assert shown(client) is None
    assert choose(client, client.now + timedelta(days=2, minutes=1)) == best


def test_a_game_that_is_listed_no_longer_is_not_shown(client: Client) -> None:
    best = played(client, 3)
    assert choose(client) == best
    with client.database.writing() as connection:
        change_row(connection, best.removeprefix("/play/"), listed=False)
    assert shown(client) is None


def test_home_shows_it_while_nobody_plays_in_public(client: Client) -> None:
    best = played(client, 1)
    played(client, 0)
    assert choose(client) == best
    below = client.get("/").partition("## Game of the week\n")[2].partition("\n## ")[0]
    assert "Tinc: alice (X) – bob (O), 1 : 0.\nIt was chosen for its 1 turning point.\n" in below
    assert links(below) == {"See how this game of Tinc went": f"{best}?end"}
    assert LINE not in links(client.get("/"))
    running = open_game(client, "ultimate")
    play(client, running, SIX_MOVES, ALICE, BOB)
    client.now += MOMENT
    page = client.get("/")
    assert links(page)["Watch this game of Ultimate"] == running
    assert links(page)[LINE] == f"{best}?end"
    assert shown(client) == best


def test_the_operator_picks_it_and_says_why(client: Client, console: Console) -> None:
    picked = played(client, 0)
    played(client, 3)
    game_id = picked.removeprefix("/play/")
    assert console.admin(f"feature {game_id} a lovely end") == (
        "It is the game of the week for seven days: gemini://localhost/games/\n"
    )
    client.now += MOMENT
    assert shown(client) == picked
    assert "\nWhy: a lovely end\n" in client.get("/games/")
    assert console.admin("log").endswith(f"feature: {game_id}\n")
    assert "\nWhy: a lovely end\n" in client.get("/")
    play(client, open_game(client, "ultimate"), SIX_MOVES, ALICE, BOB)
    client.now += MOMENT
    assert links(client.get("/"))["Game of the week, Tinc: alice – bob. a lovely end"] == (
        f"{picked}?end"
    )


def test_the_operators_game_stays_for_seven_days(client: Client, console: Console) -> None:
    picked, best = played(client, 0), played(client, 3)
    game_id = picked.removeprefix("/play/")
    client.now = MONDAY - timedelta(days=3)
    console.admin(f"feature {game_id} why")
    assert choose(client, MONDAY) == picked
    assert choose(client, MONDAY + timedelta(days=4) - MINUTE) == picked
    assert choose(client, MONDAY + timedelta(days=4) + MINUTE) == best
    assert choose(client, MONDAY + WEEK) is None


def test_a_pick_takes_the_place_of_a_choice_and_of_a_pick(client: Client, console: Console) -> None:
    first, best = played(client, 0), played(client, 3)
    assert choose(client) == best
    for url in (first, best):
        console.admin(f"feature {url.removeprefix('/play/')} '=> ``` the best'")
        client.now += MOMENT
        assert shown(client) == url
        assert "\nWhy: => ``` the best\n" in client.get("/games/")
        assert choose(client, client.now) == url


def test_what_the_operator_cannot_pick(client: Client, console: Console) -> None:
    assert console.refusal("feature aaaaaaaaaa why") == "There is no game with this id."
    running = open_game(client, "tinc")
    assert console.refusal(f"feature {running.removeprefix('/play/')} why") == (
        "Only a public game with a result can be the game of the week."
    )
    game_id = played(client, 3).removeprefix("/play/")
    assert "only 280 fit" in console.refusal(f"feature {game_id} {'x' * 281}")
    decline(client, BOB)
    assert console.refusal(f"feature {game_id} why") == (
        "A player of this game does not want their games to be game of the week."
    )
    decline(client, BOB, "on")
    console.admin("ban bob cheats")
    assert console.refusal(f"feature {game_id} why") == "A player of this game is banned."
    assert shown(client) is None
