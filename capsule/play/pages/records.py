"""A game's record, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.games import reading
from capsule.games.personal_data import records_as_text
from capsule.games.records import record_of
from capsule.ui import responses
from capsule.ui.routes import GAME
from engine import record

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes
    from engine.record import Record


def as_text(context: AppContext, request: Request, game_id: str) -> Response:
    """Return a game's record in the text form, for people."""
    del request
    return responses.text(record.to_text(_record(context, game_id)))


def as_json(context: AppContext, request: Request, game_id: str) -> Response:
    """Return a game's record as JSON, for programs."""
    del request
    return responses.text(
        record.to_json(_record(context, game_id)), "application/json; charset=utf-8"
    )


def all_as_text(context: AppContext, request: Request) -> Response | Wait:
    """Return the records of all of the player's games, which only the player may fetch."""
    player = identity.signed_in(context, request).player
    if player is None:
        return responses.redirect("/play/me/")
    return context.exclusive.wait(request, lambda: responses.text(records_as_text(context, player)))


def _record(context: AppContext, game_id: str) -> Record:
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    with context.database.reading() as connection:
        return record_of(connection, game.stored)


ROUTES: Routes = (
    (r"/play/me/records\.txt", all_as_text),
    (rf"/play/{GAME}/record\.txt", as_text),
    (rf"/play/{GAME}/record\.json", as_json),
)
