"""A game's page on a terminal: what is wanted on the first screen, all of it on two, few links."""

import re
from datetime import timedelta

import pytest

from engine import VARIANTS, Side
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.screens import ROWS, first_screen, rows_of
from tests.support.stored import long_game
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, play_any, start, start_between
from tests.support.tournaments import begin, games, resign

PEOPLE = (ALICE, BOB, CAROL, None)


@pytest.fixture
def busy(client: Client) -> Client:
    """A capsule where three games wait for alice, and one for carol, elsewhere."""
    for variant in ("tinc", "quantum", "extreme"):
        start_between(client, variant, ALICE, CAROL)
        client.now += timedelta(minutes=1)
    start_between(client, "tinc", CAROL, BOB)
    return client


def require_two_screens(client: Client, url: str) -> None:
    for who in PEOPLE:
        rows = rows_of(client.get(url, who))
        assert len(rows) <= 2 * ROWS, (who and who.common_name, "\n".join(rows))


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_in_progress_is_on_two_screens(busy: Client, variant: str, seed: int) -> None:
    url = start_between(busy, variant)
    for _ in play_any(busy, url, 6, seed):
        require_two_screens(busy, url)


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
def test_an_invitation_and_a_finished_game_are_on_two_screens(busy: Client, variant: str) -> None:
    require_two_screens(busy, start(busy, variant, "invite"))
    url = start_between(busy, variant)
    play(busy, url, WON_GAMES[variant].split(), ALICE, BOB)
    require_two_screens(busy, url)


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


def test_who_watches_sees_the_replay_before_the_way_to_sign_in(client: Client, game: str) -> None:
    play(client, game, ["e5", "d4"], ALICE, BOB)
    found = list(links(client.get(game)).values())
    assert found.index(f"{game}/0") < found.index(f"/play/?{game.removeprefix('/play/')}")
    resign(client, game, BOB)
    found = list(links(client.get(game)).values())
    assert found[:2] == ["/rules/ultimate", f"{game}/0"]
    assert found.index(f"{game}/0") < found.index(f"/play/?{game.removeprefix('/play/')}")


# Finished games


def test_a_game_that_was_given_up_ends_as_its_reader_sees_it(client: Client, game: str) -> None:
    play(client, game, ["e5", "d4", "a1", "b2"], ALICE, BOB)
    resign(client, game, BOB)
    lost, won, seen = (client.get(game, who) for who in (BOB, ALICE, None))
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
    resign(client, url, BOB)
    for who in PEOPLE:
        page = client.get(url, who)
        assert "~" not in page
        assert instruction not in page
        assert "board at the end, after 2 moves\n" in page


def test_the_words_of_a_game_that_is_over_invite_to_no_move(client: Client, game: str) -> None:
    play(client, game, ["e5", "d4"], ALICE, BOB)
    words = link(client.get("/play/me/settings", ALICE), "/words/first")
    client.get(words, ALICE)
    assert client.get(game, ALICE).count("Play in the top left board.") == 1
    resign(client, game, BOB)
    for path in (game, f"{game}/words"):
        page = client.get(path, ALICE)
        assert "In the centre board X has e5 and O has d4." in page
        assert "Play in the" not in page


def test_a_rematch_to_answer_comes_first(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    assert next(iter(links(client.get(url, BOB)))) == "Accept the rematch, rated"


# At one's own turn there are a dozen links at most, besides those of moves


MOST = 12

EXPIRING = certificate("erin", not_after=BEGINNING + timedelta(days=9))
"""The certificate of a player who is told on each page that it expires soon."""


def other_links(page: str) -> list[str]:
    """Return the links of a page apart from those that play a move."""
    found = re.findall(r"^=> (\S+ .+)$", page, re.MULTILINE)
    return [each for each in found if "/move?" not in each]


def require_few(page: str) -> None:
    found = other_links(page)
    assert "Your turn." in page
    assert len(found) <= MOST, "\n".join(found)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2))
def test_between_people_who_have_offered_all_that_can_be_offered(
    client: Client, variant: str, seed: int
) -> None:
    url = start_between(client, variant, EXPIRING, BOB)
    for _, mover, waiting in play_any(client, url, 8, seed, x=EXPIRING):
        for verb in ("takeback", "draw"):
            require_few(client.get(url, mover))
            page = client.get(url, waiting)
            if f"/{verb}" in page:
                client.get(link(page, f"/{verb}"), waiting)
        require_few(client.get(url, mover))
        client.ask(f"{link(client.get(url, waiting), '/say')}?hello", waiting)
        client.now += timedelta(minutes=1)
        require_few(client.get(url, mover))


@pytest.mark.parametrize("way", ["solo", "bot-club", "invite"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_alone_with_a_bot_and_before_anybody_has_joined(
    client: Client, variant: str, way: str
) -> None:
    url = start(client, variant, way, EXPIRING)
    position = VARIANTS[variant].start
    require_few(client.get(url, EXPIRING))
    for _ in range(3 if way == "solo" else 0):
        move = position.example()
        play(client, url, [move], EXPIRING)
        require_few(client.get(url, EXPIRING))
        position = position.play(move)


def test_in_a_tournament(client: Client) -> None:
    url = games(client, begin(client))["alice", "bob"]
    require_few(client.get(url, ALICE))
    play(client, url, [VARIANTS["tinc"].start.example()], ALICE)
    require_few(client.get(url, BOB))


def test_on_a_wide_grid(client: Client) -> None:
    url, _ = long_game(client, 40)
    for address in (url, f"{url}?a1"):
        require_few(client.get(address, ALICE))


def test_what_is_seldom_wanted_is_one_page_away_for_everybody(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    seldom = ("history", "words", "record.txt", "record.json", "feed")
    for who in (ALICE, BOB, certificate("new"), None):
        page = client.get(game, who)
        assert not [name for name in seldom if f"=> {game}/{name} " in page]
        assert page.count(f"=> {game}/more ") == 1
        more = client.get(f"{game}/more", who)
        assert not [name for name in seldom if f"=> {game}/{name} " not in more]


@pytest.mark.parametrize(
    ("way", "is_there"), [("invite", True), ("open", True), ("solo", False), ("bot-club", False)]
)
def test_the_live_page_is_offered_where_somebody_else_may_do_something(
    client: Client, way: str, *, is_there: bool
) -> None:
    url = start(client, "ultimate", way)
    for who in (ALICE, None):
        assert (f"{url}/live " in client.get(f"{url}/more", who)) == is_there
    assert client.ask(f"{url}/live").status == 20, "its address stays"
