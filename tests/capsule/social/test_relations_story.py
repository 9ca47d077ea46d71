"""Muting and blocking: whose messages are hidden, and who is kept apart."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import act, block_in, ended_game, name_in_list, said, say, section
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, start_between, undone

PEOPLE = "/play/me/people"


def challenge(client: Client, name: str, who: Certificate, variant: str = "ultimate") -> Response:
    """Type a name at the prompt for challenges."""
    return client.type(link(client.get(f"/play/new/{variant}", who), "/challenge"), name, who)


def known(client: Client, *people: Certificate) -> None:
    """Let people become players."""
    for who in people:
        start(client, "tinc", "solo", who)


def status(client: Client, url: str) -> str:
    return record(client, url)["status"]


# The list


def test_players_are_muted_and_blocked_by_name(client: Client) -> None:
    known(client, ALICE, BOB, CAROL)
    page = client.get(
        links(client.get("/play/me/", ALICE))["Players you have muted or blocked"], ALICE
    )
    assert "You have blocked nobody." in page
    assert "You have muted nobody." in page
    assert name_in_list(client, "block", "BOB", ALICE) == Response(30, PEOPLE)
    assert name_in_list(client, "mute", " carol ", ALICE) == Response(30, PEOPLE)
    page = client.get(PEOPLE, ALICE)
    assert [line.split(" ", 2)[2] for line in section(page, "Blocked")] == [
        "bob, since 20 November 2026 at 14:02 UTC: unblock",
        "Block somebody",
    ]
    assert [line.split(" ", 2)[2] for line in section(page, "Muted")][:2] == [
        "carol, since 20 November 2026 at 14:02 UTC: unmute",
        "Mute somebody",
    ]
    for who in (BOB, CAROL):
        page = client.get(PEOPLE, who)
        assert "alice" not in page
    for end in ("unblock?bob", "unmute?carol"):
        assert client.ask(link(client.get(PEOPLE, ALICE), end), ALICE) == Response(30, PEOPLE)
    assert "no longer" not in client.get(PEOPLE, ALICE)


@pytest.mark.parametrize(
    ("verb", "name", "reason"),
    [
        ("mute", "dave", "Nobody here is called dave"),
        ("block", "dave", "Nobody here is called dave"),
        ("mute", "Alice", "alice is you"),
        ("block", "alice", "alice is you"),
        ("mute", "expert", "expert is a bot, and bots leave people alone"),
        ("block", "Expert bot", "Expert bot is a bot, and bots leave people alone"),
        ("block", "club+ bot", "club+ bot is a bot, and bots leave people alone"),
        ("mute", "bob", "You have muted bob already"),
        ("mute", "carol", "You have blocked carol already"),
        ("block", "carol", "You have blocked carol already"),
        ("unmute", "carol", "You have not muted carol"),
        ("unblock", "bob", "You have not blocked bob"),
        ("unblock", "alice", "alice is you"),
        ("block", "=> gemini://example.org", "Nobody here is called => gemini://example.org"),
        ("mute", "a\r\n# b", "Nobody here is called a # b"),
    ],
)
def test_an_impossible_mute_or_block_is_refused_with_the_reason(
    client: Client, verb: str, name: str, reason: str
) -> None:
    known(client, ALICE, BOB, CAROL)
    name_in_list(client, "mute", "bob", ALICE)
    name_in_list(client, "block", "carol", ALICE)
    before = client.get(PEOPLE, ALICE)
    prompt = link(before, "/mute").replace("/mute", f"/{verb}")
    answer = client.type(prompt, name, ALICE)
    assert answer.status == 10
    assert answer.meta.startswith(f"{reason}. The name of the player to ")
    assert client.get(PEOPLE, ALICE) == before


# On a game's page


def test_the_opponent_is_muted_and_blocked_on_the_page_of_a_game(client: Client) -> None:
    url = start_between(client, "ultimate")
    before = client.get(url, BOB)
    assert act(client, url, "mute", ALICE) == Response(30, url)
    assert "You have muted bob" in client.get(f"{url}/messages", ALICE)
    assert client.get(url, BOB) == before
    assert act(client, url, "unmute", ALICE) == Response(30, url)
    prompt = link(client.get(f"{url}/messages", ALICE), "/block")
    expected = "Type block to share nothing new with bob. Games that you are playing go on"
    assert client.ask(prompt, ALICE) == Response(10, expected)
    assert client.type(prompt, "yes", ALICE) == Response(10, expected)
    assert client.type(prompt, "Block", ALICE) == Response(30, url)
    manners = "\n".join(section(client.get(f"{url}/messages", ALICE), "Manners"))
    assert "You have blocked bob: the two of you share nothing new" in manners
    assert "Games that you are already playing go on" in manners
    assert "/mute" not in manners
    assert act(client, url, "unblock", ALICE) == Response(30, url)
    assert "Mute bob" in client.get(f"{url}/messages", ALICE)


def test_manners_are_for_the_players_of_a_game(client: Client) -> None:
    url = start_between(client, "ultimate")
    mute = link(client.get(f"{url}/messages", ALICE), "/mute")
    known(client, CAROL)
    for who in (CAROL, certificate("new"), None):
        assert "Manners" not in client.get(f"{url}/messages", who)
        client.ask(mute, who)
        client.ask(f"{url}/{'a' * 26}/mute", who)
    for way in ("solo", "bot-club", "open"):
        alone = start(client, "tinc", way)
        assert "Manners" not in client.get(f"{alone}/messages", ALICE)
    assert undone(client, mute, BOB, url)
    for who in (ALICE, BOB, CAROL):
        assert "You have muted nobody." in client.get(PEOPLE, who)


# What a block keeps apart


def test_a_game_in_progress_goes_on(client: Client) -> None:
    url = start_between(client, "ultimate")
    block_in(client, url, BOB)
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    assert status(client, url) == "playing"


def test_no_challenges_in_either_direction(client: Client) -> None:
    known(client, ALICE, BOB, CAROL)
    name_in_list(client, "block", "bob", ALICE)
    answer = challenge(client, "bob", ALICE)
    assert answer.status == 10
    assert answer.meta.startswith("You have blocked bob. ")
    answer = challenge(client, "alice", BOB)
    assert answer.status == 10
    assert answer.meta.startswith("alice plays no games with you. ")
    assert challenge(client, "carol", ALICE).status == 30
    client.ask(link(client.get(PEOPLE, ALICE), "unblock?bob"), ALICE)
    assert challenge(client, "alice", BOB).status == 30


def test_a_mute_keeps_nobody_from_playing(client: Client) -> None:
    known(client, ALICE, BOB)
    name_in_list(client, "mute", "bob", ALICE)
    assert challenge(client, "alice", BOB).status == 30
    url = start(client, "tinc", "open", ALICE)
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert status(client, url) == "playing"


def test_open_challenges_between_the_two_end(client: Client) -> None:
    known(client, ALICE, BOB, CAROL)
    from_bob = challenge(client, "alice", BOB).meta
    to_bob = challenge(client, "bob", ALICE, "tinc").meta
    from_carol = challenge(client, "alice", CAROL).meta
    accept = link(client.get(from_bob, ALICE), "/accept")
    name_in_list(client, "block", "bob", ALICE)
    assert [status(client, url) for url in (from_bob, to_bob)] == ["aborted"] * 2
    assert status(client, from_carol) == "challenged"
    assert undone(client, accept, ALICE, from_bob)
    assert status(client, from_bob) == "aborted"
    assert from_bob not in client.get("/play/", BOB).split("## Recently ended")[0]


def test_a_challenged_player_can_block_the_challenger_on_the_page_of_the_challenge(
    client: Client,
) -> None:
    known(client, ALICE, BOB)
    url = challenge(client, "alice", BOB).meta
    assert "## Messages" not in client.get(url, ALICE)
    prompt = link(client.get(f"{url}/messages", ALICE), "/block")
    assert client.type(prompt, "block", ALICE) == Response(30, url)
    assert status(client, url) == "aborted"
    assert "bob, since" in client.get(PEOPLE, ALICE)


@pytest.mark.parametrize(("blocker", "blocked"), [(ALICE, BOB), (BOB, ALICE)])
@pytest.mark.parametrize("way", ["open", "invite"])
def test_neither_takes_the_open_seat_of_the_other(
    client: Client, blocker: Certificate, blocked: Certificate, way: str
) -> None:
    known(client, ALICE, BOB, CAROL)
    url = start(client, "ultimate", way, ALICE)
    join = link(client.get(url, BOB), "/join")
    name_in_list(client, "block", blocked.common_name, blocker)
    page = client.get(url, BOB)
    assert "/join" not in page
    reason = (
        "You have blocked alice, so the seat of O is for others."
        if blocker is BOB
        else "alice plays no games with you, so the seat of O is for others."
    )
    assert reason in page
    assert undone(client, join, BOB, url)
    assert status(client, url) == "waiting"
    assert url not in links(client.get("/play/new/ultimate", BOB)).values()
    assert (url in links(client.get("/play/new/ultimate", CAROL)).values()) == (way == "open")
    for who in (ALICE, certificate("new"), None):
        assert "is for others" not in client.get(url, who)
    client.get(link(client.get(url, CAROL), "/join"), CAROL)
    assert status(client, url) == "playing"


def test_games_of_blocked_players_do_not_crowd_others_out_of_the_list(client: Client) -> None:
    crowd = [certificate(f"crowd-{number}") for number in range(6)]
    known(client, ALICE, CAROL)
    from_carol = start(client, "ultimate", "open", CAROL)
    for who in crowd:
        client.now += timedelta(minutes=1)
        start(client, "ultimate", "open", who)
    assert from_carol not in client.get("/play/new/ultimate", ALICE)
    for who in crowd:
        name_in_list(client, "block", who.common_name, ALICE)
    assert from_carol in client.get("/play/new/ultimate", ALICE)


def test_there_is_no_rematch_between_the_two(client: Client) -> None:
    url = ended_game(client)
    offers = {who: link(client.get(url, who), "/rematch") for who in (ALICE, BOB)}
    block_in(client, url, BOB)
    for who, offer in offers.items():
        assert "rematch" not in client.get(url, who)
        refusal = "You have blocked alice" if who is BOB else "bob plays no games with you"
        assert refusal in client.get(offer, who)
    assert "rematch" not in client.get("/play/", ALICE) + client.get("/play/", BOB)
    act(client, url, "unblock", BOB)
    assert "Play again with the sides swapped, rated" in links(client.get(url, ALICE))


# Data


def test_a_muted_player_stays_muted_under_another_name(client: Client) -> None:
    url = start_between(client, "ultimate")
    act(client, url, "mute", BOB)
    client.type(link(client.get("/play/me/", ALICE), "/name"), "quite-another", ALICE)
    say(client, url, "hello", ALICE)
    assert not said(client, url, BOB)
    assert "quite-another, since" in client.get(PEOPLE, BOB)


def test_a_renamed_player_can_be_blocked_by_the_old_name(client: Client) -> None:
    known(client, ALICE, BOB)
    client.type(link(client.get("/play/me/", ALICE), "/name"), "quite-another", ALICE)
    assert name_in_list(client, "block", "alice", BOB) == Response(30, PEOPLE)
    assert "quite-another, since" in client.get(PEOPLE, BOB)
