"""Each of the five games, to a win, between two certificates."""

from itertools import pairwise
from pathlib import Path

import pytest

from engine import VARIANTS, Side
from tests.browsers.conftest import Serve, StartBrowser, origin_of
from tests.support.browsers.friend import Friend
from tests.support.browsers.steps import invite_to, look_again, play_as_x, sign_in
from tests.support.stories import WON_GAMES
from tests.support.wire import identities


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_played_to_a_win(
    origin: str, start_browser: StartBrowser, tmp_path: Path, variant: str
) -> None:
    moves = WON_GAMES[variant].split()
    alice = start_browser()
    bob = Friend(origin, identities.make(tmp_path, "bob"))
    sign_in(alice, origin, "alice")
    game = invite_to(alice, variant)
    bob.take_the_seat(game)
    look_again(alice)
    x, o = (VARIANTS[variant].side_name(side) for side in Side)
    alice.wait_for(f"– bob ({o})")

    play_as_x(alice, bob, game, VARIANTS[variant].start, moves)

    outcome = VARIANTS[variant].replay(moves).outcome
    assert outcome is not None
    assert outcome.winner is not None
    side = VARIANTS[variant].side_name(outcome.winner)
    winner = f"{'alice' if outcome.winner is Side.X else 'bob'} ({side})"
    ended = "won" if outcome.winner is Side.X else "lost"
    alice.wait_for(f"You {ended}: {outcome.reason}.")
    stranger = start_browser()
    stranger.open(game)
    stranger.wait_for(
        f"{VARIANTS[variant].name}: alice ({x}) – bob ({o})", f"{winner} wins: {outcome.reason}."
    )


def test_the_measured_quantum_game_gave_both_players_a_line() -> None:
    outcome = VARIANTS["quantum"].replay(WON_GAMES["quantum"].split()).outcome
    assert outcome is not None
    assert set(outcome.points) == {1, 0.5}


def test_the_extreme_game_had_bonus_moves() -> None:
    moves = WON_GAMES["extreme"].split()
    movers = [VARIANTS["extreme"].replay(moves[:ply]).turn for ply in range(len(moves))]
    assert any(one is next_one for one, next_one in pairwise(movers))


@pytest.mark.slow
def test_a_game_goes_on_after_the_server_was_stopped(
    serve: Serve, start_browser: StartBrowser, tmp_path: Path
) -> None:
    moves = WON_GAMES["ultimate"].split()
    middle = len(moves) // 2
    alice = start_browser()
    with serve() as server:
        origin = origin_of(server)
        bob = Friend(origin, identities.make(tmp_path, "bob"))
        sign_in(alice, origin, "alice")
        game = invite_to(alice, "ultimate")
        bob.take_the_seat(game)
        look_again(alice)
        play_as_x(alice, bob, game, VARIANTS["ultimate"].start, moves[:middle])
        alice.wait_for("Your turn.")

    with serve(server.address[1]):
        play_as_x(alice, bob, game, VARIANTS["ultimate"].replay(moves[:middle]), moves[middle:])
        alice.wait_for("You won: ")
