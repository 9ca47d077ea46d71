"""Asking for mail: an address, a code, and what a player is told from then on."""

import re

import pytest
from sqlalchemy import func, select

from capsule.db.schema.players import players
from capsule.gemini.types import Certificate
from capsule.mail.model import MailKind, TurnMail
from capsule.mail.relay import SendOutcome
from tests.support.client import Client, certificate
from tests.support.console import Console
from tests.support.mail import DAY, HOUR, MINUTE, PAGE, Post, code_in, next_turn, text_of
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between

ADDRESS = "alice@example.net"


def neutral(page: str, *names: str) -> str:
    """Return a page without keys, and without what is different of each player."""
    page = re.sub("/play/me/[^/ ]+/mail", "/play/me/KEY/mail", page)
    return re.sub("|".join(map(re.escape, names)), "…", page) if names else page


def count_players(client: Client) -> int:
    with client.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(players)).scalar_one()


def ask_for_code(post: Post, who: Certificate, address: str) -> str:
    """Type an address, and return the code that goes there."""
    post.type_address(who, address)
    (letter,) = post.deliver()
    return code_in(letter)


def is_subscribed(client: Client, who: Certificate = ALICE) -> bool:
    return "Mail goes to" in client.get(PAGE, who)


def test_the_address_and_the_code_are_typed_where_nobody_looks_over_the_shoulder(
    client: Client, post: Post
) -> None:
    asked = post.link(ALICE, "/address")
    assert client.ask(asked, ALICE).status == 11
    assert client.ask(f"{asked}?nonsense", ALICE).status == 11
    assert client.ask(f"{asked}?{ADDRESS}", ALICE).meta == PAGE
    asked = post.link(ALICE, "/code")
    assert client.ask(asked, ALICE).status == 11
    wrong = client.ask(f"{asked}?ABCD2345", ALICE)
    assert (wrong.status, "ABCD2345" in wrong.meta) == (11, False)


def test_without_a_certificate_nobody_is_asked_for_an_address(client: Client, post: Post) -> None:
    assert client.ask(PAGE).meta == "/play/?me/mail", "where one enters"
    assert client.ask("/play/me/abcdefgh/mail/address").status != 11


def test_nothing_but_the_code_goes_to_an_address_that_is_not_confirmed(
    client: Client, post: Post
) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    code = ask_for_code(post, ALICE, ADDRESS)
    play(client, url, ["e5"], BOB)
    assert not post.pass_time(20 * HOUR, HOUR)
    assert post.type_code(ALICE, code).meta == PAGE
    assert is_subscribed(client)
    assert len(post.pass_time(DAY, HOUR)) == 1


def test_the_code_may_be_typed_in_lower_case_and_with_spaces(client: Client, post: Post) -> None:
    code = ask_for_code(post, ALICE, ADDRESS)
    assert post.type_code(ALICE, f"%20{code[:4].lower()}-{code[4:].lower()}%20").meta == PAGE
    assert is_subscribed(client)


def test_all_that_is_asked_for_may_be_typed_in_full_width_letters(
    client: Client, post: Post
) -> None:
    code = ask_for_code(post, ALICE, "ａｌｉｃｅ＠ｅｘａｍｐｌｅ．ｎｅｔ")
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in code)
    assert post.type_code(ALICE, wide).meta == PAGE
    assert ADDRESS in client.get(PAGE, ALICE)
    assert client.ask(post.link(ALICE, "/hour", "２１"), ALICE).status == 30
    assert "21" in client.get(PAGE, ALICE)


def test_the_letter_with_the_code_says_what_it_is_for(client: Client, post: Post) -> None:
    start(client, "tinc", "solo", ALICE)
    post.type_address(ALICE, ADDRESS)
    (letter,) = post.deliver()
    text = " ".join(text_of(letter).split())
    assert letter["Subject"] == "Your code for mail from Oxonaut"
    assert "typed this address at Oxonaut, a place to play games" in text
    assert "If it was not you, ignore this letter" in text
    assert re.search(r"gemini://localhost/mail/[a-z2-7]{32}/stop$", text)


