"""A game's record, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.context import reading
from capsule.games.personal_data import records_as_text
from capsule.games.reading import game_at
from capsule.games.records import records_of
from capsule.ui import responses
from capsule.ui.routes import GAME
from engine import record

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes
    from engine.record import Record


@reading
def as_text(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a game's record in the text form, for people."""
    del request
    return responses.text(record.to_text(_record(transaction, game_id)))


@reading
def as_json(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a game's record as JSON, for programs."""
    del request
    return responses.text(
        record.to_json(_record(transaction, game_id)), "application/json; charset=utf-8"
    )


@reading
def all_as_text(transaction: Transaction, request: Request) -> Response | Wait:
    """Return the records of all of the player's games, which only the player may fetch."""
    player, context = identity.signed_in(transaction, request).player, transaction.context
    if player is None:
        return responses.redirect("/play/me/")
    records = reading(records_as_text)
    return context.exclusive.wait(request, lambda: responses.text(records(context, player)))


def _record(transaction: Transaction, game_id: str) -> Record:
    game = game_at(transaction, game_id)
    if game is None:
        raise errors.NotFound
    (found,) = records_of(transaction.connection, [game.stored])
    return found


ROUTES: Routes = (
    (r"/play/me/records\.txt", all_as_text),
    (rf"/play/{GAME}/record\.txt", as_text),
    (rf"/play/{GAME}/record\.json", as_json),
)
