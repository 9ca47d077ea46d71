"""One player with several certificates: codes that add one, and refusals."""

import re
from datetime import timedelta

import pytest

from capsule.accounts import devices, queries
from capsule.accounts.devices import MAX_CERTIFICATES
from capsule.gemini.types import Certificate, Response
from engine import VARIANTS
from tests.support.acting import operate
from tests.support.client import Client, certificate, context_of, link, links
from tests.support.conversation import set_player
from tests.support.gemtext import SCREEN, blocks, lines_shown, prose
from tests.support.linking import (
    ALREADY,
    ASK,
    PHONE,
    TABLET,
    account,
    add,
    devices_action,
    exported_data,
    is_alice,
    is_stranger,
    make_code,
    prompt_for,
    type_code,
    wrong,
)
from tests.support.stored import on_disk, player_id
from tests.support.stories import ALICE, BOB, play, start, undone

# A code, and what it does


def test_a_code_adds_a_certificate_and_both_go_on_with_the_same_game(
    client: Client, game: str
) -> None:
    play(client, game, ["e5"], ALICE, BOB)

    add(client)

    assert is_alice(client, PHONE)
    assert game in links(client.get("/play/", PHONE)).values()
    play(client, game, ["d4", "a1"], PHONE, BOB)
    assert "You are alice" in account(client, PHONE)
    assert "You played a1" in client.get(game, ALICE)
    play(client, game, ["b2", "d5"], ALICE, BOB)
    assert "You played d5" in client.get(game, PHONE)


def test_name_feed_and_keys_are_the_same_for_both(client: Client, game: str) -> None:
    add(client)
    name = link(account(client, ALICE), "/name")
    assert name == link(account(client, PHONE), "/name")
    assert client.type(name, "ada", PHONE) == Response(30, "/play/me/")
    assert "You are signed in as ada." in client.get("/play/", ALICE)
    feeds = [links(account(client, who))["Your private feed"] for who in (ALICE, PHONE)]
    assert feeds[0] == feeds[1]
    move = link(client.get(game, ALICE), "/move")
    assert client.ask(f"{move}?e5", PHONE) == Response(30, game)


def test_the_code_stands_in_a_block_and_in_sentences(client: Client, game: str) -> None:
    code = make_code(client)
    assert re.fullmatch("[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{6}", code)
    text = prose(client.get("/play/me/code", ALICE))
    assert f"The code is {code}." in text
    spelled = re.search("Letter by letter: ([^.]+)\\.", text)
    assert spelled is not None
    assert spelled[1] == ", ".join(" ".join(part) for part in (code[:4], code[5:8], code[8:]))
    assert "It works once, until 20 November 2026 at 14:12 UTC: 10 minutes left." in text
    assert "gemini://localhost/play/" in text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, ": 9 minutes left."),
        (8 * 60 + 1, ": 1 minute left."),
        (9 * 60 + 1, ": less than a minute left."),
    ],
)
def test_the_page_of_a_code_says_how_long_it_is_valid(
    client: Client, game: str, seconds: int, words: str
) -> None:
    make_code(client)
    client.now += timedelta(seconds=seconds)
    assert words in client.get("/play/me/code", ALICE)


def test_a_code_can_be_shown_again_even_after_a_restart(client: Client, game: str) -> None:
    code = make_code(client)
    client.restart()
    assert code in client.get("/play/me/code", ALICE)
    assert "/play/me/code" in links(account(client)).values()
    assert type_code(client, code).status == 30


@pytest.mark.parametrize("form", ["{}", " {} ", "{0[0]} {0[1]}", "{0[0]}{0[1]}", "{0[0]}–{0[1]}."])
@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_a_code_can_be_typed_in_any_form(
    client: Client, game: str, form: str, case: type[str]
) -> None:
    code = make_code(client)
    typed = form.format(code if form.count("0") == 0 else code.split("-"))
    assert type_code(client, case(typed)) == Response(30, "/play/")
    assert is_alice(client, PHONE)


def test_a_code_typed_on_the_way_to_a_game_leads_on_to_that_game(client: Client, game: str) -> None:
    code = make_code(client)
    prompt = links(client.get(game, PHONE))[ALREADY]
    assert client.ask(f"{prompt}?{code}", PHONE) == Response(30, game)
    assert "Your turn." in client.get(game, PHONE)


# Before anything is created


def test_a_newcomer_chooses_between_starting_and_linking_before_anything_else(
    client: Client,
) -> None:
    found = list(links(client.get("/play/", PHONE)))
    assert all(" with the novice bot, casual" in label for label in found[: len(VARIANTS)])
    assert found[len(VARIANTS)] == ALREADY


