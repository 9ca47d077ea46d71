"""Somebody plays on one device, adds another with a code, and goes on with the same game there."""

import re
from pathlib import Path

import pytest

from engine import VARIANTS
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.browser import Browser
from tests.support.browsers.friend import Friend
from tests.support.browsers.offpunk import Offpunk
from tests.support.browsers.steps import invite_to, look_again, move, sign_in
from tests.support.wire import identities

pytestmark = pytest.mark.slow


def code_shown_by(browser: Browser) -> str:
    """Make a code, from the account on, and return it."""
    browser.let_a_minute_pass()
    browser.follow("Your account")
    browser.follow("Add another device")
    return browser.look_for(re.compile(r"The code is (\S{11})\.").search, "a code")[1]


def test_a_second_device_goes_on_with_the_same_game(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    laptop, phone = start_browser(), start_browser()
    bob = Friend(origin, identities.make(tmp_path, "bob"))
    sign_in(laptop, origin, "alice")
    game = invite_to(laptop, "tinc")
    bob.take_the_seat(game)
    look_again(laptop)
    position = VARIANTS["tinc"].start
    move(laptop, position, "a1")
    bob.play(game, "c1")
    laptop.follow("Your games")
    code = code_shown_by(laptop)

    sign_in(phone, origin, "alice-again")
    phone.follow("I already play here")
    phone.wait_for("The code that the other device shows")
    wrong = code[:-1] + ("2" if code[-1] != "2" else "3")
    phone.answer_in_secret(wrong)
    phone.wait_for("That is not the code. 4 tries are left.")
    phone.answer_in_secret(code.lower())
    phone.wait_for("You are signed in as alice.")
    phone.follow("Tinc with bob: move 3, you are X")
    phone.wait_for("Your turn.")
    move(phone, position.play("a1").play("c1"), "b3+d3")

    laptop.open(game)
    laptop.wait_for("Tinc: alice (X) – bob (O)")
    # offpunk shows no certificate at an address that is typed.
    played = re.compile(r"(You|alice \(X\)) played b3\+d3 on")
    laptop.look_for(played.search, "the move of the other device")


@pytest.mark.parametrize("start_browser", [Offpunk], indirect=True)
def test_a_device_that_is_lost_is_revoked_from_the_other(
    origin: str, start_browser: StartBrowser
) -> None:
    laptop, phone = start_browser(), start_browser()
    sign_in(laptop, origin, "alice")
    invite_to(laptop, "numeric")
    laptop.let_a_minute_pass()
    laptop.follow("Your games")
    code = code_shown_by(laptop)
    sign_in(phone, origin, "alice-again")
    phone.follow("I already play here")
    phone.answer_in_secret(code)
    phone.wait_for("You are signed in as alice.")

    laptop.let_a_minute_pass()
    laptop.follow("Your account")
    laptop.follow("Revoke certificate 2")
    laptop.wait_for("This certificate will no longer sign you in.")
    laptop.answer("revoke")
    laptop.wait_for("You cannot revoke your only certificate")

    look_again(phone)
    phone.wait_for("Welcome to Oxonaut")
