"""Players who subscribe to a feed, and are back at the right game when it is their turn."""

from pathlib import Path

import pytest

from tests.browsers.conftest import StartBrowser
from tests.support.browsers.amfora import Amfora
from tests.support.browsers.friend import Friend
from tests.support.browsers.steps import accept
from tests.support.wire import identities

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("start_browser", [Amfora], indirect=True)
def test_a_subscriber_comes_back_to_the_game_in_which_it_is_their_turn(
    origin: str, start_browser: StartBrowser, tmp_path: Path
) -> None:
    alice = Friend(origin, identities.make(tmp_path, "alice"))
    game, another = alice.invite_to("ultimate"), alice.invite_to("numeric")
    alice.play(another, "b2=5")
    bob = start_browser()
    assert isinstance(bob, Amfora)
    accept(bob, game, "bob")
    bob.wait_for("– bob (O)")

    bob.open(f"{origin}/play/me/")
    bob.follow("Your private feed")
    bob.follow("The same for feed readers (Atom)")
    bob.say_yes_to_the_feed()
    alice.play(game, "e5")
    bob.come_back_to_subscriptions()

    bob.follow_news("Oxonaut: bob (Oxonaut) - Your turn in Ultimate: alice")
    bob.wait_for("Your turn. Play in the centre board")