@pytest.mark.parametrize("path", ["/play/new/", "/play/new/tinc", "/play/me/", "{open}", "{game}"])
def test_linking_is_offered_wherever_a_player_could_be_made(
    client: Client, game: str, path: str
) -> None:
    url = path.format(open=start(client, "tinc", "open"), game=game)
    page = client.get(url, PHONE)
    prompt = links(page)[ALREADY]
    assert client.ask(prompt, PHONE).status == 11
    making = [
        target
        for target in links(page).values()
        if target.startswith("/play/") and target.endswith(("/invite", "/open", "/join", "/name"))
    ]
    if path == "/play/new/tinc":
        # The ways to start come first there, nine lines that newcomers need more often.
        assert lines_shown(page.partition(prompt)[0]) < SCREEN
    elif making and path != "{open}":
        assert page.index(prompt) < min(map(page.index, making))
    for who in (None, BOB):
        assert ALREADY not in client.ask(url, who).body


def test_asking_and_mistyping_make_nobody_a_player(client: Client, game: str) -> None:
    code = make_code(client)
    for typed in ("nonsense", wrong(code), "AAAA-AAAAAA"):
        assert type_code(client, typed).status == 11
    assert is_stranger(client, PHONE)
    assert "You will play as phone" in client.get("/play/", certificate("x", common_name="phone"))


# What is refused


def test_a_code_works_once(client: Client, game: str) -> None:
    code = make_code(client)
    assert type_code(client, code).status == 30
    answer = type_code(client, code, TABLET)
    assert answer == Response(
        11,
        "There is no such code: it may have been used or withdrawn, or its ten minutes are over. "
        + ASK,
    )
    assert is_stranger(client, TABLET)
    assert client.get("/play/me/code", ALICE).startswith("# No code\n")


def test_a_code_ends_after_ten_minutes(client: Client, game: str) -> None:
    code = make_code(client)
    client.now += timedelta(minutes=10)
    assert client.get("/play/me/code", ALICE).startswith("# No code\n")
    assert type_code(client, code) == Response(
        11, f"The ten minutes of this code are over. Make a new one. {ASK}"
    )
    assert type_code(client, code).meta.startswith("There is no such code")
    assert is_stranger(client, PHONE)


def test_five_wrong_tries_end_a_code(client: Client, game: str) -> None:
    code = make_code(client)
    answers = [type_code(client, wrong(code, number)).meta for number in range(5)]
    assert answers == [
        f"That is not the code. {left} left. {ASK}"
        for left in ("4 tries are", "3 tries are", "2 tries are", "1 try is")
    ] + [f"That is not the code, and it was the last try. Make a new code. {ASK}"]
    assert type_code(client, code).meta.startswith("There is no such code")
    assert is_stranger(client, PHONE)
    assert client.get("/play/me/code", ALICE).startswith("# No code\n")


@pytest.mark.parametrize("typed", ["x", "K7QM", "OIL0-111111", "K7QM-4T2XWß", "K7QM-4T2XW9-4T2XW9"])
def test_what_cannot_be_a_code_waits_for_nobody_and_costs_no_try(
    client: Client, game: str, typed: str
) -> None:
    code = make_code(client)
    with client.context.writing():
        answer = type_code(client, typed)
    assert answer.meta == (
        f"A code has ten letters and digits, as in K7QM-4T2XW9. It never has 0, 1, I, L or O. {ASK}"
    )
    assert "Somebody has mistyped it" not in client.get("/play/me/code", ALICE)
    assert type_code(client, code).status == 30


def test_guessing_selectors_uses_up_no_try_of_a_code(client: Client, game: str) -> None:
    code = make_code(client)
    selectors = [f"{letter}{code[1:4]}" for letter in "ABCDEFGHJK" if letter != code[0]]
    for selector in selectors:
        assert type_code(client, f"{selector}-{code[5:]}").meta.startswith("There is no such code")
    assert type_code(client, code).status == 30


def test_no_answer_and_no_file_holds_what_was_typed(client: Client, game: str) -> None:
    code = make_code(client)
    typed = wrong(code)
    assert typed[5:] not in type_code(client, typed).meta
    assert typed[5:] not in client.get("/play/", PHONE)
    held = on_disk(client)
    assert code[:4].encode() in held, "the selector is kept"
    assert code[5:].encode() not in held


