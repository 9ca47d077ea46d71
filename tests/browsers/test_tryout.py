"""A stranger without a certificate plays the novice bot, from the home page to the end."""

import pytest

from capsule.bots.service import BotService
from capsule.tryout.pages import tryout_of, with_replies
from engine import VARIANTS
from engine.bots import suggest
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.amfora import Amfora
from tests.support.browsers.browser import Browser, NumberingBrowser

pytestmark = pytest.mark.slow

SMALL, NARROW = (80, 24), (40, 150)


def play_to_the_end(browser: Browser, variant: str) -> None:
    """Type good moves on the page of a game, which is shown at its start."""
    game, _ = tryout_of(VARIANTS[variant], [])
    while game.outcome is None:
        browser.wait_for(f"Move {game.ply + 1} is yours")
        # Offpunk cuts the names under which it keeps pages: those of a long game are all one.
        browser.let_a_minute_pass()
        browser.follow("Type your move")
        browser.wait_for(f"Your move, {game.variant.side_name(game.board.position.turn)}")
        move = suggest(game.board.position, seconds=0.05)
        browser.answer(move)
        game = with_replies(BotService(), game.played(move))
    browser.wait_for("You won" if game.outcome.winner else "You drew")


def test_a_stranger_moves_within_three_links_of_the_home_page(
    origin: str, start_browser: StartBrowser
) -> None:
    stranger = start_browser(SMALL)
    assert isinstance(stranger, NumberingBrowser)
    stranger.open(f"{origin}/")
    stranger.wait_for("Try it now")
    pressed = stranger.keys_pressed if isinstance(stranger, Amfora) else 0

    stranger.follow("Try it now, without a certificate")
    stranger.follow("Try Ultimate")
    stranger.follow("Begin with a1")
    stranger.wait_for("Move 3 is yours. The bot played")

    assert stranger.links_followed == 3
    # One key for each link, and one for the redirect, after which Amfora asks.
    assert not isinstance(stranger, Amfora) or stranger.keys_pressed - pressed <= 4


DEEP = [pytest.param(key, marks=pytest.mark.deep) for key in VARIANTS if key != "numeric"]


@pytest.mark.parametrize("variant", ["numeric", *DEEP])
@pytest.mark.parametrize("window", [SMALL, NARROW], ids=["wide", "narrow"])
def test_a_game_is_played_to_its_end(
    origin: str, start_browser: StartBrowser, variant: str, window: tuple[int, int]
) -> None:
    is_endless = VARIANTS[variant].may_never_end
    # A grid that grows needs more lines than a small window has.
    stranger = start_browser((80, 150) if is_endless and window == SMALL else window)
    width = "?narrow" if window == NARROW else ""
    stranger.open(f"{origin}/try/{variant}/{width}")

    play_to_the_end(stranger, variant)
