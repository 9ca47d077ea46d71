"""Each of the five games, to a win, between two certificates."""

from pathlib import Path

import pytest

from engine import VARIANTS, Side
from tests.browsers.conftest import StartBrowser
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
