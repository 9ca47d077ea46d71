"""Two people who have never been here meet, play, and show a stranger how it ended."""

import pytest

from engine import VARIANTS
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.offpunk import Offpunk
from tests.support.browsers.steps import accept, invite_to, look_again, move, sign_in

pytestmark = pytest.mark.slow


# In Amfora they do in test_languages.py.
@pytest.mark.parametrize("start_browser", [Offpunk], indirect=True)
def test_two_newcomers_play_a_game_to_its_end(origin: str, start_browser: StartBrowser) -> None:
    alice, bob = start_browser(), start_browser()
    sign_in(alice, origin, "alice")
    alice.wait_for("You will play as alice")
    game = invite_to(alice, "tinc")
    alice.wait_for("Tinc: alice (X) – open seat (O)")
    accept(bob, game, "bob")
    bob.wait_for("Tinc: alice (X) – bob (O)")
    bob.wait_for("X's turn. Place one X in the only cell.")

    position = VARIANTS["tinc"].start
    players = {"X": alice, "O": bob}
    for played in "a1 c1 b3+d3 d4 a3+e3".split():
        mover = players[str(position.turn)]
        if position != VARIANTS["tinc"].start:
            look_again(mover)
        mover.wait_for("Your turn.")
        move(mover, position, played)
        position = position.play(played)

    alice.wait_for("You won: X fills row 3, from a3 to e3.")
    look_again(bob)
    bob.wait_for("You lost: X fills row 3, from a3 to e3.")
    stranger = start_browser()
    stranger.open(game)
    stranger.wait_for(
        "Tinc: alice (X) – bob (O)",
        "alice (X) wins: X fills row 3, from a3 to e3.",
        "Sign in with a certificate, if this is your game",
    )


def test_a_wrong_move_is_explained_and_asked_for_again(
    origin: str, start_browser: StartBrowser
) -> None:
    alice = start_browser()
    sign_in(alice, origin, "alice")
    invite_to(alice, "numeric")

    alice.follow("Type your move")
    alice.wait_for("Place one of 1, 3, 5, 7, 9 in an empty cell.")
    alice.wait_for("For example a1=1. Your move, Odd")
    alice.answer("b2=4")
    alice.wait_for("4 belongs to Even. You still hold 1, 3, 5, 7, 9. Your move, Odd")
    alice.answer("5")
    alice.wait_for("5 is a number without a cell.")
    alice.answer(" 5 B2 ")

    alice.wait_for("Move 2. Even to play. You played b2=5 on")


def test_a_player_gets_from_the_address_of_a_game_to_their_seat(
    origin: str, start_browser: StartBrowser
) -> None:
    alice, bob = start_browser(), start_browser()
    sign_in(alice, origin, "alice")
    game = invite_to(alice, "numeric")
    accept(bob, game, "bob")
    bob.wait_for("Numeric: alice (Odd) – bob (Even)")

    alice.open(f"{origin}/")
    alice.come_back_to(game)

    alice.wait_for("Your turn.")
    alice.follow("Type your move")
