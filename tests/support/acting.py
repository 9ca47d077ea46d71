"""Actions of players and of the operator that are taken without a browser or a console."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

import pytest

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.games.model import StoredGame
from capsule.games.point_of_view import PointOfView, require_view
from capsule.games.queries import game_by_id
from capsule.games.reading import load_running

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def operate(
    use_case: Callable[Concatenate[Transaction, Arguments], Result],
    context: AppContext,
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> Result:
    """Have the operator act, and return what the use case returns."""
    with context.writing() as transaction:
        return use_case(transaction, *arguments, **named)


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Have something happen after the next request has identified its visitor."""
    sign_in = identity.sign_in

    def then_acting(*arguments: Any) -> Player | None:  # noqa: ANN401 - those of `sign_in`
        found = sign_in(*arguments)
        monkeypatch.undo()
        act()
        return found

    monkeypatch.setattr(identity, "sign_in", then_acting)


@contextmanager
def holding(context: AppContext, game_id: str) -> Iterator[tuple[Transaction, StoredGame]]:
    """Yield a transaction that holds a game, and the game as it is stored."""
    with context.writing() as transaction:
        stored = game_by_id(transaction.connection, game_id, to_change=True)
        assert stored is not None
        yield transaction, stored


def act(
    use_case: Callable[Concatenate[Transaction, PointOfView, Arguments], Result],
    context: AppContext,
    player: Player,
    game_id: str,
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> Result:
    """Have a player act in a running game, and return what the use case returns."""
    with holding(context, game_id) as (transaction, stored):
        view = require_view(load_running(transaction, stored), player)
        return use_case(transaction, view, *arguments, **named)


def answer(
    use_case: Callable[..., Result], context: AppContext, player: Player, game_id: str
) -> Result:
    """Have a player take or decline a seat in a running game."""
    with holding(context, game_id) as (transaction, stored):
        return use_case(transaction, player, load_running(transaction, stored))


def answer_ended(
    use_case: Callable[..., Result], context: AppContext, player: Player, game_id: str
) -> Result:
    """Have a player offer, accept or decline a rematch of a game that has ended."""
    with holding(context, game_id) as (transaction, stored):
        return use_case(transaction, player, stored)
