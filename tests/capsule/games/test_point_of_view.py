"""Pages ask the same of everybody's point of view, whether they have a seat or not."""

import pytest

from capsule.accounts import queries as account_queries
from capsule.games import reading
from capsule.games.point_of_view import CHALLENGED, SPECTATOR, PointOfView, Spectator, view_of
from capsule.gemini.types import Certificate
from tests.support.client import Client, link
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL

OF_SEATS = {"game", "side", "seat", "opponent"}
"""The properties that a point of view has only with a seat."""

QUESTIONS = sorted({name for name in dir(PointOfView) if not name.startswith("_")} - OF_SEATS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_spectator_may_do_nothing(question: str) -> None:
    assert not getattr(SPECTATOR, question)
    assert bool(getattr(CHALLENGED, question)) == (question == "may_answer_challenge")


def test_everybody_has_a_point_of_view(client: Client) -> None:
    prompt = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    client.ask(link(client.get("/play/new/tinc", BOB), "/solo"), BOB)
    client.ask(link(client.get("/play/new/tinc", CAROL), "/solo"), CAROL)
    url = client.type(prompt, "bob", ALICE).meta

    def seen_by(who: Certificate | None) -> PointOfView | Spectator:
        game = reading.find_game(client.context, url.removeprefix("/play/"))
        assert game is not None
        with client.database.reading() as connection:
            player = None
            if who is not None:
                player = account_queries.player_by_id(connection, player_id(client, who))
        return view_of(game, player)

    assert seen_by(ALICE).is_seated
    assert seen_by(BOB) is CHALLENGED
    assert seen_by(CAROL) is SPECTATOR
    assert seen_by(None) is SPECTATOR
