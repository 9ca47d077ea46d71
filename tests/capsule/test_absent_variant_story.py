"""A plug-in is taken away while games of its variant are played, and comes back."""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from capsule.__main__ import main
from capsule.games.maintenance import record_absences
from capsule.gemini.types import Certificate
from capsule.processes import housekeeping
from tests.support.client import Client, context_of, link, links
from tests.support.console import where
from tests.support.conversation import say
from tests.support.crawling import LARGE, SMALL, Crawl, Sample
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, record, start, start_between
from tests.support.tournaments import announce, begin, games, join, resign
from tests.support.walking import changes_nothing

NO_GAME = "This capsule does not have the variant of this game at present"
NO_TOURNAMENT = "This capsule does not have the variant of this tournament at present"

WON = ["b2", "a1", "a2", "c1", "c2"]

EXPORTS = ("/play/me/export.json", "/play/me/records.txt")
"""The pages that hand out all that is kept, games of absent variants as well."""

TRACES = re.compile(r"noughts(?! and)|\bNoughts\b(?! and)")
"""The names by which links and lists refer to the variant; prose says "noughts and crosses"."""


@dataclass
class World:
    """A capsule with games of noughts: the URLs of those that matter, and every link to them."""

    client: Client
    running: str
    won: str
    others: list[str]
    tournaments: list[str]
    addresses: set[tuple[str, Certificate | None]]


def restart(client: Client) -> None:
    """Restart the capsule, as `oxonaut serve` does."""
    client.restart()
    record_absences(client.database, client.now)