def test_a_code_lives_for_a_day(client: Client, post: Post) -> None:
    code = ask_for_code(post, ALICE, ADDRESS)
    asked = post.link(ALICE, "/code")
    client.now += DAY - MINUTE
    assert "A code is on its way" in client.get(PAGE, ALICE)
    client.now += MINUTE
    assert "A code is on its way" not in client.get(PAGE, ALICE)
    assert "has expired" in client.ask(f"{asked}?{code}", ALICE).body
    assert not is_subscribed(client)


def test_a_code_has_five_tries(client: Client, post: Post) -> None:
    code = ask_for_code(post, ALICE, ADDRESS)
    said = [post.type_code(ALICE, "WRONG234").meta for _ in range(4)]
    assert [re.search(r"\d tr(y|ies)", each)[0] for each in said] == [  # type: ignore[index]
        "4 tries",
        "3 tries",
        "2 tries",
        "1 try",
    ]
    asked = post.link(ALICE, "/code")
    over = client.ask(f"{asked}?WRONG234", ALICE)
    assert over.body.startswith(
        "Nothing was changed. That is not the code, and it was the last try."
    )
    assert "WRONG234" not in over.body
    assert re.findall("^=> .*", over.body, re.MULTILINE)[0].endswith("Type your e-mail address")
    assert client.ask(f"{asked}?{code}", ALICE).status == 20
    assert not is_subscribed(client)


def test_a_refused_address_is_to_be_typed_again_and_no_code_is_awaited(
    client: Client, post: Post
) -> None:
    start(client, "tinc", "solo", ALICE)
    post.type_address(ALICE, ADDRESS)
    post.relay.outcome, post.relay.words = SendOutcome.REFUSED, "550 5.1.1 => /x No such user"
    post.deliver()
    page = client.get(PAGE, ALICE)
    assert "\n> 550 5.1.1 => /x No such user\n" in page
    assert "A code is on its way" not in page
    assert re.findall("^=> .*", page, re.MULTILINE)[0].endswith(
        "Type the address again, or another"
    )
    assert "/mail/code" not in page


def test_anothers_code_is_of_no_use(client: Client, post: Post) -> None:
    code = ask_for_code(post, ALICE, ADDRESS)
    assert ask_for_code(post, BOB, ADDRESS) != code
    assert "That is not the code" in post.type_code(BOB, code).meta
    assert not is_subscribed(client, BOB)


def test_an_earlier_code_is_of_no_use(client: Client, post: Post) -> None:
    first = ask_for_code(post, ALICE, ADDRESS)
    client.now += MINUTE
    second = ask_for_code(post, ALICE, ADDRESS)
    assert first != second
    assert "That is not the code" in post.type_code(ALICE, first).meta
    assert post.type_code(ALICE, second).meta == PAGE


def test_a_player_gets_three_codes_a_day(client: Client, post: Post) -> None:
    for number in range(3):
        ask_for_code(post, ALICE, f"alice{number}@example.net")
    answer = post.type_address(ALICE, "alice3@example.net")
    assert "Nothing was sent. You have asked for 3 codes within a day." in answer.body
    assert not post.deliver()
    client.now += DAY
    assert ask_for_code(post, ALICE, "alice3@example.net")


def test_an_address_gets_three_codes_a_day_and_the_page_says_the_same(
    client: Client, post: Post
) -> None:
    people = [certificate(f"stranger{number}") for number in range(4)]
    pages = []
    for number, each in enumerate(people):
        answer = post.type_address(each, ADDRESS if number % 2 else "ALICE@example.NET")
        assert (answer.status, answer.meta) == (30, PAGE)
        address = "ALICE@example.net" if number % 2 == 0 else ADDRESS
        pages.append(neutral(client.get(PAGE, each), address))
        assert len(post.deliver()) == (number < 3)
    assert len(set(pages)) == 1


def test_the_page_says_the_same_whether_the_address_is_known_here(
    client: Client, post: Post
) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    answers, pages = [], []
    for who, address in ((BOB, ADDRESS), (CAROL, "nobody@example.net")):
        start(client, "tinc", "solo", who)
        before = neutral(client.get(PAGE, who))
        answers.append(post.type_address(who, address))
        pages.append((before, neutral(client.get(PAGE, who), address)))
        asked = post.link(who, "/code")
        pages[-1] += (client.ask(f"{asked}?WRONG234", who).meta,)
    assert answers[0] == answers[1]
    assert pages[0] == pages[1]
    assert len(post.deliver()) == 2, "also the letters are alike"


