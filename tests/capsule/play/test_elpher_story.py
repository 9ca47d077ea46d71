"""A first hour in Elpher, which ties its certificate to an address and keeps pages by theirs."""

from tests.support.client import Client
from tests.support.elpher import Elpher
from tests.support.stories import ALICE, BOB, play, start_between


def test_a_newcomer_signs_in_once_and_moves(client: Client) -> None:
    alice = Elpher(client, ALICE)
    alice.go("/")
    alice.follow("Play now")
    assert "Welcome to Oxonaut" in alice.page

    alice.follow("Numeric with the novice bot")
    alice.follow("Type your move", "b2=5")

    assert "Move 2. Novice bot (Even) to play" in alice.page
    assert alice.asked_for_certificate == 1


def test_refresh_shows_what_has_happened_since(client: Client) -> None:
    game = start_between(client, "ultimate", BOB, ALICE)
    alice = Elpher(client, ALICE)
    alice.go("/play/")
    alice.go(game)
    assert "Move 1." in alice.page

    play(client, game, ["e5"], BOB)
    alice.go(game)
    assert "Move 1." in alice.page, "the page that is kept"
    alice.follow("Refresh")

    assert "Your turn. Play in the centre board." in alice.page


def test_your_games_are_those_of_now(client: Client) -> None:
    alice = Elpher(client, ALICE)
    alice.go("/play/")
    assert "Welcome to Oxonaut" in alice.page

    alice.follow("Tinc with the novice bot")
    alice.follow("Your games")

    assert "Tinc with novice bot: move 1" in alice.page


def test_a_lesson_asks_again_after_a_wrong_answer(client: Client) -> None:
    alice = Elpher(client, ALICE)
    alice.go("/rules/ultimate/try")
    alice.follow("Type your answer", "a1")
    wrong = alice.page

    alice.follow("Try again")
    alice.follow("Type your answer", "b1")

    assert alice.page != wrong


def test_the_address_of_a_game_leads_through_the_sign_in_to_ones_own_games(client: Client) -> None:
    game = start_between(client, "ultimate", ALICE, BOB)
    alice = Elpher(client, ALICE)
    alice.go(game)

    alice.follow("Sign in with a certificate")
    assert "Your turn." in alice.page
    alice.follow("Type your move")

    # The certificate was tied to the address of that one page. It is asked for once more, before
    # anything is typed, and from then on it holds for all games.
    assert "Ultimate with bob" in alice.page
    assert alice.asked_for_certificate == 2
