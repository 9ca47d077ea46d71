"""Tournaments, cups and everyone's game: each event is told once, to who wants it."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage

import pytest

from tests.support import everyone
from tests.support.client import Client, action, link
from tests.support.cups import at, enter, lose, make_count, parts, people, sweep, travel
from tests.support.mail import DAY, HOUR, MINUTE, Post, bobs_move, text_of
from tests.support.stories import ALICE, BOB, CAROL, play, start_between
from tests.support.tournaments import begin, games, keep_time, resign, usual

ADDRESS = "alice@example.net"


def subscribe(client: Client, post: Post, *kinds: str, turns: str = "off") -> None:
    post.subscribe(ALICE, ADDRESS)
    for kind in kinds:
        post.choose(ALICE, f"{kind}/on")
    post.choose(ALICE, "time/off")
    if turns != "daily":
        post.choose(ALICE, f"turns/{turns}")
    client.now += timedelta(seconds=1)


def titles(letters: Sequence[EmailMessage]) -> list[str]:
    """Return the sentences of letters before addresses in Gemini, without those of every letter."""
    texts = [text_of(each).partition("All your games:")[0] for each in letters]
    found = [re.findall(r"((?:^(?!gemini:).+\n)+)gemini://", each, re.MULTILINE) for each in texts]
    return [" ".join(each.split()) for sentences in found for each in sentences]


def test_the_beginning_and_the_end_of_a_tournament_are_told_once(
    client: Client, post: Post
) -> None:
    subscribe(client, post, "events")
    url = begin(client, "seats=3")
    letters = [*post.deliver(), *post.pass_time(DAY, HOUR)]
    (begun,) = titles(letters)
    assert begun.startswith("Begins: ")
    assert f"gemini://localhost{url}" in text_of(letters[0])
    for (x, _), game in games(client, url).items():
        resign(client, game, {"alice": ALICE, "bob": BOB, "carol": CAROL}[x])
    keep_time(client)
    letters = [*post.deliver(), *post.pass_time(2 * DAY, HOUR)]
    over = "Over: alice's Ultimate, alice, bob, carol share first place"
    assert titles(letters) == [over]


def test_who_does_not_want_events_hears_nothing_of_them(client: Client, post: Post) -> None:
    subscribe(client, post)
    begin(client, "seats=3")
    assert not [*post.deliver(), *post.pass_time(DAY, HOUR)]


def test_games_with_the_bots_of_a_tournament_are_told(client: Client, post: Post) -> None:
    """Their time runs, other than that of games with bots elsewhere."""
    subscribe(client, post, "results", turns="daily")
    page = client.get("/play/tournaments/new?starts=now&bots=novice&seats=3", ALICE)
    url = client.ask(usual(page), ALICE).meta
    (game,) = [each for (x, _), each in games(client, url).items() if x == "alice"][:1]
    (letter,) = post.pass_time(DAY, HOUR)
    assert "Your turn against novice bot: Ultimate" in text_of(letter)
    assert game in text_of(letter)
    assert not post.pass_time(DAY, HOUR)
    resign(client, game, ALICE)
    assert "Lost" not in "".join(map(text_of, post.pass_time(2 * DAY, HOUR)))


@pytest.mark.slow
def test_a_cup_is_told_from_its_beginning_to_its_end(client: Client, post: Post) -> None:
    client.now = at("2026-11-24 12:00")
    make_count(client, people(3))
    sweep(client)
    subscribe(client, post, "events")
    travel(client, "2026-12-20 12:00")
    enter(client, ALICE, BOB, CAROL)
    told = titles(post.pass_time(DAY, HOUR))
    assert told == []
    letters = []
    while client.now < at("2027-01-03 00:00"):
        client.now += 6 * HOUR
        sweep(client)
        letters += post.deliver()
    (group,) = parts(client, "2027-01").values()
    lose(client, group, "bob")
    sweep(client)
    letters += post.deliver()
    letters += post.pass_time(3 * DAY, 6 * HOUR)
    counted = Counter(titles(letters))
    told = [each for each in counted if "cup" in each.lower()]
    assert set(counted.values()) == {1}
    assert "The cup of January 2027 is about to begin: Numeric" in told
    assert "bob wins the cup of January 2027" in told
    assert len([each for each in told if each.startswith("Begins: ")]) == 1
    assert len([each for each in told if each.startswith("Over: ")]) <= 1


def test_everyones_game_is_told_within_an_hour(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(client, post, "events")
    post.deliver()
    everyone.advance(client)
    letters = post.pass_time(2 * HOUR, 10 * MINUTE)
    (begun,) = titles(letters)
    assert begun.startswith("Game 1 begins: ")
    assert "gemini://localhost/everyone/1" in text_of(letters[0])
    told = []
    for _ in range(9):
        everyone.midnight(client)
        told += titles(post.pass_time(2 * HOUR, 30 * MINUTE))
    assert Counter(told) == {
        "Game 1 is over: nobody voted for a week": 1,
        next(each for each in told if each.startswith("Game 2 begins: ")): 1,
    }


def test_what_came_about_before_the_address_was_confirmed_is_not_told(
    client: Client, post: Post
) -> None:
    everyone.advance(client)
    client.now += MINUTE
    subscribe(client, post, "events")
    assert not [*post.deliver(), *post.pass_time(2 * HOUR, 10 * MINUTE)]


def test_results_are_told_once_to_who_did_not_end_the_game(client: Client, post: Post) -> None:
    subscribe(client, post, "results")
    ended = start_between(client, "ultimate", ALICE, BOB)
    play(client, ended, ["e5", "d4"], ALICE, BOB)
    resign(client, ended, BOB)
    (letter,) = post.deliver()
    assert letter["Subject"].startswith("Won against bob")
    assert f"gemini://localhost{ended}?end" in text_of(letter)
    other = start_between(client, "ultimate", ALICE, BOB)
    play(client, other, ["e5", "d4"], ALICE, BOB)
    client.get(link(client.get(other, ALICE), "/draw"), ALICE)
    client.now += MINUTE
    client.get(link(client.get(other, BOB), "/accept"), BOB)
    (letter,) = post.deliver()
    assert letter["Subject"] == "Drew with bob by agreement, Ultimate (Oxonaut)"
    third = start_between(client, "ultimate", ALICE, BOB)
    client.type(action(client.get(third, BOB), "abort"), "abort", BOB)
    letters = [*post.deliver(), *post.pass_time(3 * DAY, HOUR)]
    assert titles(letters) == ["Aborted: Ultimate, bob aborted the game"]


def test_a_result_that_was_looked_at_is_not_told(client: Client, post: Post) -> None:
    subscribe(client, post, "results")
    ended = start_between(client, "ultimate", ALICE, BOB)
    play(client, ended, ["e5", "d4"], ALICE, BOB)
    resign(client, ended, BOB)
    client.get(ended, ALICE)
    assert not [*post.deliver(), *post.pass_time(2 * DAY, HOUR)]


def test_a_bonus_move_gives_the_turn_once(client: Client, post: Post) -> None:
    """After her own move that gives another one, alice knows that it is her turn."""
    subscribe(client, post, turns="daily")
    url = start_between(client, "extreme", BOB, ALICE)
    play(client, url, ["k8"], BOB)
    assert len(post.pass_time(DAY, HOUR)) == 1
    client.get(url, ALICE)
    play(client, url, ["o6"], ALICE)
    client.get(url, ALICE)
    assert not post.pass_time(2 * DAY, HOUR)


def test_takebacks_make_another_turn_of_the_same_move(client: Client, post: Post) -> None:
    subscribe(client, post, turns="daily")
    url = bobs_move(client)
    assert len(post.pass_time(DAY, HOUR)) == 1
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    client.now += MINUTE
    assert not post.pass_time(DAY, HOUR), "it is bob's turn"
    play(client, url, ["e4"], BOB)
    assert len(post.pass_time(DAY, HOUR)) == 1
