"""Tournaments for programs: those that can be joined, and joining one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.errors import NotFound
from capsule.programs.answers import answer, in_json
from capsule.programs.states import written
from capsule.tournaments.model import TournamentStatus
from capsule.tournaments.pages.tournament import JOIN, tournament_key
from capsule.tournaments.queries import tournaments_of_status
from capsule.tournaments.reading import find_tournament, load_tournament
from capsule.ui.routes import ANY, KEY, TOURNAMENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request, Response, Wait
    from capsule.programs.states import Json
    from capsule.tournaments.model import Tournament
    from capsule.ui.routes import Routes

MAX_TOURNAMENTS = 20
"""Tournaments that the list of them has."""


@reading
def open_tournaments(transaction: Transaction, request: Request) -> Response:
    """Return the tournaments that have not started, the latest first."""
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    found = [
        load_tournament(context, transaction.connection, each)
        for each in tournaments_of_status(
            transaction.connection, TournamentStatus.ANNOUNCED, MAX_TOURNAMENTS
        )
    ]
    return answer(tournaments=[_state(context, visitor, each) for each in found if each.is_open])


def join(context: AppContext, request: Request, tournament_id: str, key: str) -> Response | Wait:
    """Take a seat in a tournament, as a browser does, and return its state."""
    done = JOIN(context, request, key, tournament_id=tournament_id)

    def state(_address: str) -> Response:
        with context.reading() as transaction:
            tournament = find_tournament(transaction, tournament_id)
            if tournament is None:
                raise NotFound
            visitor = identity.visitor_of(transaction, request)
            return answer(**_state(context, visitor, tournament))

    return in_json(done, state)


def _state(context: AppContext, visitor: Visitor, tournament: Tournament) -> Mapping[str, Json]:
    stored = tournament.stored
    fields: dict[str, Json] = {
        "id": stored.id,
        "title": stored.title,
        "variant": stored.variant.key,
        "status": stored.status,
        "seats": stored.seat_count,
        "taken": len(tournament.seats),
        "rated": stored.rated,
        "days_per_move": stored.days_per_move,
        "starts": None if stored.starts_at is None else written(stored.starts_at),
        "page": stored.path,
    }
    if visitor.certificate is not None and tournament.may_join(visitor.player):
        key = tournament_key(context, visitor, stored)
        fields["join"] = f"{stored.path}/{key}/join.json"
    return fields


ROUTES: Routes = (
    (r"/play/tournaments/open\.json", open_tournaments),
    (rf"/play/tournaments/{TOURNAMENT}/{KEY}/join\.json", join, ANY),
)
