"""A newcomer who has never heard of quantum tic-tac-toe learns it up to a measurement."""

import pytest

from tests.browsers.conftest import StartBrowser
from tests.support.browsers.browser import NumberingBrowser

pytestmark = pytest.mark.slow


def test_a_newcomer_measures_correctly_within_ten_links_from_home(
    origin: str, start_browser: StartBrowser
) -> None:
    newcomer = start_browser()
    assert isinstance(newcomer, NumberingBrowser)
    newcomer.open(f"{origin}/")
    newcomer.follow("Rules of the five games")
    newcomer.follow("Learn Quantum in eight steps")
    for step, typed in enumerate(("A1 C3", "b1 c2", "b2+c3"), start=1):
        newcomer.wait_for(f"Quantum, step {step} of 8: ")
        newcomer.follow("Type your answer")
        newcomer.answer(typed)
        newcomer.wait_for(f"Quantum, step {step} of 8: right")
        newcomer.follow(f"Go on to step {step + 1}")
    newcomer.wait_for("Quantum, step 4 of 8: a measurement")
    newcomer.follow("c3")
    newcomer.wait_for("Quantum, step 4 of 8: right")
    assert newcomer.links_followed <= 10
