"""Somebody who has never heard of a game learns it, by links and typed moves alone."""

from dataclasses import dataclass

import pytest

from tests.support.client import Client, links
from tests.support.gemtext import prose


@dataclass
class Newcomer:
    """Somebody without a certificate, and how many links they have followed from the home page."""

    client: Client
    followed: int = 0

    def __post_init__(self) -> None:
        self.page = self.client.get("/")

    def follow(self, label: str) -> None:
        """Follow the link of the page whose label begins so."""
        self._follow(label)
        self.page = self.client.get(self._target)

    def answer(self, text: str) -> None:
        """Follow the link that asks, and type something."""
        self._follow("Type your answer")
        self.page = self.client.get(self.client.type(self._target, text).meta)

    def _follow(self, label: str) -> None:
        found = [target for each, target in links(self.page).items() if each.startswith(label)]
        assert len(found) == 1, (label, self.page)
        (self._target,) = found
        self.followed += 1

    @property
    def is_right(self) -> bool:
        return self.page.partition("\n")[0].endswith(": right")


def learn_to_measure(newcomer: Newcomer) -> None:
    """Answer as the steps of the lesson in quantum teach it, from a page that leads to it."""
    for move in ("a1 c3", "b1 c2", "b2 c3"):
        newcomer.answer(move)
        assert newcomer.is_right, newcomer.page
        newcomer.follow("Go on to step")
    newcomer.follow("c3")


@pytest.mark.parametrize(
    "way",
    [
        ["Rules of the five games", "Quantum Tic-Tac-Toe", "Learn it in eight steps"],
        ["Rules of the five games", "Learn Quantum in eight steps"],
        ["Help", "Rules of the five games, and lessons", "Learn Quantum in eight steps"],
    ],
    ids=["by the rules of quantum", "by the list of rules", "by the help"],
)
def test_a_newcomer_measures_correctly_within_ten_links_from_home(
    client: Client, way: list[str]
) -> None:
    newcomer = Newcomer(client)
    for label in way:
        newcomer.follow(label)
    learn_to_measure(newcomer)
    assert newcomer.is_right
    assert "x3 settles in c3 and pushes x1 out to b3." in prose(newcomer.page)
    assert newcomer.followed <= 10
