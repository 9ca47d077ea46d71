"""Who sees an address: its owner alone, who can take it along and erase it."""

import json
import logging
import re

import pytest

from capsule.__main__ import main
from capsule.mail.relay import SendOutcome
from tests.support.client import Client, link
from tests.support.console import Console, where
from tests.support.conversation import say
from tests.support.mail import DAY, HOUR, PAGE, Post, bobs_move, code_in, next_turn
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

ADDRESS = "alice.secret@example.net"

EXPORT = "/play/me/export.json"


def exported(client: Client) -> dict[str, object]:
    found: dict[str, object] = json.loads(client.get(EXPORT, ALICE))
    return found


def let_mail_happen(client: Client, post: Post) -> str:
    """Let alice have mail, a letter, a look, and a new address that waits; return a game."""
    url = start_between(client, "ultimate", BOB, ALICE)
    post.subscribe(ALICE, ADDRESS)
    post.choose(ALICE, "results/on")
    post.choose(ALICE, "turns/4")
    play(client, url, ["e5"], BOB)
    assert len(post.pass_time(DAY, HOUR)) == 1
    client.get(url, ALICE)
    client.context.game_views.write(client.context)
    post.type_address(ALICE, f"new.{ADDRESS}")
    return url


def test_no_look_is_recorded_while_no_mail_is_sent(client: Client, post: Post) -> None:
    url = let_mail_happen(client, post)
    before = exported(client)["looked_at_games"]
    client.configure(mail="", mail_from="")
    client.now += HOUR
    client.get(url, ALICE)
    client.context.game_views.write(client.context)
    assert exported(client)["looked_at_games"] == before


def test_nobody_else_sees_the_address(client: Client, post: Post, console: Console) -> None:
    url = let_mail_happen(client, post)
    say(client, url, "hello", ALICE)
    for path in ("/players/alice", url, f"{url}/messages", PAGE, EXPORT, "/play/me/", "/play/"):
        assert "example.net" not in client.ask(path, BOB).body, path
        assert "example.net" not in client.ask(path).body, path
    client.type(link(client.get(f"{url}/messages", BOB), "/report"), "alice is rude", BOB)
    for line in ("reports", "show alice", "log"):
        assert "example.net" not in console.admin(line)
    assert main(["status", *where(client)]) == 0
    assert "example.net" not in console.capsys.readouterr().out


def test_the_log_has_no_address_and_no_code(
    client: Client, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        url = let_mail_happen(client, post)
        (letter,) = post.deliver()
        post.type_code(ALICE, "WRONG234")
        post.type_code(ALICE, code_in(letter))
        for outcome in (SendOutcome.DEFERRED, SendOutcome.REJECTED, SendOutcome.REFUSED):
            next_turn(client, url)
            post.relay.outcome = outcome
            post.relay.words = f"550 {ADDRESS} is unknown"
            post.pass_time(DAY, HOUR)
            url = start_between(client, "ultimate", BOB, ALICE)
            play(client, url, ["e5"], BOB)

        def fail() -> None:
            raise ValueError("a fault")

        post.relay.on_letter = fail
        post.type_address(ALICE, f"third.{ADDRESS}")
        post.deliver()
    assert "A letter could not be sent" in caplog.text
    assert "example.net" not in caplog.text
    assert code_in(letter) not in caplog.text


SPEAKS_OF_MAIL = re.compile(r"e-?mails?\b|/mail\b|\bmail\b|relay", re.IGNORECASE)


def test_without_a_relay_no_page_speaks_of_mail(client: Client) -> None:
    url = bobs_move(client)
    seen: set[str] = set()
    waiting = [
        "/",
        "/play/",
        "/play/me/",
        url,
        "/help/",
        "/about/",
        "/help/privacy",
        "/help/account",
    ]
    while waiting and len(seen) < 250:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.ask(path, ALICE)
        if answer.status != 20:
            continue
        for line in answer.body.splitlines():
            # Privacy says that nothing of the kind is kept, and websites may be mailto addresses.
            said = re.sub("There is no e-mail address|mailto", "", line)
            assert not SPEAKS_OF_MAIL.search(said), (path, line)
        linked = re.findall(r"^=> (/\S*)", answer.body, re.MULTILINE)
        waiting += [
            each
            for each in linked
            if not re.search(r"/[a-z2-7]{24}/|/robots|/export", each) and each not in seen
        ]
    assert len(seen) > 80


@pytest.mark.parametrize(
    "path",
    [
        PAGE,
        f"/mail/{'a' * 32}/stop",
        f"/mail/{'a' * 32}/stopped",
        *(
            f"/play/me/{'a' * 24}/mail/{end}"
            for end in ("address", "code", "hour", "stop", "set/turns/4", "set/time/off")
        ),
    ],
)
def test_without_a_relay_there_is_no_page_of_mail(client: Client, path: str) -> None:
    start(client, "tinc", "solo", ALICE)
    for who in (ALICE, None):
        assert client.ask(path, who).status == 51
        assert client.ask(f"{path}?{ADDRESS}", who).status == 51


def test_the_first_game_against_a_person_leads_to_mail_once(client: Client, post: Post) -> None:
    line = f"=> {PAGE} Get mail when it is your turn"
    url = start(client, "ultimate", "solo", ALICE)
    assert line not in client.get(url, ALICE)
    url = start_between(client, "ultimate", ALICE, BOB)
    assert line not in client.get(url, ALICE), "it is her turn"
    play(client, url, ["e5"], ALICE)
    assert client.get(url, ALICE).count(line) == 1
    assert line not in client.get(url)
    won = start_between(client, "numeric", ALICE, BOB)
    play(client, won, WON_GAMES["numeric"].split(), ALICE, BOB)
    other = start_between(client, "numeric", ALICE, BOB)
    play(client, other, ["b2=5"], ALICE)
    assert line not in client.get(other, ALICE), "she has met a person"
    assert client.get("/play/me/", ALICE).count(f"=> {PAGE} ") == 1
