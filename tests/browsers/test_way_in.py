"""From the home page to a game: people come to what they wanted, through signing in."""

import re

import pytest

from tests.browsers.conftest import StartBrowser
from tests.support.browsers.astronomo import Astronomo
from tests.support.browsers.offpunk import Offpunk

pytestmark = pytest.mark.slow

AFTER_THE_FIRST_MOVE = re.compile(r"Move (2\.|3 is yours)")
"""The bot has replied, or will soon."""


@pytest.mark.parametrize("start_browser", [Offpunk], indirect=True)
def test_a_newcomer_signs_in_on_the_way_to_a_game_and_comes_to_it(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = start_browser()
    alice.open(f"{origin}/rules/numeric")
    alice.follow("Play it: start a game of Numeric")
    alice.wait_to_be_asked_for_a_certificate()
    alice.sign_in("alice")

    alice.wait_for("A new game of Numeric")
    alice.follow("Novice bot")

    alice.wait_for("Numeric: alice (Odd) – novice bot (Even)")
    alice.wait_for("Your turn.")


@pytest.mark.parametrize("start_browser", [Astronomo], indirect=True)
def test_a_newcomer_without_a_certificate_makes_one_and_moves_against_a_bot(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = start_browser()
    alice.open(f"{origin}/")
    alice.follow("Play now")
    alice.wait_to_be_asked_for_a_certificate()
    alice.sign_in("alice")
    alice.follow("Numeric with the novice bot")

    alice.wait_for("Your turn.")
    alice.follow("Type your move")
    alice.wait_for("Your move, Odd")
    alice.answer("b2=5")

    alice.look_for(AFTER_THE_FIRST_MOVE.search, "the page after the move")
    alice.wait_for("b2=5")
