"""Locks of several processes on PostgreSQL are taken in an order that avoids deadlocks.

A transaction that stores a row that refers to a game, a tournament or a player holds these as
referred to. So `FOR UPDATE` would make it wait for transactions that change those, which may be
waiting for it.
"""

from collections.abc import Callable, Collection
from typing import cast

import pytest
from sqlalchemy import ClauseElement, Connection
from sqlalchemy.dialects import postgresql

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.games import queries as game_queries
from capsule.moderation import actions as moderation_actions
from capsule.tournaments import queries as tournament_queries
from tests.support.client import Client, context_of, link
from tests.support.stories import ALICE, BOB
from tests.support.tournaments import begin


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
        (lambda it: game_queries.game_by_id(it, "a", to_change=True), "FOR NO KEY UPDATE OF games"),
        (
            lambda it: game_queries.games_with(it, ["a"], to_change=True),
            "ORDER BY games.id FOR NO KEY UPDATE OF games",
        ),
        (
            lambda it: tournament_queries.tournament_by_id(it, "a", to_change=True),
            "FOR NO KEY UPDATE OF tournaments",
        ),
        (
            lambda it: tournament_queries.lock_tournaments_of_player(it, 1),
            "ORDER BY tournaments.id FOR NO KEY UPDATE OF tournaments",
        ),
        (lambda it: account_queries.lock_player(it, 1), "FOR NO KEY UPDATE"),
        (lambda it: account_queries.player_by_id(it, 1, to_change=True), "FOR NO KEY UPDATE"),
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
    games_with = game_queries.games_with
    hold_tournaments = tournament_queries.lock_tournaments_of_player
    read, hold = account_queries.player_by_id, account_queries.lock_player

    def note(what: str, call: Callable[..., object]) -> Callable[..., object]:
        def noting(*given: object, **named: object) -> object:
            held.append(what)
            return call(*given, **named)

        return noting

    def note_games(
        connection: Connection, ids: Collection[str], *, to_change: bool = False
    ) -> object:
        held.extend(["game" for _ in ids if to_change])
        return games_with(connection, ids, to_change=to_change)

    def note_player(
        connection: Connection, player_id: int, *, to_change: bool = False
    ) -> Player | None:
        held.extend(["player"] if to_change else [])
        return read(connection, player_id, to_change=to_change)

    monkeypatch.setattr(game_queries, "games_with", note_games)
    monkeypatch.setattr(
        tournament_queries, "lock_tournaments_of_player", note("tournament", hold_tournaments)
    )
    monkeypatch.setattr(account_queries, "player_by_id", note_player)
    monkeypatch.setattr(account_queries, "lock_player", note("player", hold))
    for go in (
        lambda: client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE),
        lambda: moderation_actions.ban(context_of(client), "bob", "spam", None),
    ):
        held.clear()
        go()
        order = list(dict.fromkeys(held))
        assert order == ["player", "tournament", "game"]
        assert held.count("game") >= 4
    assert client.ask("/play/", BOB).status == 61
