"""Steps that many journeys share."""

import re
from collections.abc import Iterable
from itertools import islice

from engine import VARIANTS, Position, Side, variant_of
from tests.support.browsers.browser import Browser
from tests.support.browsers.friend import Friend

FEW = 12
"""A page has links for the moves of a position that has no more than these."""


def sign_in(browser: Browser, origin: str, name: str) -> None:
    """Open the page of one's own games for the first time, with a certificate made for it."""
    browser.open(f"{origin}/play/")
    browser.wait_to_be_asked_for_a_certificate()
    browser.sign_in(name)
    browser.wait_for("Welcome to Oxonaut")


def invite_to(browser: Browser, variant: str) -> str:
    """Start a game, from the page of one's games on, and return the address to send to a friend."""
    # The one stands on a newcomer's page, the other on a player's.
    way = re.compile("Play people, other bots|Start a game")
    browser.follow(browser.look_for(way.search, "the way to a game")[0])
    browser.follow(f"{VARIANTS[variant].name}: people, other bots")
    browser.follow("Invite a friend")
    browser.wait_for("Send this address to the person you would like to play")
    address = re.compile(r"gemini://localhost:\d+/play/[a-z2-7]{10}(?= )")
    return browser.look_for(address.search, "the game's address")[0]


def accept(browser: Browser, game: str, name: str) -> None:
    """Open the address of alice's game for the first time, sign in there and take the open seat."""
    browser.open(game)
    browser.sign_in_by("alice invites you to play")
    browser.wait_to_be_asked_for_a_certificate()
    browser.sign_in(name)
    browser.follow("alice invites you to play")


def look_again(browser: Browser) -> None:
    """Come back to a game after a minute."""
    browser.let_a_minute_pass()
    browser.reload()


def move(browser: Browser, position: Position, played: str) -> None:
    """Play a move by its link, where moves have links, or by typing it."""
    if len(list(islice(position.legal_moves(), FEW + 1))) <= FEW:
        browser.follow(played)
    else:
        browser.follow("Type your move")
        browser.wait_for(f"Your move, {variant_of(position).side_name(position.turn)}")
        browser.answer(played)
    narration = re.escape(str(position.narration(played)))
    pattern = re.compile(f" (played|then|after) {narration},? on |(was|then) {narration}, by ")
    browser.look_for(pattern.search, pattern.pattern)


def play_as_x(
    browser: Browser, friend: Friend, game: str, position: Position, moves: Iterable[str]
) -> None:
    """Play moves from a position on: X's in a browser, which shows the game, O's far away."""
    for played in moves:
        if position.turn is Side.X:
            move(browser, position, played)
        else:
            friend.play(game, played)
            look_again(browser)
        position = position.play(played)