def sweep(client: Client) -> None:
    """Sweep as the capsule does, and leave the next sweep to any process."""
    context = context_of(client)
    housekeeping.sweep(context, logging.getLogger("oxonaut.test"))
    context.leases.release_all()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Play games of noughts of every kind; take the plug-in away a day after the last move."""
    with noughts_plugged_in():
        client = Client(tmp_path)
        play(client, open_game(client), ["e5", "d4"], ALICE, BOB)
        won = open_game(client, "noughts")
        play(client, won, WON, ALICE, BOB)
        say(client, won, "well played", BOB)
        client.now += timedelta(days=1)
        client.type(link(client.get(f"{won}/more", ALICE), "/note"), "2: a mistake", ALICE)
        client.ask(link(client.get(f"{won}/more", ALICE), "/publish"), ALICE)
        assert f"{won}/notes" in client.get("/games/annotated")
        running = open_game(client, "noughts")
        play(client, running, ["b2"], ALICE, BOB)
        say(client, running, "your turn", ALICE)
        client.type(link(client.get(f"{running}/more", BOB), "/note"), "hm", BOB)
        others = [
            start(client, "noughts", "solo"),
            start(client, "noughts", "open", CAROL),
            start(client, "noughts", "bot-novice"),
            start_between(client, "noughts", BOB, ALICE),
        ]
        play(client, others[2], ["b2"], ALICE)
        challenge = link(client.get("/play/new/noughts", CAROL), "/challenge")
        others.append(client.type(challenge, "alice", CAROL).meta)
        played = begin(client, "variant=noughts&seats=3")
        resign(client, games(client, played)["bob", "alice"], BOB)
        announced = announce(client, "variant=noughts&seats=4&starts=full", BOB)
        join(client, announced, ALICE)
        tournaments = [played, announced]
        addresses = {
            (address, who)
            for who in (ALICE, BOB, None)
            for url in (running, won, *others, *tournaments)
            for address in (url, *links(client.get(url, who)).values())
            if address.startswith(url)
        }
        client.now += timedelta(days=1)
    restart(client)
    yield World(client, running, won, others, tournaments, addresses)
    client.database.close()


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("who", "sample"),
    [
        pytest.param(ALICE, SMALL, id="alice"),
        pytest.param(None, SMALL, id="a visitor", marks=pytest.mark.slow),
        pytest.param(ALICE, LARGE, id="alice for longer", marks=pytest.mark.deep),
        pytest.param(BOB, LARGE, id="bob for longer", marks=pytest.mark.deep),
        pytest.param(None, LARGE, id="a visitor for longer", marks=pytest.mark.deep),
    ],
)
def test_no_page_leads_to_a_game_of_it_or_fails(
    world: World, who: Certificate | None, sample: Sample
) -> None:
    ids = [url.rpartition("/")[2] for url in (world.running, world.won, *world.others)]
    visits = Crawl(world.client, who, changes_nothing, sample).run().visits
    assert not [visit.address for visit in visits if visit.answer.status in (42, 51)]
    for visit in visits:
        if not visit.address.startswith(EXPORTS):
            said = visit.answer.body or visit.answer.meta
            assert not TRACES.search(said), (visit.address, said)
            assert not [each for each in ids if each in said], visit.address
    assert len(visits) > 40


@pytest.mark.sqlite
def test_nothing_of_it_is_there_and_each_address_of_a_game_says_why(world: World) -> None:
    sub_pages = (
        "", "/0", "/1", "/history", "/words", "/live", "/record.txt", "/record.json", "/feed",
        "/feed.xml", "/state.json", "/analysis", "/messages",
    )  # fmt: skip
    for game in (world.running, world.won, *world.others):
        for who in (ALICE, None):
            for page in sub_pages:
                answer = world.client.ask(f"{game}{page}", who)
                assert (answer.status, answer.meta) == (51, NO_GAME), (game, page)
    for address, who in world.addresses:
        answer = world.client.ask(address, who)
        if who is None and "/join" in address:
            assert (answer.status, answer.meta) == (30, "/play/")
            continue
        why = NO_TOURNAMENT if address.startswith("/play/tournaments/") else NO_GAME
        assert (answer.status, answer.meta) == (51, why), (address, who)
    assert len(world.addresses) > 60
    won = world.won.removeprefix("/play/")
    for path in (
        "/rules/noughts", "/games/noughts", "/players/ladder/noughts", "/board/noughts/b2",
        f"/board/noughts/~{won}.2", f"/board/tinc/~{won}.2", "/play/new/noughts",
    ):  # fmt: skip
        assert world.client.ask(path, ALICE).status == 51, path


def test_counts_and_results_leave_its_games_out(world: World) -> None:
    client = world.client
    assert "Noughts" not in client.get("/players/alice")
    account = client.get("/play/me/", ALICE)
    assert json.loads(client.get("/play/desk.json", ALICE))["games"]
    assert "noughts" not in client.get("/play/desk.json", BOB) + account
    client.now += timedelta(days=1)
    exported = json.loads(client.get("/play/me/export.json", BOB))
    assert sum(game["variant"] == "noughts" for game in exported["games"]) >= 4
    assert "noughts" in client.get("/play/me/records.txt", BOB)


@pytest.mark.slow
def test_nothing_that_is_stored_is_wrong(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    sweep(world.client)
    assert main(["ratings", *where(world.client), "--check"]) == 0
    assert "identical to what is stored" in capsys.readouterr().out
    assert main(["check", *where(world.client)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^No plug-in adds noughts. The moves of its 13 games were", printed), printed
    assert "fit together" in printed
    for command in (["status"], ["explorer", "rebuild"], ["admin", "reports"]):
        assert main([*command[:1], *where(world.client), *command[1:]]) == 0, command


def test_nobody_loses_by_time_and_it_goes_on_when_the_plugin_is_back(world: World) -> None:
    client = world.client
    for _ in range(10):
        client.now += timedelta(days=6)
        sweep(client)
    with noughts_plugged_in():
        restart(client)
        sweep(client)
        page = client.get(world.running, BOB)
        assert "Your turn." in page
        # It had six days left when the plug-in was taken away, and the capsule was restarted.
        assert "You have until 27 January 2027 at 14:02 UTC" in page
        assert record(client, world.others[4])["status"] == "challenged"
        assert record(client, world.others[1])["status"] == "waiting"
        play(client, world.running, ["a1"], BOB)
        client.now += timedelta(days=14, hours=1)
        sweep(client)
        assert record(client, world.running)["winner"] == "O", "the clock runs again"


def test_vacations_before_it_take_no_time_from_anybody(world: World) -> None:
    client = world.client
    with noughts_plugged_in():
        restart(client)
        client.type(link(client.get("/play/", BOB), "/vacation"), "20", BOB)
        client.now += timedelta(days=20)
    restart(client)
    client.now += timedelta(days=5)
    with noughts_plugged_in():
        restart(client)
        sweep(client)
        assert record(client, world.running)["status"] == "playing"
        client.now += timedelta(days=12)
        sweep(client)
        assert record(client, world.running)["status"] == "playing"


def test_tournaments_of_it_stand_still_and_go_on_and_its_moves_are_counted(world: World) -> None:
    client, (played, announced) = world.client, world.tournaments
    client.now += timedelta(days=40)
    sweep(client)
    with noughts_plugged_in():
        restart(client)
        sweep(client)
        assert "It is being played" in client.get(played)
        join(client, announced, CAROL)
        assert len(games(client, played)) == 6
        assert "Reached in " in client.get("/board/noughts/b2")


def test_an_erased_player_has_left_its_games_and_tournaments(world: World) -> None:
    client = world.client
    erase = link(client.get("/play/me/", BOB), "/erase")
    client.type(erase, "erase", BOB)
    with noughts_plugged_in():
        restart(client)
        sweep(client)
        for url in (world.running, world.others[3], *games(client, world.tournaments[0]).values()):
            if "a former player" in client.get(url):
                assert record(client, url)["status"] != "playing", url
        assert "a former player" in client.get(world.tournaments[0])
        assert "Players: 1 of 4" in client.get(world.tournaments[1]), "the seat is free again"
        assert main(["ratings", *where(client), "--check"]) == 0


def test_a_start_without_any_change_notes_nothing(client: Client) -> None:
    with noughts_plugged_in():
        client.forget_pages()
        start(client, "noughts", "solo")
    for _ in range(2):
        assert record_absences(client.database, client.now) == {"noughts"}
    with noughts_plugged_in():
        for _ in range(2):
            assert record_absences(client.database, client.now) == set()
