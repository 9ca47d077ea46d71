"""People vote for the moves of everyone's game, and a bot answers."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from capsule.boards import explorer
from capsule.everyone import voting
from capsule.games.model import GameStatus
from engine import Side
from tests.support.client import Client, certificate, context_of, links
from tests.support.everyone import (
    HERE,
    VOTING,
    Begin,
    advance,
    ballot,
    cast,
    link_of,
    midnight,
    moves_of,
    newest,
    reply,
    vote,
)
from tests.support.feeds import entries
from tests.support.people import declare, erase
from tests.support.stored import numbered_id, player_id, store_row
from tests.support.stories import ALICE, BOB, CAROL, record, start

pytestmark = pytest.mark.usefixtures("people")

DAVE = certificate("dave")
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def test_before_the_first_game_the_page_says_what_will_be(client: Client) -> None:
    assert "The first game begins in a moment." in client.get(HERE)
    assert "The first game begins in a moment." in client.get(VOTING, ALICE)
    assert client.ask("/everyone/1").status == 51


def test_the_first_game_begins_by_itself_and_is_public(client: Client) -> None:
    game = advance(client)
    assert (game.number, game.stored.variant.key) == (1, "tinc")
    assert (game.stored.listed, game.stored.rated, game.stored.bot_level) == (True, False, "expert")
    page = client.get(HERE)
    assert page.startswith("# Everyone's game 1: Tinc against the expert bot\n")
    assert "Nobody has voted yet." in page
    assert "The game is a draw after 60 moves." in page
    assert links(page)["Vote for the next move"] == VOTING
    assert client.get("/everyone/1").splitlines()[0] == page.splitlines()[0]
    assert client.ask("/everyone/2").status == 51
    game_page = client.get(f"/play/{game.stored.id}", ALICE)
    assert "This is everyone's game." in game_page
    assert next(iter(links(game_page).values())) == HERE, "to vote comes first"
    assert f"/play/{game.stored.id}" in client.get("/games/")


def test_at_midnight_the_move_with_most_votes_is_played_and_the_bot_answers(
    client: Client, begin: Begin
) -> None:
    begin("ultimate")
    assert "You can vote until 23 November 2026 at 00:00 UTC: 1 day left." in client.get(HERE)
    vote(client, ALICE, "d4")
    vote(client, BOB, "e5")
    vote(client, CAROL, "e5")
    client.now = at(22, 23, 59)
    advance(client)
    assert moves_of(client) == []
    client.now = at(23, 0)
    assert advance(client).stored.bot_to_move
    assert moves_of(client) == ["e5"]
    assert "the bot is thinking" in client.get(HERE)
    reply(client, "d4")
    page = client.get(HERE)
    assert "Everyone played e5 as move 1 on 23 November 2026 at 00:00 UTC." in page
    assert "* e5: 2 votes\n* d4: 1 vote\n" in page
    assert "The expert bot played d4" in page
    assert "You can vote until 24 November 2026 at 00:00 UTC" in page


def test_of_equal_moves_the_one_with_the_oldest_standing_vote_is_played(
    client: Client, begin: Begin
) -> None:
    begin("ultimate")
    for who, move in ((ALICE, "a1"), (BOB, "b2"), (CAROL, "a1"), (DAVE, "b2")):
        client.now += HOUR
        vote(client, who, move)
    # Alice changes her mind and then changes it back: her vote is now the newest.
    for move in ("c3", "a1"):
        client.now += HOUR
        vote(client, ALICE, move)
    midnight(client)
    assert moves_of(client) == ["b2"]


def test_a_vote_can_be_changed_until_it_is_counted_and_each_link_votes_once(
    client: Client, begin: Begin
) -> None:
    begin("ultimate")
    first = ballot(client, ALICE)
    assert client.ask(first, ALICE).status == 10
    assert client.ask(link_of(first, "e5"), ALICE).meta == VOTING
    assert client.ask(link_of(first, "e5"), ALICE).status == 30, "the same request once more"
    vote(client, ALICE, "d4")
    assert client.ask(link_of(first, "e5"), ALICE).meta == VOTING, "it has been done"
    again = client.ask(link_of(first, "a1"), ALICE)
    assert again.status == 20
    assert again.body.startswith(
        "You did not vote: that page was out of date. Your move was:\n> a1\n"
    )
    assert "You have voted for d4." in client.get(VOTING, ALICE)
    second = ballot(client, ALICE)
    midnight(client, 2)
    assert moves_of(client) == ["d4"]
    late = client.ask(link_of(second, "e5"), ALICE)
    assert "You did not vote" in late.body
    assert "> e5" in late.body
    planted = client.ask(link_of(second, "e5"), BOB)
    assert "You did not vote" in planted.body
    assert "> e5" not in planted.body


def test_what_cannot_be_played_is_asked_again(client: Client, begin: Begin) -> None:
    begin("ultimate")
    answer = cast(client, ALICE, "z9")
    assert answer.status == 10
    assert answer.meta.endswith("Your vote, X")


def test_who_does_not_count_may_not_vote(client: Client, begin: Begin) -> None:
    begin("ultimate")
    eve, frank = certificate("eve"), certificate("frank")
    assert client.ask(VOTING).meta == "/play/?everyone/"
    for who in (eve, frank):
        page = client.get(VOTING, who)
        assert "To vote, first finish a game against a person, or three against bots." in page
        assert "/vote" not in page
    start(client, "tinc", "solo", eve)
    page = client.get(VOTING, eve)
    assert "You can vote a day after you first played here." in page
    assert "/vote" not in page
    stolen = ballot(client, ALICE)
    assert "You did not vote" in client.ask(link_of(stolen, "e5"), eve).body
    assert "You did not vote" in client.ask(link_of(stolen, "e5"), frank).body
    midnight(client, 2)
    assert moves_of(client) == []


def test_without_a_vote_the_game_waits_and_after_seven_days_it_is_left(client: Client) -> None:
    client.now = at(22, 0, 0)
    first = advance(client)
    for _ in range(6):
        assert midnight(client).stored.id == first.stored.id
    client.now = at(28, 23, 59)
    assert advance(client).number == 1
    client.now = at(29, 0, 0)
    second = advance(client)
    assert (second.number, second.stored.variant.key) == (2, "ultimate")
    page = client.get("/everyone/1")
    assert "Nobody voted for seven days, so the game ended without a result." in page
    assert "Game 1, Tinc: left without a result" in links(client.get(HERE))
    assert "Won: 0. Drawn: 0. Lost: 0." in client.get(HERE)
    assert record(client, f"/play/{first.stored.id}")["status"] == "aborted"
    assert "Game 1 is over: nobody voted for a week" in entries(client, "/everyone/feed")


def test_a_vote_on_the_last_day_keeps_the_game(client: Client) -> None:
    client.now = at(22, 0, 0)
    advance(client)
    midnight(client, 6)
    vote(client, ALICE, "a1")
    assert midnight(client).number == 1
    assert moves_of(client) == ["a1"]


def test_after_a_stop_of_days_votes_are_counted_once_and_the_next_have_half_a_day(
    client: Client, begin: Begin
) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    prompt = ballot(client, BOB)
    client.now = at(26, 20)
    assert "You did not vote" in client.ask(link_of(prompt, "d4"), BOB).body, "too late by days"
    advance(client)
    reply(client, "d4")
    assert "You can vote until 28 November 2026 at 00:00 UTC" in client.get(HERE)
    vote(client, ALICE, "a1")
    midnight(client)
    assert moves_of(client) == ["e5", "d4"]
    midnight(client)
    assert moves_of(client) == ["e5", "d4", "a1"]


def test_a_measurement_of_the_people_is_another_day(client: Client, begin: Begin) -> None:
    begin("quantum")
    vote(client, ALICE, "a1+c3")
    midnight(client)
    reply(client, "a1+c3")
    page = client.get(VOTING, ALICE)
    assert "Vote for a1" in page
    choice = next(url for url in links(page).values() if url.endswith("/vote?a1"))
    assert client.ask(choice, ALICE).meta == VOTING
    midnight(client)
    assert moves_of(client) == ["a1+c3", "a1+c3", "a1"]
    assert not newest(client).stored.bot_to_move
    advance(client)
    assert len(moves_of(client)) == 3


def test_the_bot_is_one_level_stronger_after_a_win_and_the_score_is_kept(
    client: Client, begin: Begin
) -> None:
    begin("numeric")
    for mine, answer in (("a1=1", "c3=8"), ("b1=5", "c2=2"), ("c1=9", None)):
        vote(client, ALICE, mine)
        midnight(client)
        if answer is not None:
            reply(client, answer)
    first = client.get("/everyone/1")
    assert "Everyone (Odd) wins" in first
    moves = client.get(links(first)["All moves of this game, and more about it"])
    assert "Everyone played this game together, one move a day by vote." in moves
    second = newest(client)
    assert second.number == 2
    assert (second.before.won, second.before.lost) == (1, 0)
    assert second.stored.bot_level == "expert", "the next variant has its own"
    assert "Won: 1. Drawn: 0. Lost: 0." in client.get(HERE)
    assert "Game 1, Numeric: won against the expert bot" in links(client.get(HERE))
    assert "Game 1 is over: everyone beats the expert bot" in entries(client, "/everyone/feed")
    # The next game of the same variant is five games on.
    for _ in range(4):
        midnight(client, 8)
    assert newest(client).number == 6
    assert newest(client).stored.bot_level == "master"
    analysed = record(client, links(first)["All moves of this game, and more about it"])
    assert (analysed["winner"], analysed["status"]) == ("X", "finished")


def test_an_erased_voters_votes_go_and_the_moves_stay(client: Client, begin: Begin) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    midnight(client)
    reply(client, "d4")
    vote(client, ALICE, "a1")
    votes = json.loads(client.get("/play/me/export.json", ALICE))["votes"]
    assert [(each["number"], each["move"]) for each in votes] == [(1, "e5"), (3, "a1")]
    erase(client, ALICE)
    assert "e5: 1 vote" not in client.get(HERE)
    midnight(client)
    assert moves_of(client) == ["e5", "d4"]


def test_many_processes_begin_one_game_and_count_once(client: Client) -> None:
    contexts = [context_of(client) for _ in range(4)]

    def advance_everywhere() -> None:
        with ThreadPoolExecutor(len(contexts)) as pool:
            for done in [pool.submit(voting.advance, each) for each in contexts]:
                done.result()

    advance_everywhere()
    assert newest(client).number == 1
    vote(client, ALICE, "a1")
    client.now += 2 * DAY
    advance_everywhere()
    assert moves_of(client) == ["a1"]
    client.now += DAY
    reply(client, "b1")
    client.now += 8 * DAY
    advance_everywhere()
    assert newest(client).number == 2


def test_it_is_analysed_and_explored_but_not_rated(client: Client, begin: Begin) -> None:
    begin("numeric")
    for mine, answer in (("a1=5", "a2=8"), ("c1=1", "a3=2")):
        vote(client, ALICE, mine)
        midnight(client)
        reply(client, answer)
    assert "Game 1 is over: the expert bot beats everyone" in entries(client, "/everyone/feed")
    first = newest(client).stored
    assert (first.winner, first.analysis_due, first.rating_number) == (Side.O, True, None)
    assert explorer.count_due(client.context) > 0
    assert "a1=5" in client.get("/board/numeric/")
    advance(client)
    assert "Game 1, Numeric: lost to the expert bot" in links(client.get(HERE))
    assert first.id in client.get("/games/numeric")
    assert "Expert bot beats everyone at Numeric" in entries(client, "/feed")


def test_home_leads_to_it_and_shows_no_board_of_it(client: Client, begin: Begin) -> None:
    begin("ultimate")
    moves = "e5 d4 a1 a2 a4 a3 b7 d1".split()
    for number, move in enumerate(moves):
        home = client.get("/")
        assert "## A game of Ultimate" in home, number
        assert links(home)["Everyone's game: Ultimate, vote now"] == HERE
        if number % 2:
            reply(client, move)
        else:
            vote(client, ALICE, move)
            midnight(client)


def test_programs_do_not_vote(client: Client) -> None:
    robo = certificate("robo")
    start(client, "tinc", "solo", robo)
    with client.database.writing() as connection:
        for number in range(3):
            store_row(
                connection,
                id=numbered_id(number),
                variant="tinc",
                listed=False,
                x_player_id=player_id(client, robo),
                o_bot="casual",
                status="resigned",
                winner="O",
                x_points=0,
                o_points=1,
                turn="X",
                created_at=client.now,
                moved_at=client.now,
                ended_at=client.now,
            )
    client.now += DAY
    advance(client)
    vote(client, robo, "a1")
    declare(client, robo)
    page = client.get(VOTING, robo)
    assert "Programs do not vote" in page
    assert "/vote" not in page
    midnight(client, 2)
    assert moves_of(client) == []


def test_nobody_can_resign_join_or_abort_it(client: Client) -> None:
    game = advance(client)
    page = client.get(f"/play/{game.stored.id}", ALICE)
    for verb in ("resign", "abort", "join", "draw", "takeback", "rematch", "hint", "move"):
        assert f"/{verb}" not in page
    assert game.stored.status is GameStatus.PLAYING


def test_the_clock_in_doubt_decides_nothing(client: Client, begin: Begin) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    client.jump(3 * DAY)
    advance(client)
    assert moves_of(client) == []


def test_the_feed_has_beginnings_moves_and_ends(client: Client, begin: Begin) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    midnight(client)
    assert entries(client, "/everyone/feed") == [
        "Move 1: everyone (X) plays e5",
        "Game 1 begins: Ultimate, everyone against the expert bot",
    ]
