"""The score between two people: where they met, and for the two of them alone."""

from datetime import timedelta

from capsule.games import results
from capsule.gemini.types import Certificate
from tests.support.client import Client, action, link, links
from tests.support.conversation import block_in, section
from tests.support.cups import sweep
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.tournaments import agree_on_draw


def won_by(
    client: Client, winner: Certificate, loser: Certificate, variant: str = "numeric"
) -> str:
    """Let somebody win a game against another, and return its URL."""
    client.now += timedelta(minutes=1)
    url = start_between(client, variant, winner, loser)
    play(client, url, WON_GAMES[variant].split()[:2], winner, loser)
    client.type(action(client.get(url, loser), "resign"), "resign", loser)
    return url


def drawn(client: Client, variant: str = "numeric") -> str:
    """Let alice and bob agree on a draw, and return the game's URL."""
    client.now += timedelta(minutes=1)
    url = start_between(client, variant)
    play(client, url, WON_GAMES[variant].split()[:2], ALICE, BOB)
    agree_on_draw(client, url, ALICE, BOB)
    return url


def test_the_score_stands_under_a_finished_game_for_its_two_players(client: Client) -> None:
    url = won_by(client, ALICE, BOB)
    assert "You lead 1 to 0 in Numeric.\n" in client.get(url, ALICE)
    assert "alice leads 1 to 0 in Numeric.\n" in client.get(url, BOB)
    for who in (CAROL, None):
        assert "1 to 0" not in client.get(url, who)
    won_by(client, BOB, ALICE)
    for who, other in ((ALICE, "bob"), (BOB, "alice")):
        page = client.get(url, who)
        assert f"You and {other} are level at 1 all in Numeric.\n" in page, "also where it was kept"
    last = drawn(client)
    assert "You and bob are level at 1½ all in Numeric.\n" in client.get(last, ALICE)
    won_by(client, BOB, ALICE)
    assert "bob leads 2½ to 1½ in Numeric.\n" in client.get(last, ALICE)
    assert "You lead 2½ to 1½ in Numeric.\n" in client.get(last, BOB)


def test_only_results_count_and_each_variant_by_itself(client: Client) -> None:
    url = won_by(client, ALICE, BOB)
    won_by(client, BOB, ALICE, "tinc")
    won_by(client, CAROL, ALICE)
    aborted = start_between(client, "numeric")
    client.type(link(client.get(aborted, ALICE), "/abort"), "abort", ALICE)
    running = start_between(client, "numeric")
    play(client, running, ["a1=5"], ALICE)
    assert "You lead 1 to 0 in Numeric.\n" in client.get(url, ALICE)
    for other in (aborted, running):
        page = client.get(other, ALICE)
        assert "lead" not in page
        assert "level" not in page


def test_games_with_bots_and_alone_have_no_score(client: Client) -> None:
    alone = start(client, "numeric", "solo")
    play(client, alone, WON_GAMES["numeric"].split(), ALICE)
    bot = start(client, "numeric", "bot-club")
    client.type(action(client.get(bot, ALICE), "resign"), "resign", ALICE)
    for url in (alone, bot):
        page = client.get(url, ALICE)
        assert " to 0 in Numeric" not in page
        assert "level at" not in page
    assert "## Play again" not in client.get("/play/", ALICE)


def test_the_page_of_a_player_has_the_score_for_its_reader_alone(client: Client) -> None:
    won_by(client, ALICE, BOB)
    won_by(client, ALICE, BOB)
    won_by(client, BOB, ALICE, "tinc")
    start(client, "tinc", "solo", CAROL)
    assert {
        label: url
        for label, url in links(client.get("/play/players/bob", ALICE)).items()
        if label.startswith("Play ")
    } == {
        "Play bob again in Tinc: bob leads 1 to 0": "/play/new/tinc?with=bob",
        "Play bob again in Numeric: you lead 2 to 0": "/play/new/numeric?with=bob",
    }
    label = "Play alice again in Numeric: alice leads 2 to 0"
    page = client.get("/play/players/alice", BOB)
    assert label in links(page)
    assert client.get(links(page)[label], BOB).startswith("# ")
    for url, who in (
        ("/play/players/bob", CAROL),
        ("/play/players/alice", ALICE),
        ("/players/bob", ALICE),
        ("/players/bob", None),
    ):
        assert "again in" not in client.get(url, who)


def test_ones_games_offer_to_play_the_last_opponents_again(client: Client) -> None:
    for _ in range(2):
        won_by(client, ALICE, BOB)
    won_by(client, CAROL, ALICE)
    drawn(client, "tinc")
    assert section(client.get("/play/", ALICE), "Play again") == [
        "=> /play/new/tinc?with=bob Play bob again in Tinc: you are level at ½ all",
        "=> /play/new/numeric?with=carol Play carol again in Numeric: carol leads 1 to 0",
        "=> /play/new/numeric?with=bob Play bob again in Numeric: you lead 2 to 0",
    ]
    last = won_by(client, ALICE, CAROL, "ultimate")
    shown = section(client.get("/play/", ALICE), "Play again")
    assert len(shown) == results.MAX_AGAIN
    assert shown[0].endswith("Play carol again in Ultimate: you lead 1 to 0")
    block_in(client, last, ALICE)
    for who, name in ((ALICE, "carol"), (CAROL, "alice")):
        shown = section(client.get("/play/", who), "Play again")
        assert name not in "".join(shown), "what a block keeps apart is not offered"


def test_there_is_no_score_against_a_former_player(client: Client) -> None:
    url = won_by(client, ALICE, BOB)
    client.type(link(client.get("/play/me/", BOB), "/erase"), "erase", BOB)
    assert "lead" not in client.get(url, ALICE)
    assert "## Play again" not in client.get("/play/", ALICE)


def test_a_game_lost_on_time_counts_before_its_end_is_stored(client: Client) -> None:
    won = won_by(client, ALICE, BOB, "tinc")
    page = client.get("/play/new/tinc?days=1&listed=no", ALICE)
    url = client.ask(next(each for each in links(page).values() if "/invite" in each), ALICE).meta
    client.get(link(client.get(url, BOB), "/join"), BOB)
    play(client, url, WON_GAMES["tinc"].split()[:2], ALICE, BOB)
    client.now += timedelta(days=3)
    for _ in range(2):
        assert "You and bob are level at 1 all in Tinc.\n" in client.get(url, ALICE)
        assert "You and alice are level at 1 all in Tinc.\n" in client.get(url, BOB)
        assert section(client.get("/play/", ALICE), "Play again") == [
            "=> /play/new/tinc?with=bob Play bob again in Tinc: you are level at 1 all"
        ]
        sweep(client)
        client.forget_pages()
    assert "You and bob are level at 1 all in Tinc.\n" in client.get(won, ALICE)
