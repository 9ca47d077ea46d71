"""A game's record, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.games import reading
from capsule.games.records import record_of
from capsule.ui import responses
from capsule.ui.routes import GAME
from engine import record

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine.record import Record


def as_text(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the record that people read."""
    del request
    return responses.text(record.to_text(_record(context, game_id)))


def as_json(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the record that programs read."""
    del request
    return responses.text(
        record.to_json(_record(context, game_id)), "application/json; charset=utf-8"
    )


def _record(context: AppContext, game_id: str) -> Record:
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    with context.database.reading() as connection:
        return record_of(connection, game)


ROUTES: Routes = (
    (rf"/play/{GAME}/record\.txt", as_text),
    (rf"/play/{GAME}/record\.json", as_json),
)
