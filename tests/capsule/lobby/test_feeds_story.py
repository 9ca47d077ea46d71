"""Public feeds: of all games, of a variant, a player or one game; and the time of each entry."""

from datetime import datetime, timedelta

import pytest

from capsule.ui.atom import ATOM as ATOM_TYPE
from engine import VARIANTS
from tests.support.client import Client, action, link, links
from tests.support.cups import act, open_entry, travel
from tests.support.everyone import advance, midnight
from tests.support.feeds import ATOM, addresses, atom_entries, entries, private_feed
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
)
from tests.support.tournaments import announce, games, join, keep_time, resign

HOUR = timedelta(hours=1)


# Public games


def test_the_feed_of_public_games_tells_of_new_ones_and_of_how_they_ended(client: Client) -> None:
    url = open_game(client, "numeric")
    client.now += HOUR
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    for path in ("/feed", "/games/numeric/feed", "/players/alice/feed", "/players/BOB/feed"):
        assert entries(client, path) == [
            "bob beats alice at Numeric",
            "Numeric begins: alice – bob",
        ], path
        assert addresses(client, path) == [f"{url}?end", f"{url}/0"]
    for path in ("/games/tinc/feed", "/players/carol/feed"):
        answer = client.ask(path)
        assert "beats" not in answer.body, path


def test_a_game_that_was_aborted_is_in_its_own_feed_alone(client: Client) -> None:
    url = start(client, "tinc", "open")
    assert entries(client, "/feed") == ["alice is looking for an opponent in Tinc"]
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert not entries(client, "/feed")
    assert (
        entries(client, f"{url}/feed")[0]
        == "Aborted: Tinc, alice – open seat: alice closed the open seat"
    )


