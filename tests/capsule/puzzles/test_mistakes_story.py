"""Your mistakes: positions of one's own games, as puzzles for oneself alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from capsule.bots import queries as bot_queries
from capsule.bots.service import BotService, Hint
from capsule.gemini.types import Response
from engine import VARIANTS, Side
from engine.bots import analysis
from engine.bots.evaluators import Finding
from engine.bots.registry import bots_of
from tests.support.client import Client, links
from tests.support.gemtext import blocks
from tests.support.stories import ALICE, BOB, CAROL, play, start_between

MOVES = "b2=5 a1=2 c1=7 a3=8 c3=3 a2=4 b3=1 b1=6".split()


@dataclass(frozen=True)
class Solver(BotService):
    """A bot service that knows what positions of numeric are worth, at once."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return the best move."""
        position = VARIANTS[variant].replay(moves)
        evaluator = bots_of(variant).evaluator
        judged = evaluator.evaluate(position, 0, Random(0))
        choice = evaluator.bot().choose(position, 1, Random(0))
        return Hint(choice.move, None, judged.win_probability, is_exact=True)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client(tmp_path, bots=lambda _: Solver())
    yield made
    made.database.close()


@cache
def analysed() -> analysis.Analysis:
    return analysis.analyse("numeric", MOVES, 0, Random(0))


def analysed_game(client: Client) -> tuple[str, analysis.Analysis]:
    """Let alice and bob play a game of numeric, and store its analysis."""
    url = start_between(client, "numeric")
    play(client, url, MOVES, ALICE, BOB)
    stored = analysed()
    with client.database.writing() as connection:
        bot_queries.save_analysis(connection, url.removeprefix("/play/"), analysis.to_json(stored))
    return url, stored


def mistakes_in(stored: analysis.Analysis, side: Side) -> list[Finding]:
    return [each for each in stored.findings if each.side is side and each.best and each.loss > 0]


@pytest.fixture
def mistake(client: Client) -> tuple[str, Finding]:
    """The address and the finding of alice's last mistake."""
    url, stored = analysed_game(client)
    found = mistakes_in(stored, Side.X)
    assert found, stored.findings
    return f"/play/mistakes/{url.removeprefix('/play/')}/{found[-1].number}", found[-1]


def answer(client: Client, url: str, move: str) -> str:
    asked = next(
        each for each in links(client.get(url, ALICE)).values() if "/answer" in each
    ).partition("?")[0]
    return client.get(f"{asked}?{quote(move)}", ALICE)


def test_ones_own_mistakes_are_listed_and_nobody_elses(client: Client) -> None:
    url, stored = analysed_game(client)
    game_id = url.removeprefix("/play/")
    for who, side in ((ALICE, Side.X), (BOB, Side.O)):
        listed = [
            each
            for each in links(client.get("/play/mistakes/", who)).values()
            if each.startswith(f"/play/mistakes/{game_id}/")
        ]
        assert listed == [
            f"/play/mistakes/{game_id}/{each.number}" for each in mistakes_in(stored, side)
        ]
    assert "There are none" in client.get("/play/mistakes/", CAROL)


def test_nobody_else_is_shown_a_mistake(client: Client, mistake: tuple[str, Finding]) -> None:
    url, finding = mistake
    for who in (BOB, CAROL):
        assert client.ask(url, who).status == 51
        assert client.ask(f"{url}/answer?{quote(finding.best or '')}", who).status == 51
    assert client.ask(url) == Response(30, f"/play/?{url.removeprefix('/play/')}")
    assert client.ask("/play/mistakes/") == Response(30, "/play/?mistakes/")


def test_a_move_that_was_no_mistake_has_no_page(
    client: Client, mistake: tuple[str, Finding]
) -> None:
    url, finding = mistake
    base = url.rpartition("/")[0]
    for number in (finding.number + 1, 0, 99):
        assert client.ask(f"{base}/{number}", ALICE).status == 51
    assert client.ask(f"/play/mistakes/{'a' * 10}/1", ALICE).status == 51


def test_a_mistake_shows_the_position_and_what_was_played_and_not_what_is_better(
    client: Client, mistake: tuple[str, Finding]
) -> None:
    url, finding = mistake
    page = client.get(url, ALICE)
    assert f"played {finding.move} here" in page
    assert "With best play you had " in page
    before = VARIANTS["numeric"].replay(MOVES[: finding.number - 1])
    latest = (
        VARIANTS["numeric"].replay(MOVES[: finding.number - 2]).marked_by(MOVES[finding.number - 2])
    )
    assert "\n".join(blocks(page)[0].rows) == before.view(latest=latest).drawing
    prose = page.replace(f"=> {finding.best}", "")
    assert f"{finding.best} " not in prose.partition("\n=> ")[0]


def test_the_analysis_own_move_puts_it_right(client: Client, mistake: tuple[str, Finding]) -> None:
    url, finding = mistake
    assert finding.best is not None
    page = answer(client, url, finding.best)
    assert page.startswith(f"# {finding.best} is better")
    assert f"\n{finding.move} lets Even reply " in page, "what was wrong with the move played"
    assert "You have put this right." in client.get(url, ALICE)
    assert "## Put right" in client.get("/play/mistakes/", ALICE)


def test_another_move_as_good_puts_it_right_and_every_other_is_answered(
    client: Client, mistake: tuple[str, Finding]
) -> None:
    url, finding = mistake
    before = VARIANTS["numeric"].replay(MOVES[: finding.number - 1])
    judge = bots_of("numeric").evaluator.evaluate
    for move in before.legal_moves():
        after = before.play(move)
        worth = (
            after.outcome.value_for(Side.X)
            if after.outcome
            else 1 - judge(after, 0, Random(0)).win_probability
        )
        page = client.get(f"{url}/answered?{quote(move)}", ALICE)
        if worth >= finding.own[0]:
            assert page.startswith(f"# {move} is better")
        else:
            assert page.startswith(f"# Not {move}")
            assert f"{move} lets " in page
            assert next(iter(links(page).items())) == ("Try again", url)
    assert "You have put this right." not in client.get(url, ALICE), "nothing is stored by looking"


def test_what_was_played_is_not_right(client: Client, mistake: tuple[str, Finding]) -> None:
    url, finding = mistake
    page = answer(client, url, finding.move)
    assert page.startswith(f"# Not {finding.move}")
    assert "That is what you played in the game." in page
    assert f"\n{finding.move} lets Even reply " in page


def test_what_cannot_be_played_is_asked_for_again(
    client: Client, mistake: tuple[str, Finding]
) -> None:
    url, _ = mistake
    asked = next(each for each in links(client.get(url, ALICE)).values() if "/answer" in each)
    again = client.ask(f"{asked.partition('?')[0]}?nonsense", ALICE)
    assert again.status == 10
    assert again.meta.endswith("A better move, Odd")


def test_without_bots_the_analysis_still_judges_what_it_knows(tmp_path: Path) -> None:
    client = Client(tmp_path / "without")
    url, stored = analysed_game(client)
    found = mistakes_in(stored, Side.X)[-1]
    here = f"/play/mistakes/{url.removeprefix('/play/')}/{found.number}"
    assert found.best is not None
    assert answer(client, here, found.best).startswith(f"# {found.best} is better")
    assert answer(client, here, found.move).startswith(f"# Not {found.move}")
    before = VARIANTS["numeric"].replay(MOVES[: found.number - 1])
    other = next(
        move
        for move in before.legal_moves()
        if move not in (found.best, found.move) and before.play(move).outcome is None
    )
    assert "Ask again in a moment" in client.get(f"{here}/answered?{quote(other)}", ALICE)
    client.database.close()
