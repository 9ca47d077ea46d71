"""Screens as small as a desk's terminal, and as narrow as a phone."""

from pathlib import Path

import pytest

from engine import VARIANTS
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.friend import Friend
from tests.support.browsers.steps import accept
from tests.support.wire import identities

SMALL, NARROW = (80, 24), (40, 150)


pytestmark = pytest.mark.slow


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_a_nine_by_nine_board_and_its_move_link_fit_one_screen(
    origin: str, start_browser: StartBrowser, tmp_path: Path, variant: str
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    game = alice.invite_to(variant)
    alice.play(game, "e5")
    bob = start_browser(SMALL)

    accept(bob, game, "bob")

    bob.wait_for(
        f"{VARIANTS[variant].name}: alice (X) – bob (O)",
        "Your turn. Play in the centre board",
        "[1] Type your move",
    )


def test_an_ultimate_board_is_whole_on_a_narrow_screen(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    game = alice.invite_to("ultimate")
    alice.play(game, "e5")
    bob = start_browser(NARROW)

    bob.open(game)

    bob.wait_for("alice invites you")
    row = " 5    . . .   ~[X]~   . . ."
    bob.terminal.wait_until(lambda screen: row in screen, row)
