"""Two people who have never been here meet, play, and show a friend how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browsers.steps import invite_to, sign_in

if TYPE_CHECKING:
    from tests.browsers.conftest import StartBrowser


def test_two_strangers_play_a_game_to_its_end(origin: str, start_browser: StartBrowser) -> None:
    alice = start_browser()
    sign_in(alice, origin, "alice")
    game = invite_to(alice, "numeric")
    alice.wait_for("Numeric: alice (X) – open seat (O)")

    bob = start_browser()
    bob.open(game)
    bob.wait_for("The seat of O is open: it can be yours.")
    bob.let_a_minute_pass()
    bob.follow("Sign in with a certificate to take the seat")
    bob.wait_to_be_asked_for_a_certificate()
    bob.sign_in("bob")
    bob.follow("Take the seat of O and play")
    bob.wait_for("Numeric: alice (X) – bob (O)")

    alice.follow("Type your move")
    alice.wait_for("Your move, X:")
    alice.answer("a1=2")
    alice.wait_for("Your move, X:")
    alice.answer("5 in a1")
    alice.wait_for("Your move, X:")
    alice.answer("a1=5")
    alice.wait_for("alice (X) played a1=5")

    bob.let_a_minute_pass()
    bob.follow("Look again")
    bob.wait_for("Your turn.")
