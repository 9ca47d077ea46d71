"""Cups that go otherwise: by time, ties, players who leave, stops, and the operator."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest

from capsule.cups import course
from capsule.db import schema
from capsule.games import deadlines
from capsule.games.maintenance import faulty_games
from capsule.moderation.actions import cancel_tournament as cancel
from tests.support.acting import operate
from tests.support.client import Client, context_of, link, links
from tests.support.conversation import block_in
from tests.support.cups import (
    OWN,
    act,
    at,
    begin_cup,
    enter,
    lose,
    make_count,
    open_entry,
    parts,
    people,
    sweep,
    travel,
)
from tests.support.feeds import private_feed
from tests.support.people import declare
from tests.support.stored import growing
from tests.support.stories import ALICE, BOB, CAROL, play, record, start_between
from tests.support.tournaments import agree_on_draw, games

WHOLE = "Cup of January 2027"


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (3, [3]),
        (6, [6]),
        (7, [4, 3]),
        (12, [6, 6]),
        pytest.param(23, [6, 6, 6, 5], marks=pytest.mark.slow),
    ],
)
def test_entrants_are_drawn_into_groups(client: Client, count: int, sizes: list[int]) -> None:
    begin_cup(client, count)
    found = [games(client, url) for url in parts(client, "2027-01").values()]
    assert sorted((len(each) for each in found), reverse=True) == [n * (n - 1) for n in sizes]
    players = [{x for x, _ in each} for each in found]
    assert len(set.union(*players)) == count
    assert f"## {count} players" in client.get("/cups/2027-01")
    sweep(client)
    assert len(parts(client, "2027-01")) == len(sizes), "a sweep more begins nothing again"


def test_nobody_there_shares_the_cup_and_is_not_entered_again(client: Client) -> None:
    begin_cup(client, 3)
    travel(client, "2027-01-08 00:00")
    page = client.get("/cups/2027-01")
    assert "alice, bob, carol share the cup, which ended on 7 January 2027." in page
    assert "You are entered" not in client.get(OWN, ALICE)


def test_who_is_late_when_a_group_ends_loses_and_the_rest_is_drawn(client: Client) -> None:
    begin_cup(client, 3)
    ((_, url),) = parts(client, "2027-01").items()
    found = games(client, url)
    by_name = {each.common_name: each for each in people(3)}
    client.type(link(client.get("/play/", BOB), "/vacation"), "20", BOB)
    client.now = at("2027-01-03 12:00")
    for (x, _), game in found.items():
        play(client, game, ["b1=1"], by_name[x])
    client.now = at("2027-01-05 12:00")
    play(client, found["alice", "carol"], ["a1=2"], CAROL)
    end_at(client, url, "2027-01-07 00:00")
    client.now = at("2027-01-07 00:00")
    shown = client.get("/cups/2027-01")
    assert "5 of 6 games" not in shown
    sweep(client)
    results = {pair: record(client, game) for pair, game in found.items()}
    # Carol has let more than three days pass; bob is away, and alice has been to move for two.
    assert results["bob", "carol"]["status"] == "timed out"
    assert results["bob", "carol"]["winner"] == "X"
    for pair in (("carol", "bob"), ("alice", "carol"), ("alice", "bob")):
        assert results[pair]["points"] == [0.5, 0.5], pair
        assert results[pair]["ended"].startswith("2027-01-07T00:00:00")
    assert "A draw: the time of the cup was up." in client.get(found["carol", "bob"])
    assert "bob won the cup on 7 January 2027." in client.get("/cups/2027-01")
    faults = [*faulty_games(client.database, lambda _: None)]
    assert not [fault for fault in faults if "by the rules" in fault]


def test_a_game_of_tinc_is_drawn_after_move_60(client: Client) -> None:
    begin_cup(client, 3, "2027-04")
    pair, url = next(iter(games(client, next(iter(parts(client, "2027-04").values()))).items()))
    by_name = {each.common_name: each for each in people(3)}
    x, o = (by_name[each] for each in pair)
    moves = growing(60)
    play(client, url, moves[:59], x, o)
    assert record(client, url)["status"] == "playing"
    play(client, url, moves[59:], x, o)
    assert "A draw: games of a cup end after move 60." in client.get(url)
    assert record(client, url)["points"] == [0.5, 0.5]
    faults = [*faulty_games(client.database, lambda _: None)]
    assert not [fault for fault in faults if "by the rules" in fault]


def end_at(client: Client, url: str, moment: str) -> None:
    """Let the games of a group end at another time."""
    table = schema.games.games
    of_group = table.c.tournament_id == url.rpartition("/")[2]
    with client.database.writing() as connection:
        connection.execute(table.update().where(of_group).values(ends_by=at(moment)))


@pytest.mark.slow
def test_a_group_has_45_days_and_a_final_30(client: Client) -> None:
    begin_cup(client, 8)
    first, second = parts(client, "2027-01").values()
    assert "It ends on 15 February 2027 at 00:00 UTC at the latest." in client.get(first)
    for url in (first, second):
        lose(client, url, next(iter(games(client, url)))[0])
    client.now = at("2027-02-01 12:00")
    sweep(client)
    final = parts(client, "2027-01")[f"{WHOLE}, final"]
    assert "It ends on 3 March 2027 at 12:00 UTC at the latest." in client.get(final)


def test_blocked_players_and_programs_stay_out(client: Client) -> None:
    open_entry(client, 4)
    game = start_between(client, "tinc", ALICE, BOB)
    block_in(client, game, ALICE)
    enter(client, ALICE)
    reason = "You cannot play against one of its entrants"
    assert f"You cannot enter now. {reason}" in client.get(OWN, BOB)
    program = people(4)[3]
    declare(client, program)
    assert "A cup is for people." in client.get(OWN, program)


@pytest.mark.slow
def test_all_who_are_first_in_a_group_play_the_final(client: Client) -> None:
    begin_cup(client, 7)
    by_name = {each.common_name: each for each in people(7)}
    for url in parts(client, "2027-01").values():
        for (x, o), game in games(client, url).items():
            agree_on_draw(client, game, by_name[x], by_name[o])
    sweep(client)
    final = parts(client, "2027-01")[f"{WHOLE}, final"]
    assert len(games(client, final)) == 42
    for (x, o), game in games(client, final).items():
        agree_on_draw(client, game, by_name[x], by_name[o])
    sweep(client)
    page = client.get("/cups/2027-01")
    assert "alice, bob, carol, friend00, friend01, friend02, friend03 share the cup" in page


def test_everybody_withdraws(client: Client) -> None:
    begin_cup(client, 3)
    ((_, url),) = parts(client, "2027-01").items()
    for who in (ALICE, BOB):
        client.type(link(client.get(url, who), "/leave"), "leave", who)
    assert not any(label.endswith("/leave") for label in links(client.get(url, CAROL)).values())
    sweep(client)
    assert "carol won the cup on 1 January 2027." in client.get("/cups/2027-01")
    assert "You are entered in the cup of February 2027" not in client.get(OWN, ALICE)
    assert "You are entered in the cup of February 2027" in client.get(OWN, CAROL)


@pytest.mark.slow
def test_a_stop_of_days_skips_nothing(client: Client) -> None:
    open_entry(client, 4)
    enter(client, *people(4))
    client.now = at("2027-01-04 12:00")
    assert "It begins in a moment." in client.get("/cups/2027-01")
    assert "/leave" not in client.get(OWN, ALICE), "it has begun by its date"
    sweep(client)
    ((title, url),) = parts(client, "2027-01").items()
    assert title == WHOLE
    assert "It ends on 15 February 2027 at 00:00 UTC at the latest." in client.get(url)
    lose(client, url, "carol")
    client.now = at("2027-03-05 12:00")
    sweep(client)
    assert "won the cup on 4 January 2027" in client.get("/cups/2027-01")
    assert "=> /cups/2027-02 February 2027, Quantum" not in client.get("/cups/"), "it was played"
    assert "Being played: the cup of February 2027, Quantum" in client.get("/cups/")
    assert "It begins" not in client.get("/cups/2027-03")


def test_two_processes_do_everything_once(client: Client) -> None:
    client.now = at("2026-11-24 12:00")
    make_count(client, people(7))
    context = context_of(client)
    together(client)
    client.now = at("2026-12-20 00:00")
    together(client)
    enter(client, *people(7))
    client.now = at("2027-01-01 00:00")
    together(client)
    found = parts(client, "2027-01")
    assert [*found] == [f"{WHOLE}, group 1", f"{WHOLE}, group 2"]
    for url in found.values():
        lose(client, url, min(x for x, _ in games(client, url)))
    deadlines.end_overdue(context)
    sweep(client)
    together(client)
    assert len(parts(client, "2027-01")) == 3
    assert len(games(client, parts(client, "2027-01")[f"{WHOLE}, final"])) == 2


def together(client: Client) -> None:
    """Take the steps that are due in three threads at once."""
    context, barrier, failed = context_of(client), Barrier(3), []

    def keep() -> None:
        barrier.wait()
        try:
            course.advance_cups(context)
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(error)

    threads = [Thread(target=keep) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    course.advance_cups(context)


def test_the_operator_ends_a_group(client: Client) -> None:
    begin_cup(client, 8)
    first, second = parts(client, "2027-01").values()
    ended = operate(cancel, context_of(client), first.rpartition("/")[2], "a quarrel")
    assert ended.cup is not None
    page = client.get(first)
    assert "The operator called it off on 1 January 2027 at 00:01 UTC: a quarrel" in page
    winner = next(iter(games(client, second)))[0]
    lose(client, second, winner)
    sweep(client)
    assert f"{winner} won the cup" in client.get("/cups/2027-01")
    assert f"{WHOLE}, group 1: called off by the operator" in client.get("/cups/2027-01")


def test_who_may_enter(client: Client) -> None:
    open_entry(client, 3)
    dave = people(4)[3]
    assert "To enter, first finish a game" in client.get(OWN, dave)
    client.type(link(client.get("/play/me/", dave), "/name"), "dave", dave)
    page = client.get(OWN, dave)
    assert "You cannot enter now. To enter, first finish a game against a person" in page
    assert next(iter(links(page))) == "Start a game"
    assert client.ask("/play/cups/").meta == "/play/?cups/"
    address = link(client.get(OWN, ALICE), "/enter")
    assert client.ask(address, BOB).status == 20, "it is alice's"
    assert client.ask(address, ALICE).meta == OWN
    assert client.ask(address, ALICE).meta == OWN, "once more is no second entry"
    assert "1 player has entered." in client.get("/cups/")
    act(client, "leave", ALICE)
    client.ask(address, ALICE)
    assert "Nobody has entered yet." in client.get("/cups/"), "an old page does nothing"


def test_feeds_tell_of_it(client: Client) -> None:
    begin_cup(client, 3)
    ((_, url),) = parts(client, "2027-01").items()
    private = client.get(private_feed(client, ALICE))
    assert f"Begins: {WHOLE}, Numeric, 3 players" in private
    lose(client, url, "bob")
    client.now += timedelta(hours=1)
    sweep(client)
    private = client.get(private_feed(client, ALICE))
    assert "bob wins the cup of January 2027" in private
    assert "You are entered in the cup of February 2027, Quantum, and may leave it" in private
    for path in ("/cups/feed", "/cups/2027-01/feed", "/cups/feed.xml", "/cups/2027-01/feed.xml"):
        feed = client.get(path)
        for title in (
            "The cup of January 2027 begins: Numeric",
            "bob wins the cup of January 2027",
        ):
            assert title in feed, path
    assert client.get("/feed").count("the cup of January 2027") == 1
    assert client.get("/feed").count("The cup of January 2027 begins") == 1
    assert not [url for url in links(client.get("/feed")).values() if "/tournaments/" in url]
