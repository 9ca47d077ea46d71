"""What is held where several processes share PostgreSQL, so that nobody waits in a circle.

Whoever stores a row that refers to a game, a tournament or a player holds these as referred to. So
`FOR UPDATE` would make them wait for whoever changes those, who may be waiting for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy.dialects import postgresql

from capsule import operator
from capsule.store import devices, games, players, tournaments
from tests.capsule.client import Client, link
from tests.capsule.rounds import begin, site_of
from tests.capsule.stories import ALICE, BOB

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ClauseElement, Connection


class Stopped(Exception):
    """The statement is there, and is not run."""


class Recorder:
    """A connection that says the statement as PostgreSQL would be asked."""

    said = ""

    def execute(self, statement: ClauseElement, *_: object) -> None:
        """Note the statement and run nothing."""
        self.said = str(statement.compile(dialect=postgresql.dialect()))
        raise Stopped


@pytest.mark.parametrize(
    ("hold", "lock"),
    [
        (lambda it: games.game_by_id(it, "a", to_change=True), "FOR NO KEY UPDATE OF games"),
        (
            lambda it: tournaments.tournament_by_id(it, "a", to_change=True),
            "FOR NO KEY UPDATE OF tournaments",
        ),
        (lambda it: devices.hold_player(it, 1), "FOR NO KEY UPDATE"),
        (lambda it: players.player_by_id(it, 1, to_stay=True), "FOR SHARE"),
    ],
)
def test_who_only_refers_to_it_does_not_wait(
    hold: Callable[[Connection], object], lock: str
) -> None:
    recorder = Recorder()
    with pytest.raises(Stopped):
        hold(cast("Connection", recorder))
    assert recorder.said.endswith(lock)


def test_who_goes_holds_the_player_then_tournaments_then_games(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(client)
    held: list[str] = []
    by_id, tournament_by_id = games.game_by_id, tournaments.tournament_by_id
    count, hold = players.count_action_after, devices.hold_player

    def note(what: str, call: Callable[..., object]) -> Callable[..., object]:
        def noting(*given: object, **named: object) -> object:
            if named.get("to_change") or what == "player":
                held.append(what)
            return call(*given, **named)

        return noting

    monkeypatch.setattr(games, "game_by_id", note("game", by_id))
    monkeypatch.setattr(tournaments, "tournament_by_id", note("tournament", tournament_by_id))
    monkeypatch.setattr(players, "count_action_after", note("player", count))
    monkeypatch.setattr(devices, "hold_player", note("player", hold))
    for go in (
        lambda: client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE),
        lambda: operator.ban(site_of(client), "bob", "spam", None),
    ):
        held.clear()
        go()
        order = list(dict.fromkeys(held))
        assert order == ["player", "tournament", "game"]
        assert held.count("game") >= 4
    assert client.ask("/play/", BOB).status == 61