def test_a_new_address_replaces_the_old_one_once_it_is_confirmed(
    client: Client, post: Post
) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    post.choose(ALICE, "turns/1")
    url = start_between(client, "ultimate", BOB, ALICE)
    code = ask_for_code(post, ALICE, "new@example.net")
    page = client.get(PAGE, ALICE)
    assert "Mail goes to alice@example.net" in page
    assert "It goes to new@example.net" in page
    play(client, url, ["e5"], BOB)
    (letter,) = post.pass_time(2 * HOUR, HOUR)
    assert letter["To"] == ADDRESS
    post.type_code(ALICE, code)
    page = client.get(PAGE, ALICE)
    assert "Mail goes to new@example.net" in page
    assert ADDRESS not in page
    assert "You get mail about a turn if you have not looked at it within an hour." in page
    next_turn(client, url)
    (letter,) = post.pass_time(2 * HOUR, HOUR)
    assert letter["To"] == "new@example.net"


@pytest.mark.parametrize("choice", [each.value for each in TurnMail])
def test_each_choice_of_turns_is_a_link_and_stays(client: Client, post: Post, choice: str) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    post.choose(ALICE, "turns/4" if choice != "4" else "turns/1")
    post.choose(ALICE, f"turns/{choice}")
    page = client.get(PAGE, ALICE)
    offered = set(re.findall("/set/turns/([a-z0-9]+) ", page))
    assert offered == {each.value for each in TurnMail} - {choice}


@pytest.mark.parametrize("kind", [each.value for each in MailKind])
def test_each_kind_of_news_is_a_link_and_stays(client: Client, post: Post, kind: str) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    switches = ("off", "on") if kind == "time" else ("on", "off")
    for switch in switches:
        post.choose(ALICE, f"{kind}/{switch}")
        other = "off" if switch == "on" else "on"
        page = client.get(PAGE, ALICE)
        assert f"/set/{kind}/{other} " in page
        assert f"/set/{kind}/{switch} " not in page


def test_unsubscribing_forgets_the_address(client: Client, post: Post) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    post.subscribe(ALICE, ADDRESS)
    play(client, url, ["e5"], BOB)
    assert client.ask(post.link(ALICE, "/stop"), ALICE).meta == PAGE
    page = client.get(PAGE, ALICE)
    assert ADDRESS not in page
    assert "Oxonaut can write to you" in page
    assert not post.pass_time(3 * DAY, HOUR)
    post.subscribe(ALICE, ADDRESS)
    assert len(post.pass_time(DAY, HOUR)) == 1, "she can ask again"


@pytest.mark.parametrize("typed", ["nobody", "a%40b", "a%40b%0D%0ABcc%3A%20c%40d", "%20", "a@b@c"])
def test_nobody_becomes_a_player_by_a_bad_address(client: Client, post: Post, typed: str) -> None:
    asked = post.link(ALICE, "/address")
    assert client.ask(f"{asked}?{typed}", ALICE).status == 11
    assert count_players(client) == 0
    assert not post.deliver()
    assert client.ask(f"{asked}?{ADDRESS}", ALICE).meta == PAGE
    assert count_players(client) == 1


def test_an_address_typed_on_an_old_page_is_not_lost(client: Client, post: Post) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    old = post.link(ALICE, "/address")
    post.choose(ALICE, "turns/4")
    page = client.get(f"{old}?new@example.net", ALICE)
    assert "new@example.net" in page
    assert "Nothing was changed" in page
    assert "A code is on its way" not in page
    assert not post.deliver()


def test_who_is_banned_asks_for_nothing(client: Client, post: Post, console: Console) -> None:
    start(client, "tinc", "solo", ALICE)
    asked = post.link(ALICE, "/address")
    console.admin("ban alice rude")
    client.ask(f"{asked}?{ADDRESS}", ALICE)
    assert not post.deliver()
