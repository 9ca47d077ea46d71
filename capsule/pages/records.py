"""A game's record, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, games
from capsule.records import record_of
from engine import record

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site
    from engine.record import Record


def as_text(site: Site, request: Request, game_id: str) -> Response:
    """Return the record that people read."""
    del request
    return answers.text(record.to_text(_record(site, game_id)))


def as_json(site: Site, request: Request, game_id: str) -> Response:
    """Return the record that programs read."""
    del request
    return answers.text(record.to_json(_record(site, game_id)), "application/json; charset=utf-8")


def _record(site: Site, game_id: str) -> Record:
    game = games.look_at(site, game_id)
    if game is None:
        raise answers.NotThere
    with site.store.reading() as connection:
        return record_of(connection, game)
