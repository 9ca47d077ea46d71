"""Reporting to the operator: the opponent of a game, and the title of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import NotFound, OutdatedAction
from capsule.moderation import reports
from capsule.moderation.model import ReportedEvent
from capsule.social import panel as social_panel
from capsule.social.model import Person
from capsule.social.pages.panel import SUBJECT, visitor_and_game
from capsule.tournaments.reading import find_tournament
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, TOURNAMENT
from capsule.ui.user_text import ROOM_FOR_TEXT, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


def report_opponent(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask what happened in a game; with an answer, report the opponent and say so."""
    visitor, game = visitor_and_game(context, request, game_id)
    opponent = social_panel.opponent_of(game, visitor.player)
    if opponent is None or not opponent.name or not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"/play/{game_id}")
    return _report(context, request, visitor, opponent, ReportedEvent(game_id=game_id))


def report_title(context: AppContext, request: Request, tournament_id: str, key: str) -> Response:
    """Ask what is wrong with a tournament; with an answer, report its announcer and say so."""
    visitor = identity.signed_in(context, request)
    tournament = find_tournament(context, tournament_id)
    if tournament is None:
        raise NotFound
    stored = tournament.stored
    if not tournament.may_report(visitor.player) or not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(stored.path)
    announcer = Person(stored.announced_by, stored.announcer)
    event = ReportedEvent(tournament_id=tournament_id)
    return _report(context, request, visitor, announcer, event)


def _report(
    context: AppContext,
    request: Request,
    visitor: Visitor,
    reported: Person,
    event: ReportedEvent,
) -> Response:
    back = f"/play/{event.game_id or f'tournaments/{event.tournament_id}'}"
    if visitor.player is None:
        return responses.redirect(back)
    ask = (
        message("What should the operator know about {name}?", name=reported.name)
        if event.game_id
        else message("What should the operator know about the name of this tournament?")
    )
    if not request.query:
        return responses.prompt(ROOM_FOR_TEXT, ask)
    try:
        reports.report(context, visitor.player, reported.id, event, request.query)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return responses.redirect(back)
    return responses.page(
        visitor.preferences, "moderation/reported.gmi", name=reported.name, event=event, back=back
    )


ROUTES: Routes = (
    (f"/play/{GAME}/{KEY}/report", report_opponent, ANY),
    (f"/play/tournaments/{TOURNAMENT}/{KEY}/report", report_title, ANY),
)
