"""Games of a tournament: there is no way out of them, the clock counts, and players leave."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier, Thread

import pytest

from capsule.bots import queries as bot_queries, turns as bot_turns
from capsule.context import AppContext
from capsule.gemini.types import Certificate, Response
from capsule.tournaments import actions
from tests.support.client import Client, action, certificate, context_of, link, links
from tests.support.console import Console
from tests.support.feeds import entries
from tests.support.gemtext import blocks
from tests.support.stories import ALICE, BOB, CAROL, play, record, undone
from tests.support.tournaments import (
    BEGUN,
    OVER,
    agree_on_draw,
    announce,
    begin,
    games,
    join,
    keep_time,
    resign,
)


def with_bots(client: Client, variant: str = "ultimate") -> str:
    """Start a tournament between alice and two bots, and return its URL."""
    url = announce(client, f"variant={variant}&seats=3&starts=1&bots=novice&days=1")
    client.now += timedelta(days=1, hours=1)
    assert keep_time(client) == 1
    return url


@pytest.mark.parametrize("verb", ["takeback", "abort?abort", "hint", "rematch"])
def test_nobody_gets_out_of_a_game(client: Client, verb: str) -> None:
    game = games(client, begin(client))["alice", "bob"]
    play(client, game, ["e5"], ALICE, BOB)
    for who in (ALICE, BOB):
        page = client.get(game, who)
        assert not {"Ask to take back e5", "Call the game off", "A hint"} & links(page).keys()
        forged = action(page, "resign").replace("/resign", f"/{verb}")
        before = record(client, game)
        assert undone(client, forged, who, game)
        assert record(client, game) == before


@pytest.mark.parametrize("verb", ["takeback", "abort?abort", "hint"])
def test_nor_with_a_bot(client: Client, verb: str) -> None:
    game = games(client, with_bots(client))["alice", "novice bot"]
    for moves in (["e5"], []):
        play(client, game, moves, ALICE)
        page = client.get(game, ALICE)
        forged = action(page, "resign").replace("/resign", f"/{verb}")
        before = record(client, game)
        assert undone(client, forged, ALICE, game)
        assert record(client, game) == before


def test_a_game_has_no_rematch(client: Client) -> None:
    game = games(client, begin(client))["alice", "bob"]
    page = client.get(game, BOB)
    resign(client, game, BOB)
    assert "rematch" not in client.get(game, ALICE)
    forged = action(page, "resign").replace("/resign", "/rematch")
    assert undone(client, forged, BOB, game)


def test_draws_can_be_agreed(client: Client) -> None:
    url = begin(client)
    game = games(client, url)["alice", "bob"]
    page = client.get(game, ALICE)
    assert "or to take moves back" not in page
    agree_on_draw(client, game, ALICE, BOB)
    assert record(client, game)["points"] == [0.5, 0.5]
    assert "alice (X) – bob (O): ½ : ½" in client.get(url)


def test_a_time_out_before_the_second_move_loses(client: Client) -> None:
    url = begin(client, "seats=3&days=1")
    client.now += timedelta(days=1)
    game = games(client, url)["alice", "bob"]
    claim = link(client.get(game, BOB), "/claim")
    assert client.type(claim, "claim", BOB) == Response(30, game)
    assert (record(client, game)["status"], record(client, game)["winner"]) == ("timed out", "O")
    other = games(client, url)["alice", "carol"]
    assert "you may claim the game" in client.get("/play/", CAROL)
    client.now += timedelta(days=1)
    assert (record(client, other)["status"], record(client, other)["winner"]) == ("timed out", "O")
    assert OVER in client.get(url), "nobody has moved in any game"
    assert "=> /players/alice 1. alice: 2 points" in client.get(url)


def test_a_bot_never_runs_out_of_time(client: Client) -> None:
    url = with_bots(client)
    client.now += timedelta(days=30)
    page = client.get(games(client, url)["novice bot", "alice"], ALICE)
    assert "The bot is thinking" in page
    assert record(client, games(client, url)["novice bot", "novice+ bot"])["status"] == "playing"
    assert record(client, games(client, url)["alice", "novice bot"])["winner"] == "O"


def test_the_help_says_when_a_game_that_might_never_end_is_drawn(client: Client) -> None:
    count = bot_turns.MAX_TOURNAMENT_PLIES
    assert f"Tinc can go on for ever. After {count} moves" in client.get("/help/tournaments")
    url = with_bots(client, "tinc")
    assert "/help/tournaments" in links(client.get(url)).values()


def test_a_game_of_tinc_with_a_bot_ends_in_a_draw_at_last(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "MAX_TOURNAMENT_PLIES", 3)
    url = with_bots(client, "tinc")
    game = games(client, url)["novice bot", "casual bot"]
    for turn, move in enumerate(["a1", "c3", "a2"]):
        assert record(client, game)["status"] == "playing"
        bot_turns.reply(context_of(client), game.removeprefix("/play/"), turn, move)
    data = record(client, game)
    assert (data["status"], data["points"], len(data["moves"])) == ("agreed", [0.5, 0.5], 3)


def test_people_do_not_wait_for_games_among_bots(client: Client) -> None:
    url = with_bots(client)
    played = {game.removeprefix("/play/"): pair for pair, game in games(client, url).items()}
    with client.database.reading() as connection:
        found = [played[game.id] for game in bot_queries.games_awaiting_bots(connection, 9)]
    bots = {"novice bot", "novice+ bot"}
    assert sorted(found[:2]) == [("novice bot", "alice"), ("novice+ bot", "alice")]
    assert {frozenset(pair) for pair in found[2:]} == {frozenset(bots)}
    page = client.get(games(client, url)["novice bot", "novice+ bot"])
    assert "A bot is to move. Games in which people wait for a bot go first." in page


def left(client: Client, url: str, who: Certificate) -> None:
    """Let a player leave a tournament that is being played."""
    prompt = link(client.get(url, who), "/leave")
    asked = "Type leave to leave for good. You lose all your games in progress"
    assert client.ask(prompt, who) == Response(10, asked)
    assert client.type(prompt, "leave", who) == Response(30, url)


def test_leaving_early_leaves_no_trace_in_the_standings(client: Client) -> None:
    url = begin(client)
    played = games(client, url)
    resign(client, played["alice", "carol"], ALICE)
    left(client, url, CAROL)
    assert record(client, played["alice", "bob"])["status"] == "playing"
    for game in (played["carol", "alice"], played["carol", "bob"], played["bob", "carol"]):
        assert record(client, game)["status"] == "resigned"
        assert record(client, game)["winner"] == ("O" if game != played["bob", "carol"] else "X")
    resign(client, played["alice", "bob"], BOB)
    page = client.get(url)
    assert list(blocks(page)[0].rows) == [
        "          1  2  3 pts SB",
        " 1 alice ## 1. 01   1  0",
        " 2 bob   .0 ## 11   0  0",
        " 3 carol 01 00 ##   -  -",
    ]
    assert (
        "=> /players/carol Not placed, carol: 1 point, 4 games played, which count for nobody\n"
        in page
    )
    assert (
        "carol left on 20 November 2026 at 14:02 UTC. Fewer than half of this player's games"
        in page
    )
    resign(client, played["bob", "alice"], ALICE)
    assert " share first place, with 1 point each" in client.get(url)


def test_leaving_after_half_of_the_games_keeps_the_results_and_takes_no_place(
    client: Client,
) -> None:
    url = begin(client)
    played = games(client, url)
    for pair in (("alice", "carol"), ("carol", "alice")):
        resign(client, played[pair], ALICE)
    resign(client, played["bob", "carol"], BOB)
    left(client, url, CAROL)
    page = client.get(url)
    assert "=> /players/carol Not placed, carol: 3 points, 4 games played\n" in page
    assert "had ended, so all of them count for the others." in page
    assert "=> /players/bob 1. bob: 1 point, 2 games played and 2 to play\n" in page
    resign(client, played["alice", "bob"], BOB)
    resign(client, played["bob", "alice"], ALICE)
    page = client.get(url)
    assert "It is over: bob won with 2 points." in page
    assert list(blocks(page)[0].rows) == [
        "          1  2  3 pts SB",
        " 1 bob   ## 10 01   2  4",
        " 2 alice 10 ## 00   1  2",
        " 3 carol 01 11 ##   3  4",
    ]
    assert "bob wins, points: 2" in client.get(f"{url}/feed")
    assert "takes no place" in client.get("/help/tournaments")


def test_nobody_leaves_twice_or_another_or_when_it_is_over(client: Client) -> None:
    url = begin(client)
    prompt = link(client.get(url, CAROL), "/leave")
    bobs = link(client.get(url, BOB), "/leave")
    assert undone(client, f"{prompt}?leave", BOB, url)
    assert "Not placed" not in client.get(url)
    left(client, url, CAROL)
    assert client.ask(f"{prompt}?leave", CAROL) == Response(30, url)
    assert undone(client, f"{bobs}?leave", BOB, url), "bob's page is out of date"
    assert client.get(url).count("Not placed") == 1
    assert "Leave the tournament" not in links(client.get(url, CAROL))
    left(client, url, BOB)
    assert "It is over: alice won with 2 points." in client.get(url)
    assert "Leave the tournament" not in links(client.get(url, ALICE))


def test_all_may_leave(client: Client) -> None:
    url = begin(client)
    for who in (CAROL, BOB):
        left(client, url, who)
    assert "Leave the tournament" not in links(client.get(url, ALICE))
    assert keep_time(client) == 1
    assert OVER in client.get(url)


def test_an_erased_player_leaves_and_takes_the_titles_along(client: Client) -> None:
    url, waiting = begin(client), announce(client, title="a cup by alice")
    join(client, waiting, BOB)
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    page = client.get(url)
    assert page.startswith("# A tournament of Ultimate\n")
    assert "alice" not in page
    assert "* Not placed, a former player: 0 points" in page
    assert BEGUN in page
    assert record(client, games(client, url)["bob", "a former player"])["winner"] == "X"
    assert "alice" not in client.get(waiting)
    assert "Players: 1 of 6" in client.get(waiting)
    assert "Announced by a former player" in client.get(waiting)
    for feed in (f"{url}/feed", f"{waiting}/feed", "/feed"):
        assert "alice" not in client.get(feed)
    assert "A tournament of Ultimate is announced" in entries(client, f"{waiting}/feed")[0]
    for path in (url, waiting, f"{url}/feed", f"{waiting}/feed", "/feed"):
        assert not SMALL.search(client.get(path)), path


SMALL = re.compile(
    r"(^|^=> \S+ (\d{4}-\d\d-\d\d - )?|^\* |(?<!\d)[.!?] )a (former|tournament)", re.MULTILINE
)
"""A sentence or a line that begins without a capital."""


def test_a_banned_player_leaves(client: Client, console: Console) -> None:
    url, waiting = begin(client), announce(client, who=BOB)
    join(client, waiting, CAROL)
    console.admin("ban carol 'much noise'")
    assert "carol left on" in client.get(url)
    assert "Players: 1 of 6" in client.get(waiting)
    assert client.ask(link(client.get(waiting), "/feed"), CAROL).status == 20


def test_rated_games_count_and_casual_ones_do_not(client: Client) -> None:
    for terms in ("variant=numeric&seats=3", "variant=tinc&seats=3&rated=no"):
        game = games(client, begin(client, terms))["alice", "bob"]
        moves = ["a1=5", "a2=8"] if "numeric" in terms else ["a1", "c3"]
        play(client, game, moves, ALICE, BOB)
        resign(client, game, BOB)
    assert "alice" in client.get("/players/ladder/numeric")
    assert "alice" not in client.get("/players/ladder/tinc")


def test_two_processes_start_it_once(client: Client) -> None:
    url = announce(client, "starts=1")
    join(client, url, BOB, CAROL)
    client.now += timedelta(days=2)
    together = Barrier(4)
    counts = []

    def sweep(context: AppContext) -> None:
        together.wait()
        counts.append(actions.start_and_end_due(context))

    threads = [Thread(target=sweep, args=(context_of(client),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 1
    assert len(games(client, url)) == 6
    assert "0 of 6 games" in client.get(url)


def test_two_players_who_join_at_once_are_not_both_the_last(client: Client) -> None:
    url = announce(client, "seats=3")
    join(client, url, BOB)
    people = [certificate(name) for name in ("dave", "erin")]
    seats = [link(client.get(url, who), "/join") for who in people]
    with ThreadPoolExecutor(2) as pool:
        answers = [*pool.map(client.ask, seats, people)]
    assert sorted(answer.status for answer in answers) == [20, 30]
    refused = [
        name for name, answer in zip(("dave", "erin"), answers, strict=True) if answer.status == 20
    ]
    assert len(refused) == 1
    assert len(games(client, url)) == 6
    assert not any(refused[0] in pair for pair in games(client, url))
