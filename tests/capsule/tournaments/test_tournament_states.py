"""Tournaments stay in order, whatever people do to them and whenever the sweep comes by."""

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from capsule.errors import OutdatedAction
from capsule.games.model import RUNNING
from capsule.tournaments import actions as tournament_actions, queries as tournament_queries
from capsule.tournaments.model import MIN_PLAYERS, TournamentTerms
from tests.support.client import Client, certificate, context_of
from tests.support.people import become_player

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.tournaments.model import Tournament

    UseCase = Callable[[Transaction, Player, str], None]

NAMES = ("ann", "ben", "cleo", "dan", "eva")

PEOPLE = st.integers(0, len(NAMES) - 1)


@pytest.fixture(scope="module", autouse=True)
def capsule(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[None]":
    Tournaments.capsule = Client(tmp_path_factory.mktemp("tournaments"))
    yield
    Tournaments.capsule.database.close()


class Tournaments(RuleBasedStateMachine):
    """Five people and one tournament, whatever they try to do."""

    # One capsule serves every run, since making its tables takes time.
    capsule: Client

    @initialize(
        seats=st.integers(3, 5),
        starts=st.sampled_from([None, 1]),
        with_bots=st.booleans(),
        others=st.integers(0, 4),
    )
    def announced(self, seats: int, starts: int | None, others: int, *, with_bots: bool) -> None:
        """Let the first of them announce it, and some others join at once."""
        self.context = context_of(self.capsule)
        certificates = [
            certificate(f"{name}-{self.context.random_bytes(4).hex()}") for name in NAMES
        ]
        self.people = [become_player(self.context, each) for each in certificates]
        bots = "casual" if with_bots and starts else None
        terms = TournamentTerms(
            variant="numeric", seat_count=seats, starts_in=starts, fill_level=bots
        )
        with self.context.writing() as transaction:
            self.id = tournament_actions.announce(transaction, self.people[0], terms, "cup")
        self.statuses = ["announced"]
        for who in range(1, min(others, seats - 1) + 1):
            self.join(who)
            self.it_is_in_order()

    def tournament(self) -> "Tournament":
        with self.context.reading() as transaction:
            return tournament_queries.find_tournament(transaction, self.id)

    def act(self, use_case: "UseCase", who: int) -> bool:
        """Let somebody act on it; return whether it allowed that."""
        try:
            with self.context.writing() as transaction:
                use_case(transaction, self.people[who], self.id)
        except OutdatedAction:
            return False
        return True

    @rule(who=PEOPLE)
    def join(self, who: int) -> None:
        self.act(tournament_actions.join, who)

    @rule(who=PEOPLE)
    def leave(self, who: int) -> None:
        self.act(tournament_actions.leave, who)

    @rule(who=st.integers(0, 20))
    def cancel(self, who: int) -> None:
        if who >= len(NAMES):
            return  # it happens now and then
        before = self.tournament()
        if self.act(tournament_actions.cancel, who):
            assert who == 0
            assert before.is_open

    @rule(who=st.integers(0, 12))
    def start_now(self, who: int) -> None:
        if who >= len(NAMES):
            return  # it happens now and then
        before = self.tournament()
        if self.act(tournament_actions.start_now, who):
            assert who == 0
            assert before.is_open
            assert self.tournament().stored.is_playing

    @rule(hours=st.sampled_from([1, 30, 800]))
    def wait(self, hours: int) -> None:
        self.capsule.now += timedelta(hours=hours)

    @rule()
    def sweep(self) -> None:
        before = self.tournament().stored.status
        tournament_actions.start_and_end_due(self.context)
        after = self.tournament().stored.status
        assert before == after or (before, after) == ("announced", "playing")
        assert tournament_actions.start_and_end_due(self.context) == 0

    @invariant()
    def it_is_in_order(self) -> None:
        now = self.tournament()
        stored = now.stored
        holders = [(seat.player_id, seat.bot) for seat in now.seats]
        assert len(set(holders)) == len(holders) <= stored.seat_count
        if stored.status != self.statuses[-1]:
            self.statuses.append(stored.status)
        assert "-".join(self.statuses) in {
            "announced",
            "announced-playing",
            "announced-playing-finished",
            "announced-cancelled",
        }
        has_started = stored.status in ("playing", "finished")
        count = len(now.seats)
        assert len(now.games) == (count * (count - 1) if has_started else 0)
        pairs = {(result.x, result.o) for result in now.results}
        assert len(pairs) == len(now.games), "everybody plays everybody with either side"
        if has_started:
            assert count >= MIN_PLAYERS
            bots = [seat.bot for seat in now.seats if seat.bot]
            assert sorted(bots) == sorted(stored.bots_for(len(bots)))
            goes_on = any(game.status in RUNNING for game in now.games)
            assert goes_on == (stored.status == "playing")
        for seat in now.seats:
            if seat.left_at is not None:
                own = [each for each in now.standings if each.seat == seat.number]
                assert own[0].to_play == 0, "who has left plays no more"


TestTournaments = Tournaments.TestCase
TestTournaments.settings = settings(
    max_examples=15,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
