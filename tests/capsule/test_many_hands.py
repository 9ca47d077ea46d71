"""Whatever two players, a stranger, two devices, two workers and a clock do: the game is as it is.

A model knows what must have happened. Links are kept and followed later, by anybody, through either
worker: one that fits acts once, and any other changes nothing.
"""

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from capsule.gemini.types import Certificate, Response
from engine import VARIANTS, Position, Side
from tests.support.client import Client, action, link, links
from tests.support.linking import PHONE, add
from tests.support.stories import ALICE, BOB, CAROL, open_game, record

PLAYERS = {"alice": ALICE, "alice's phone": PHONE, "bob": BOB, "carol": CAROL, "nobody": None}
SIDES = {"alice": Side.X, "alice's phone": Side.X, "bob": Side.O}

WORKERS = st.sampled_from([0, 1])
PEOPLE = st.sampled_from(sorted(PLAYERS))
MOVERS = st.sampled_from(sorted(SIDES))
ANY = st.integers(min_value=0, max_value=10_000)


class Hands(RuleBasedStateMachine):
    """A game of ultimate between alice and bob, and what is known about it."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="hands-"))
        self.workers = [Client(self.home), Client(self.home)]
        self.position: Position = VARIANTS["ultimate"].start
        self.moves: list[str] = []
        self.counter = 0
        self.winner: Side | None = None
        self.is_over = False
        self.kept: list[tuple[str, Side, int]] = []
        self.last_moves: dict[Side, tuple[int, str]] = {}

    @initialize()
    def begin(self) -> None:
        self.url = open_game(self.workers[0])
        add(self.workers[0])

    def teardown(self) -> None:
        for worker in self.workers:
            worker.database.close()
        shutil.rmtree(self.home)

    @property
    def turn(self) -> Side:
        return self.position.turn

    def page(self, worker: int, who: Certificate | None) -> str:
        return self.workers[worker].get(self.url, who)

    @rule(worker=WORKERS, name=MOVERS)
    def keep_a_link(self, worker: int, name: str) -> None:
        """Look at the page, and keep its link for later."""
        found = links(self.page(worker, PLAYERS[name])).values()
        prompts = [each for each in found if each.endswith("/move")]
        may_move = not self.is_over and SIDES[name] is self.turn
        assert bool(prompts) is may_move
        self.kept += [(each, SIDES[name], self.counter) for each in prompts]

    @precondition(lambda self: self.kept)
    @rule(worker=WORKERS, name=PEOPLE, which=ANY, choice=ANY)
    def follow_a_kept_link(self, worker: int, name: str, which: int, choice: int) -> None:
        """Type a move at a prompt that may be old, or somebody else's."""
        prompt, side, counter = self.kept[which % len(self.kept)]
        legal = list(self.position.legal_moves()) or ["e5"]
        move = legal[choice % len(legal)]
        answer = self.workers[worker].ask(f"{prompt}?{move}", PLAYERS[name])
        is_own = SIDES.get(name) is side
        if is_own and counter == self.counter and not self.is_over:
            self.expect_redirect(answer)
            self.played(move)
        elif name == "nobody":
            assert (answer.status, answer.meta) == (30, "/play/?unsent")
        elif is_own and (counter, move) == self.last_moves.get(side):
            self.expect_redirect(answer)
        else:
            assert answer.body.startswith("Nothing was played: ")
            assert (f"\n> {move}\n" in answer.body) is (is_own and self.counter - counter < 20)

    @rule(worker=WORKERS, name=MOVERS, choice=ANY)
    def move(self, worker: int, name: str, choice: int) -> None:
        if self.is_over or SIDES[name] is not self.turn:
            return
        legal = list(self.position.legal_moves())
        move = legal[choice % len(legal)]
        prompt = link(self.page(worker, PLAYERS[name]), "/move")
        self.expect_redirect(self.workers[worker].ask(f"{prompt}?{move}", PLAYERS[name]))
        self.played(move)

    @rule(worker=WORKERS, name=MOVERS)
    def type_nonsense(self, worker: int, name: str) -> None:
        if self.is_over or SIDES[name] is not self.turn:
            return
        prompt = link(self.page(worker, PLAYERS[name]), "/move")
        assert self.workers[worker].ask(f"{prompt}?z99", PLAYERS[name]).status == 10

    @precondition(lambda self: len(self.moves) > 6)
    @rule(worker=WORKERS, name=MOVERS)
    def resign(self, worker: int, name: str) -> None:
        if self.is_over:
            return
        prompt = action(self.page(worker, PLAYERS[name]), "resign")
        self.expect_redirect(self.workers[worker].ask(f"{prompt}?resign", PLAYERS[name]))
        self.is_over, self.winner = True, SIDES[name].other
        self.counter += 1

    @rule(hours=st.integers(min_value=0, max_value=3))
    def time_goes_by(self, hours: int) -> None:
        for worker in self.workers:
            worker.now += timedelta(hours=hours)

    @rule(worker=WORKERS)
    def restart(self, worker: int) -> None:
        self.workers[worker].restart()

    def played(self, move: str) -> None:
        self.last_moves[self.turn] = self.counter, move
        self.position = self.position.play(move)
        self.moves.append(move)
        self.counter += 1
        if self.position.outcome is not None:
            self.is_over, self.winner = True, self.position.outcome.winner

    def expect_redirect(self, answer: Response) -> None:
        assert (answer.status, answer.meta) == (30, self.url)

    @invariant()
    def both_workers_tell_what_happened(self) -> None:
        if not hasattr(self, "url"):
            return
        for worker in self.workers:
            data = record(worker, self.url)
            assert data["moves"] == self.moves
            assert (data["status"] != "playing") is self.is_over
            assert data["winner"] == (self.winner and self.winner.value)

    @invariant()
    def strangers_are_offered_nothing(self) -> None:
        if not hasattr(self, "url"):
            return
        for who in (CAROL, None):
            page = self.page(0, who)
            assert not [each for each in links(page).values() if each.endswith("/move")]


@pytest.mark.usefixtures("tmp_path")
def test_the_game_is_what_the_model_says() -> None:
    run_state_machine_as_test(
        Hands,
        settings=settings(
            max_examples=2,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
