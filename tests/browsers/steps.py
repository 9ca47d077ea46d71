"""Steps that many journeys share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import VARIANTS

if TYPE_CHECKING:
    from tests.browsers.browser import Browser


def sign_in(browser: Browser, origin: str, name: str) -> None:
    """Open the page of one's own games for the first time, with a certificate made for it."""
    browser.open(f"{origin}/play/")
    browser.wait_to_be_asked_for_a_certificate()
    browser.sign_in(name)
    browser.wait_for("Welcome to Oxonaut")


def invite_to(browser: Browser, variant: str) -> str:
    """Start a game, from the welcome page on, and return the address to send to a friend."""
    browser.follow("Start a game")
    browser.follow(VARIANTS[variant].title)
    browser.follow("Invite a friend")
    browser.wait_for("Send this address to the person you would like to play")
    return browser.look_for(
        re.compile(r"gemini://localhost:\d+/play/[a-z2-7]{10}(?= )").search, "the game's address"
    )[0]
