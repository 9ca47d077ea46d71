"""A game's page on a terminal: what is wanted on the first screen, and all of it on two."""

from datetime import timedelta
from random import Random

import pytest

from engine import VARIANTS, Side
from tests.support.client import Client, action, link, links
from tests.support.screens import ROWS, first_screen, rows_of
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between

PEOPLE = (ALICE, BOB, CAROL, None)


@pytest.fixture
def busy(client: Client) -> Client:
    """A capsule where three games wait for alice, and one for carol, elsewhere."""
    for variant in ("tinc", "quantum", "extreme"):
        start_between(client, variant, ALICE, CAROL)
        client.now += timedelta(minutes=1)
    start_between(client, "tinc", CAROL, BOB)
    return client


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_in_progress_is_on_two_screens(busy: Client, variant: str, seed: int) -> None:
    url = start_between(busy, variant)
    position, rng = VARIANTS[variant].start, Random(seed)
    players = {Side.X: ALICE, Side.O: BOB}
    for _ in range(6):
        if position.outcome is not None:
            break
        for who in PEOPLE:
            rows = rows_of(busy.get(url, who))
            assert len(rows) <= 2 * ROWS, (who and who.common_name, "\n".join(rows))
        move = position.random_move(rng)
        play(busy, url, [move], players[position.turn])
        position = position.play(move)


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
def test_a_finished_game_is_on_two_screens(busy: Client, variant: str) -> None:
    url = start_between(busy, variant)
    play(busy, url, WON_GAMES[variant].split(), ALICE, BOB)
    for who in PEOPLE:
        rows = rows_of(busy.get(url, who))
        assert len(rows) <= 2 * ROWS, (who and who.common_name, "\n".join(rows))


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
def test_an_invitation_is_on_two_screens(busy: Client, variant: str) -> None:
    url = start(busy, variant, "invite")
    for who in PEOPLE:
        assert len(rows_of(busy.get(url, who))) <= 2 * ROWS


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_screen_has_the_way_on(busy: Client, variant: str) -> None:
    url = start_between(busy, variant)
    seen = first_screen(busy.get(url, ALICE))
    assert "[1] Type your move" in seen
    play(busy, url, WON_GAMES[variant].split()[:1], ALICE)
    seen = first_screen(busy.get(url, ALICE))
    assert "[1] Next game" in seen
    assert "[2] Refresh" in seen
    assert "Your games" in links(busy.get(url, CAROL))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_screen_of_an_invitation_has_the_seat(client: Client, variant: str) -> None:
    url = start(client, variant, "invite")
    name = VARIANTS[variant].name
    second = VARIANTS[variant].side_name(Side.O)
    invitation = f"alice invites you to play {name} as {second}, rated"
    taking = f"{invitation}: take the seat"
    signing_in = f"{invitation}: sign in to take the seat"
    for who, label in ((BOB, taking), (None, signing_in)):
        page = client.get(url, who)
        assert f"[1] {label}" in first_screen(page)
        terms = ("rated", "A move may take 7 days.")
        assert [page.count(term) for term in terms] == [1, 1]
        assert page.index(terms[1]) < page.index(label), "told before the seat is taken"
        assert next(iter(links(page))) == label
        assert list(links(page).values())[1] == f"/rules/{variant}"
    sign_in = f"/play/?{url.removeprefix('/play/')}"
    assert link(client.get(url), sign_in) == links(client.get(url))[signing_in]
    taken = client.get(links(client.get(url, BOB))[taking], BOB)
    assert taken.startswith(f"# {name}: alice (")


def test_who_watches_sees_the_replay_before_the_way_to_sign_in(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    found = list(links(client.get(url)).values())
    assert found.index(f"{url}/0") < found.index(f"/play/?{url.removeprefix('/play/')}")
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    found = list(links(client.get(url)).values())
    assert found[:2] == ["/rules/ultimate", f"{url}/0"]
    assert found.index(f"{url}/0") < found.index(f"/play/?{url.removeprefix('/play/')}")


# Finished games


def test_a_game_that_was_given_up_ends_as_its_reader_sees_it(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4", "a1", "b2"], ALICE, BOB)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    lost, won, seen = (client.get(url, who) for who in (BOB, ALICE, None))
    assert "\nYou lost by resignation.\nThe last of 4 moves: you played b2" in lost
    assert "\nYou won by resignation.\nThe last of 4 moves: bob (O) played b2" in won
    assert "\nbob (O) resigned: alice (X) wins.\n" in seen
    for page in (lost, won):
        assert list(links(page))[:2] == [
            "Analysis: where the game turned",
            "Play again with the sides swapped, rated",
        ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_board_of_a_game_that_is_over_invites_to_no_move(client: Client, variant: str) -> None:
    url = start_between(client, variant)
    play(client, url, WON_GAMES[variant].split()[:2], ALICE, BOB)
    instruction = str(VARIANTS[variant].replay(WON_GAMES[variant].split()[:2]).instruction())
    assert instruction in client.get(url, ALICE)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    for who in PEOPLE:
        page = client.get(url, who)
        assert "~" not in page
        assert instruction not in page
        assert "board at the end, after 2 moves\n" in page


def test_the_words_of_a_game_that_is_over_invite_to_no_move(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    words = link(client.get("/play/me/settings", ALICE), "/words/first")
    client.get(words, ALICE)
    assert client.get(url, ALICE).count("Play in the top left board.") == 1
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    for path in (url, f"{url}/words"):
        page = client.get(path, ALICE)
        assert "In the centre board X has e5 and O has d4." in page
        assert "Play in the" not in page


def test_a_rematch_to_answer_comes_first(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    assert next(iter(links(client.get(url, BOB)))) == "Accept the rematch, rated"