def test_a_feed_says_that_a_game_was_drawn_by_agreement(client: Client) -> None:
    url = open_game(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    for path in ("/feed", f"{url}/feed"):
        assert entries(client, path)[0] == "alice and bob agree on a draw in Tinc"


# One game


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_feed_of_a_game_has_its_moves_and_each_leads_to_its_position(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    moves = WON_GAMES[variant].split()
    play(client, url, moves, ALICE, BOB)
    shown = entries(client, f"{url}/feed")
    assert shown[0].startswith(("alice beats bob", "bob beats alice"))
    assert shown[1].startswith(f"Move {len(moves)}: ")
    assert shown[1].endswith(f" plays {moves[-1]}")
    assert shown[-1].endswith(" begins: alice – bob")
    assert addresses(client, f"{url}/feed") == [
        f"{url}?end",
        *(f"{url}/{ply}" for ply in range(len(moves), -1, -1)),
    ]
    for address in addresses(client, f"{url}/feed"):
        assert client.ask(address).status == 20, address


def test_a_feed_has_the_thirty_newest_entries(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    position = VARIANTS["ultimate"].start
    for _ in range(33):
        move = next(iter(position.legal_moves()))
        play(client, url, [move], ALICE)
        position = position.play(move)
    assert addresses(client, f"{url}/feed") == [f"{url}/{ply}" for ply in range(33, 3, -1)]


def test_pages_lead_to_their_feeds(client: Client) -> None:
    url = open_game(client, "tinc")
    assert links(client.get(f"{url}/history"))["Feed of this game"] == f"{url}/feed"
    assert links(client.get("/games/"))["Feed of public games"] == "/feed"
    assert links(client.get("/games/tinc"))["Feed of public games of Tinc"] == "/games/tinc/feed"
    assert links(client.get(f"{url}/feed"))["Back to the game"] == url


@pytest.mark.parametrize(
    "path", ["/games/chess/feed", "/players/nobody/feed", "/play/aaaaaaaaaa/feed", "/feed/short"]
)
def test_a_feed_of_nothing_is_not_found(client: Client, path: str) -> None:
    assert client.ask(path).status == client.ask(f"{path}.xml").status == 51


# Dates: an entry has the time of what it tells, and tells it as long as it holds


DAY = timedelta(days=1)


def told(client: Client, path: str) -> dict[str, tuple[datetime, str]]:
    """Return the times and the ids of a feed's entries by their titles, as Atom has them."""
    assert client.ask(f"{path}.xml").meta == ATOM_TYPE
    found = {}
    for entry in atom_entries(client, f"{path}.xml"):
        title, at, known_as = (entry.findtext(f"{ATOM}{tag}") for tag in ("title", "updated", "id"))
        assert title is not None
        assert at is not None
        assert known_as is not None
        found[title] = (client.now.fromisoformat(at), known_as.removeprefix("gemini://localhost"))
    page = client.get(path)
    for title, (at, _) in found.items():
        assert f" {at:%Y-%m-%d} - {title}\n" in page, "the page has the same dates"
    return found


def test_a_seat_is_dated_as_it_was_opened_and_a_game_as_the_seat_was_taken(client: Client) -> None:
    opened_at = client.now
    url = start(client, "ultimate", "open")
    seat = {"alice is looking for an opponent in Ultimate": (opened_at, f"{url}/0?seat")}
    assert told(client, "/feed") == told(client, f"{url}/feed") == seat
    client.now = taken_at = opened_at + DAY
    client.get(link(client.get(url, BOB), "/join"), BOB)
    begun = {"Ultimate begins: alice – bob": (taken_at, f"{url}/0")}
    assert told(client, "/feed") == told(client, f"{url}/feed") == begun
    client.now = moved_at = taken_at + DAY
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now = ended_at = moved_at + DAY
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    ended = {"alice beats bob at Ultimate by resignation": (ended_at, url)}
    assert told(client, "/feed") == begun | ended
    assert told(client, f"{url}/feed") == begun | ended | {
        "Move 1: alice (X) plays e5": (moved_at, f"{url}/1"),
        "Move 2: bob (O) plays d4": (moved_at, f"{url}/2"),
    }


def challenge(client: Client) -> str:
    start(client, "tinc", "solo", CAROL)
    prompt = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    return client.type(prompt, "carol", ALICE).meta


def test_a_challenge_is_no_beginning_and_an_entry_only_until_it_is_answered(client: Client) -> None:
    challenged_at = client.now
    url = challenge(client)
    hers = private_feed(client, CAROL)
    offered = {"alice challenges carol to a game of Ultimate": (challenged_at, f"{url}/0?seat")}
    assert told(client, f"{url}/feed") == offered
    assert "Challenge: Ultimate, alice" in told(client, hers)
    client.now += DAY
    client.get(link(client.get(url, CAROL), "/accept"), CAROL)
    assert told(client, f"{url}/feed") == {
        "Ultimate begins: alice – carol": (client.now, f"{url}/0")
    }
    assert not told(client, hers)


def test_a_game_that_never_began_is_told_by_its_end_alone(client: Client) -> None:
    url = challenge(client)
    client.now += DAY
    client.get(link(client.get(url, CAROL), "/decline"), CAROL)
    title = "Aborted: Ultimate, alice – carol: carol declined the challenge"
    assert told(client, f"{url}/feed") == {title: (client.now, url)}


def test_a_tournament_begins_on_the_day_on_which_it_begins(client: Client) -> None:
    announced_at = client.now
    url = announce(client, "variant=numeric&seats=8&starts=7", title="cup")
    announced = {"cup is announced: Numeric, 8 players at most": (announced_at, f"{url}?announced")}
    assert told(client, "/feed") == told(client, f"{url}/feed") == announced
    join(client, url, BOB, CAROL)
    client.now = announced_at + 8 * DAY
    keep_time(client)
    begun_at, _ = told(client, f"{url}/feed")["cup starts: 3 players, 6 games"]
    assert begun_at >= announced_at + 7 * DAY
    assert told(client, "/feed") == {"cup begins: Numeric": (begun_at, f"{url}?started")}
    private = told(client, private_feed(client, BOB))
    assert private["Begins: cup, Numeric, 3 players"] == (begun_at, f"{url}?started")
    client.now += DAY
    by_name = {"alice": ALICE, "bob": BOB, "carol": CAROL}
    for (x, o), game in games(client, url).items():
        resign(client, game, by_name[o if x == "alice" else x])
    keep_time(client)
    title = "cup is over: alice wins, points: 4"
    assert told(client, "/feed")[title] == told(client, f"{url}/feed")[title]
    assert told(client, "/feed")[title] == (client.now, f"{url}?finished")


def test_nobody_is_told_of_a_tournament_that_was_cancelled_before_its_start(client: Client) -> None:
    url = announce(client, "starts=1", title="cup")
    client.now += 3 * DAY
    keep_time(client)
    assert not told(client, "/feed")
    cancelled_at, known_as = told(client, f"{url}/feed")["cup is cancelled"]
    assert client.now - 3 * DAY < cancelled_at <= client.now
    assert known_as == f"{url}?cancelled"


def test_entry_to_a_cup_is_open_only_until_it_begins(client: Client) -> None:
    open_entry(client, 3)
    act(client, "enter", ALICE)
    act(client, "enter", BOB)
    act(client, "enter", CAROL)
    title = "Entry to the cup of January 2027 is open: Numeric"
    opened_at, known_as = told(client, "/cups/feed")[title]
    assert (f"{opened_at:%Y-%m-%d}", known_as) == ("2026-12-20", "/cups/2027-01?open")
    travel(client, "2026-12-31 12:00")
    reminder = "The cup of January 2027 is about to begin: Numeric"
    assert reminder in told(client, private_feed(client, ALICE))
    travel(client, "2027-01-01 12:00")
    feed = told(client, "/cups/feed")
    assert title not in feed
    begun_at, known_as = feed["The cup of January 2027 begins: Numeric"]
    assert (f"{begun_at:%Y-%m-%d}", known_as) == ("2027-01-01", "/cups/2027-01?begun")
    assert reminder not in told(client, private_feed(client, ALICE))


def test_everyones_game_has_the_days_of_its_beginning_and_of_its_end(client: Client) -> None:
    begun_at = client.now
    advance(client)
    midnight(client, 8)
    feed = told(client, "/everyone/feed")
    first = next(at for title, (at, _) in feed.items() if title.startswith("Game 1 begins"))
    left, known_as = feed["Game 1 is over: nobody voted for a week"]
    assert (first, known_as) == (begun_at, "/everyone/1?over")
    assert left.date() > (begun_at + 6 * DAY).date()
