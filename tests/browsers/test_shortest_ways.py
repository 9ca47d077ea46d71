"""Short ways to the likeliest next step: keys are counted in Amfora, and links in offpunk.

All but the narrow screen is a window of 80 by 24, without scrolling.
"""

import re
from pathlib import Path

import pytest

from engine import VARIANTS
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.amfora import Amfora
from tests.support.browsers.browser import NumberingBrowser
from tests.support.browsers.friend import Friend
from tests.support.browsers.offpunk import Offpunk
from tests.support.browsers.steps import accept, look_again, sign_in
from tests.support.wire import identities

pytestmark = pytest.mark.slow

SMALL = (80, 24)

MOVED = re.compile(r"Move (2\.|3 is yours)")
"""On the page of a game after its first move; a bot has replied by then, or has not."""

in_amfora = pytest.mark.parametrize("start_browser", [Amfora], indirect=True)
in_offpunk = pytest.mark.parametrize("start_browser", [Offpunk], indirect=True)


def play_tinc_from_home(browser: NumberingBrowser) -> None:
    """Go from the home page, which is shown, to a board against a bot, and move."""
    browser.follow("Play now")
    browser.follow("Tinc with the novice bot")
    browser.follow("a1")
    browser.look_for(MOVED.search, "the page after the move")


def at_home(amfora: Amfora, origin: str) -> int:
    """Open the home page, and return how many keys have been pressed so far."""
    amfora.open(f"{origin}/")
    amfora.wait_for("Play now")
    return amfora.keys_pressed


def signed_in(start_browser: StartBrowser, origin: str) -> Amfora:
    """Return a small window of Amfora in which Alice has signed in."""
    alice = start_browser(SMALL)
    assert isinstance(alice, Amfora)
    sign_in(alice, origin, "alice")
    return alice


@in_amfora
def test_a_newcomer_with_a_certificate_moves_against_a_bot_within_five_keys(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = signed_in(start_browser, origin)
    pressed = at_home(alice, origin)

    play_tinc_from_home(alice)

    assert alice.keys_pressed - pressed <= 5


@in_amfora
def test_a_player_whose_move_another_game_awaits_needs_one_key_more(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = signed_in(start_browser, origin)
    alice.open(f"{origin}/")
    play_tinc_from_home(alice)
    pressed = at_home(alice, origin)

    alice.follow("Play now")
    alice.follow("Start a game")
    alice.follow("Tinc with the novice bot")
    alice.follow("a1")
    alice.look_for(MOVED.search, "the page after the move")

    assert alice.keys_pressed - pressed <= 6


@pytest.mark.parametrize("variant", ["Ultimate", pytest.param("Extreme", marks=pytest.mark.deep)])
@in_amfora
def test_a_newcomer_types_a_first_move_within_nine_keys(
    origin: str, start_browser: StartBrowser, variant: str
) -> None:
    alice = signed_in(start_browser, origin)
    pressed = at_home(alice, origin)

    alice.follow("Play now")
    alice.follow(f"{variant} with the novice bot")
    alice.follow("Type your move")
    alice.answer("e5")
    alice.look_for(MOVED.search, "the page after the move")

    assert alice.keys_pressed - pressed <= 9


@in_offpunk
def test_a_newcomer_moves_against_a_bot_within_three_links(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = start_browser()
    assert isinstance(alice, Offpunk)
    alice.open(f"{origin}/")

    alice.follow("Play now")
    alice.wait_to_be_asked_for_a_certificate()
    alice.sign_in("alice")
    alice.follow("Tinc with the novice bot")
    alice.follow("a1")

    alice.look_for(MOVED.search, "the page after the move")
    assert alice.links_followed <= 3


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_a_guest_follows_an_invitation_to_their_seat_within_three_links(
    origin: str, start_browser: StartBrowser, tmp_path: Path, variant: str
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    game = alice.invite_to(variant)
    alice.play(game, "e5")
    bob = start_browser(SMALL)
    assert isinstance(bob, NumberingBrowser)

    accept(bob, game, "bob")

    # A board of nine by nine fits the screen.
    bob.wait_for(
        f"{VARIANTS[variant].name}: alice (X) – bob (O)",
        "Your turn. Play in the centre board",
        "[1] Type your move",
    )
    assert bob.links_followed <= 3


def test_an_ultimate_board_is_whole_on_a_narrow_screen(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    game = alice.invite_to("ultimate")
    alice.play(game, "e5")
    bob = start_browser((40, 150))

    bob.open(game)

    bob.wait_for("alice invites you")
    row = " 5    . . .   ~[X]~   . . ."
    bob.terminal.wait_until(lambda screen: row in screen, row)


def test_after_a_move_the_next_game_that_waits_is_the_first_link(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    numeric, ultimate = alice.invite_to("numeric"), alice.invite_to("ultimate")
    bob = start_browser(SMALL)
    assert isinstance(bob, NumberingBrowser)
    accept(bob, numeric, "bob")
    bob.wait_for("Numeric: alice (Odd) – bob (Even)")
    bob.come_back_to(ultimate)
    bob.follow("alice invites you to play")
    bob.wait_for("Ultimate: alice (X) – bob (O)")
    alice.play(numeric, "b2=5")
    alice.play(ultimate, "e5")
    look_again(bob)
    bob.follow("Type your move")
    bob.answer("d4")
    bob.wait_for("You played d4 on")

    assert bob.number_of("Next game") == 1
    pressed = bob.keys_pressed if isinstance(bob, Amfora) else None
    bob.follow("Next game")

    bob.wait_for("Your turn. Place one of 2, 4, 6, 8")
    # One key follows the link, and one the redirect to the game.
    assert not isinstance(bob, Amfora) or bob.keys_pressed == pressed + 2
