"""A game on a narrow screen: 40 columns and 24 rows, as Amfora shows them in a small window."""

import re
from itertools import islice
from random import Random

import pytest

from capsule.gemini.types import Certificate
from engine import VARIANTS, Side
from tests.support.client import Client, link, links
from tests.support.screens import NARROW_COLUMNS, NARROW_ROWS, rows_of
from tests.support.stories import ALICE, BOB, play, start, start_between

PLAYERS = {Side.X: ALICE, Side.O: BOB}

BLOCK_COLUMNS = 33
"""The columns of a preformatted line that Amfora shows between its margin and its scroll bar."""


@pytest.fixture
def narrow(client: Client) -> Client:
    """A capsule where alice and bob have chosen narrow pages."""
    for who in PLAYERS.values():
        client.get(link(client.get("/play/me/settings", who), "/narrow/on"), who)
    return client


def first_narrow_screen(page: str) -> str:
    return "\n".join(rows_of(page, NARROW_COLUMNS)[:NARROW_ROWS])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_link_to_move_is_on_the_first_screen(narrow: Client, variant: str) -> None:
    url = start_between(narrow, variant)
    position, rng = VARIANTS[variant].start, Random(1)
    for _ in range(12):
        if position.outcome is not None:
            break
        page = narrow.get(url, PLAYERS[position.turn])
        screen = first_narrow_screen(page)
        assert "[1] Type your move" in screen
        assert page.count("Type your move") == 1
        assert page.count(str(position.instruction())) == 2, "above the board and as its caption"
        move = position.random_move(rng)
        play(narrow, url, [move], PLAYERS[position.turn])
        position = position.play(move)


def test_the_whole_board_of_ultimate_is_there_with_it(narrow: Client) -> None:
    url = start_between(narrow, "ultimate")
    play(narrow, url, ["e5"], ALICE)
    screen = first_narrow_screen(narrow.get(url, BOB))
    assert "Your turn. Play in the" in screen
    assert "\n 9    . . .   . . .   . . ." in screen


def test_on_other_screens_the_board_comes_first(client: Client) -> None:
    url = start_between(client, "ultimate")
    page = client.get(url, ALICE)
    assert page.index("```") < page.index("Your turn.") < page.index("Type your move")


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_a_move_link_takes_one_line_unless_the_move_does_more_than_send(
    narrow: Client, variant: str
) -> None:
    url = start_between(narrow, variant)
    position, rng, seen = VARIANTS[variant].start, Random(3), 0
    while position.outcome is None and position.turn in PLAYERS and seen < 60:
        if len(list(islice(position.legal_moves(), 13))) <= 12:
            page = narrow.get(url, PLAYERS[position.turn])
            for move in position.legal_moves():
                label = f"{move}: {position.brief_effect(move)}"
                assert label in links(page)
                assert len(label) <= NARROW_COLUMNS or ", " in label, label
                seen += 1
        move = position.random_move(rng)
        play(narrow, url, [move], PLAYERS[position.turn])
        position = position.play(move)
    assert seen >= 40


def test_most_moves_of_extreme_are_links(narrow: Client) -> None:
    url = start_between(narrow, "extreme")
    play(narrow, url, ["a1"], ALICE)
    moves = VARIANTS["extreme"].replay(["a1"]).legal_moves()
    found = re.findall(r"/move[?](\S+) ", narrow.get(url, BOB))
    assert found == [*moves]
    assert len(found) == 17, "the cells of two small boards, but for the one that is taken"


def test_the_board_of_quantum_is_whole(narrow: Client) -> None:
    url = start_between(narrow, "quantum")
    for number, move in enumerate("a1+b1 b1+c1 c1+c2 c2+c3 c3+b3 b3+a3 a3+a2".split()):
        play(narrow, url, [move], (ALICE, BOB)[number % 2])
        rows = narrow.get(url, ALICE).split("```")[1].splitlines()[1:]
        assert max(map(len, rows)) == BLOCK_COLUMNS


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
@pytest.mark.parametrize("who", [BOB, None])
def test_a_guest_who_has_chosen_nothing_sees_the_terms_and_the_seat_on_the_first_screen(
    client: Client, variant: str, who: Certificate | None
) -> None:
    screen = first_narrow_screen(client.get(start(client, variant, "invite"), who))
    assert "A move may take 7 days." in screen
    assert "[1] alice invites you to" in screen
