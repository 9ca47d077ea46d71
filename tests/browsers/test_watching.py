"""A stranger steps through a shared game; a player comes back to the one that waits."""

from pathlib import Path

import pytest

from engine import VARIANTS
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.friend import Friend
from tests.support.browsers.steps import invite_to, look_again, move, sign_in
from tests.support.wire import identities

pytestmark = pytest.mark.slow


def numeric_of_friends(origin: str, folder: Path) -> tuple[Friend, Friend, str]:
    """Return two friends, and the address of a game that they have begun."""
    alice, bob = (Friend(origin, identities.make(folder, name)) for name in ("alice", "bob"))
    game = alice.invite_to("numeric")
    bob.take_the_seat(game)
    return alice, bob, game


def test_a_stranger_steps_through_a_game_that_was_shared(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice, bob, game = numeric_of_friends(origin, tmp_path)
    for player, played in ((alice, "a1=5"), (bob, "a2=8"), (alice, "c1=1"), (bob, "a3=2")):
        player.play(game, played)

    stranger = start_browser()
    stranger.open(game)
    stranger.wait_for("bob (Even) wins: Even makes 15 in column a: 5 + 8 + 2.")
    stranger.follow("Replay from the start")
    stranger.wait_for("The start of the game.")
    stranger.follow("Next position")
    stranger.wait_for("After move 1: alice (Odd) played a1=5 on")
    stranger.follow("Next position")
    stranger.wait_for("After move 2: bob (Even) played a2=8 on")
    stranger.follow("Previous position")
    stranger.wait_for("After move 1: alice (Odd) played a1=5 on")
    stranger.follow("Last position: the game as it stands")
    stranger.wait_for("bob (Even) wins: Even makes 15 in column a: 5 + 8 + 2.")


def test_a_stranger_refreshes_a_game_as_often_as_they_like(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice, bob, game = numeric_of_friends(origin, tmp_path)
    stranger = start_browser()
    stranger.open(game)
    for player, played in ((alice, "a1=5"), (bob, "a2=8"), (alice, "c1=1")):
        stranger.follow("Refresh")
        player.play(game, played)
        stranger.follow("Refresh")
        stranger.wait_for(f"played {played}")


def test_a_player_finds_the_game_that_waits_for_them(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice, bob = start_browser(), Friend(origin, identities.make(tmp_path, "bob"))
    sign_in(alice, origin, "alice")
    theirs = invite_to(alice, "tinc")
    bob.take_the_seat(theirs)
    look_again(alice)
    move(alice, VARIANTS["tinc"].start, "a1")
    alice.let_a_minute_pass()
    alice.follow("Your games")
    alice.wait_for("Waiting for your opponent")
    yours = invite_to(alice, "numeric")
    bob.take_the_seat(yours)

    alice.let_a_minute_pass()
    alice.follow("Your games")
    alice.wait_for("Your games (1 waiting)")
    alice.follow("Numeric with bob: move 1, you are Odd")

    alice.wait_for("Numeric: alice (Odd) – bob (Even)")
    alice.wait_for("Your turn.")
