"""Pages ask the same of each reader's point of view, whether they have a seat or not."""

import pytest

from capsule.games.point_of_view import CHALLENGED, SPECTATOR, PointOfView

OF_SEATS = {"game", "side", "seat", "opponent"}
"""The properties that a point of view has only with a seat."""

QUESTIONS = sorted({name for name in dir(PointOfView) if not name.startswith("_")} - OF_SEATS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_spectator_may_do_nothing(question: str) -> None:
    assert not getattr(SPECTATOR, question)
    assert bool(getattr(CHALLENGED, question)) == (question == "may_answer_challenge")