def test_a_new_code_ends_the_old_one(client: Client, game: str) -> None:
    old = make_code(client)
    again = links(client.get("/play/me/code", ALICE))["Make another code; this one ends at once"]
    assert client.ask(again, ALICE) == Response(30, "/play/me/code")
    assert client.ask(again, ALICE) == Response(30, "/play/me/code"), "made once"
    new = blocks(client.get("/play/me/code", ALICE))[0].rows[0]
    assert old != new
    assert type_code(client, old).status == 11
    assert type_code(client, new).status == 30


def test_a_code_that_is_withdrawn_is_gone(client: Client, game: str) -> None:
    code = make_code(client)
    withdraw = link(client.get("/play/me/code", ALICE), "/withdraw")
    assert undone(client, withdraw, BOB, "/play/me/")
    assert code in client.get("/play/me/code", ALICE)
    again = links(client.get("/play/me/code", ALICE))["Make another code; this one ends at once"]
    assert client.ask(withdraw, ALICE) == Response(30, "/play/me/")
    assert type_code(client, code).meta.startswith("There is no such code")
    client.ask(again, ALICE)
    assert client.get("/play/me/code", ALICE).startswith("# No code\n"), "an old page makes none"


def test_a_planted_link_does_nothing(client: Client, game: str) -> None:
    code = make_code(client)
    eves = prompt_for(client, certificate("eve"))
    for url in (eves, "/play/me/key/link", f"{eves}/{game.removeprefix('/play/')}"):
        assert undone(client, url, PHONE, "/play/me/"), url
        assert undone(client, f"{url}?{code}", PHONE, "/play/me/"), url
        assert undone(client, f"{url}?{wrong(code)}", PHONE, "/play/me/"), url
    assert is_stranger(client, PHONE)
    assert "Somebody has mistyped it" not in client.get("/play/me/code", ALICE)


@pytest.mark.parametrize("who", [ALICE, BOB])
def test_a_certificate_that_has_a_player_is_told_so(
    client: Client, game: str, who: Certificate
) -> None:
    code = make_code(client)
    before = exported_data(client)
    url = devices_action(client, "link", who)
    for asked in (url, f"{url}?{code}", f"{url}?{wrong(code)}", f"/play/me/key/link?{code}"):
        page = client.ask(asked, who)
        assert page.status == 20
        assert page.body.startswith(f"# This certificate is {who.common_name}'s\n")
    assert exported_data(client) == before
    assert type_code(client, code).status == 30, "the code is as good as before"


def test_a_certificate_that_becomes_a_player_at_the_same_moment_stays_that_player(
    client: Client, game: str
) -> None:
    code = make_code(client)
    refusal = operate(devices.link, context_of(client), BOB, *code.split("-"))
    assert str(refusal) == "This certificate already belongs to a player"
    assert "You are bob" in account(client, BOB)
    assert type_code(client, code).status == 30, "the code is as good as before"


def test_the_code_of_a_banned_player_adds_nothing(client: Client, game: str) -> None:
    code = make_code(client)
    set_player(client, ALICE, banned_for="spoiling games")
    answer = type_code(client, code)
    assert answer == Response(
        11, f"The player who made this code is banned, and cannot add a certificate. {ASK}"
    )
    assert is_stranger(client, PHONE)


def test_nobody_can_have_more_certificates_than_the_limit(client: Client, game: str) -> None:
    code = make_code(client)
    alice = player_id(client, ALICE)
    with client.database.writing() as connection:
        for number in range(MAX_CERTIFICATES - 1):
            queries.add_certificate(connection, alice, certificate(str(number)), client.now)
    assert type_code(client, code).meta == (
        f"alice has 20 certificates, which is the limit. Revoke one first. {ASK}"
    )
    make = devices_action(client, "code")
    assert undone(client, make, ALICE, "/play/me/")
    client.now += timedelta(minutes=11)
    assert "You have 20 certificates, which is the limit." in account(client)
    assert not [url for url in links(account(client)).values() if url.endswith("/code")]


def test_a_stranger_has_no_code_and_no_list(client: Client) -> None:
    for path in ("/play/me/code", "/play/me/certificates", "/play/me/records.txt"):
        assert client.ask(path) == Response(30, path.replace("/play/", "/play/?"))
        assert client.ask(path, PHONE) == Response(30, "/play/me/")
    start(client, "tinc", "open")
    for what in ("code", "withdraw", "label/1?x", "revoke/1?revoke"):
        key = prompt_for(client).split("/")[3]
        assert undone(client, f"/play/me/{key}/{what}", PHONE, "/play/me/")
    assert is_stranger(client, PHONE)
