"""Asking for mail: an address, a code, and what a player is told from then on."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.mail import PAGE, Post
from tests.support.stories import ALICE, BOB, play, start_between

if TYPE_CHECKING:
    from tests.support.client import Client

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_alice_asks_for_mail_and_has_a_summary_the_next_morning(client: Client, post: Post) -> None:
    game = start_between(client, "ultimate")
    post.subscribe(ALICE, "alice@example.net")
    assert "Mail goes to alice@example.net." in client.get(PAGE, ALICE)
    play(client, game, ["e5"], ALICE)
    play(client, game, ["d4"], BOB)
    assert not post.pass_time(12 * HOUR, HOUR), "it is 2 o'clock"
    (letter,) = post.pass_time(7 * HOUR, HOUR)
    print(letter)
    assert letter["Subject"] == "Your turn in 1 game at Oxonaut"
    assert not post.pass_time(DAY, HOUR), "she was told"
