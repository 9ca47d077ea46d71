"""A game's record, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, games
from engine import Side, record

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def as_text(site: Site, request: Request, game_id: str) -> Response:
    """Return the record that people read."""
    del request
    return answers.text(record.to_text(_record(site, game_id)))


def as_json(site: Site, request: Request, game_id: str) -> Response:
    """Return the record that programs read."""
    del request
    return answers.text(record.to_json(_record(site, game_id)), "application/json; charset=utf-8")


def _record(site: Site, game_id: str) -> record.Record:
    game = games.look_at(site, game_id)
    if game is None:
        raise answers.NotThere
    stored = game.stored
    points = None
    if stored.x_points is not None and stored.o_points is not None:
        points = (stored.x_points, stored.o_points)
    return record.Record(
        variant=stored.variant,
        id=stored.id,
        x=stored.x_name,
        o=stored.o_name,
        moves=tuple(each.move for each in games.all_moves(site, game)),
        status=stored.status,
        winner=Side(stored.winner) if stored.winner else None,
        points=points,
        created=stored.created_at.replace(microsecond=0),
        ended=stored.ended_at and stored.ended_at.replace(microsecond=0),
    )
