"""Reporting to the operator: an opponent, what people write, and the titles of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.moderation import reports
from capsule.moderation.model import ReportedEvent
from capsule.social import annotating, comments
from capsule.social import panel as social_panel
from capsule.social.model import Person
from capsule.social.pages.annotations import notes_path
from capsule.social.pages.comments import comments_path
from capsule.social.pages.panel import LINE_NUMBER, SUBJECT, visitor_and_game
from capsule.tournaments.reading import find_tournament
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, PLAYER, TOURNAMENT
from capsule.ui.user_text import ROOM_FOR_TEXT, TextOverLimit, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message


def report_opponent(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask what happened in a game; with an answer, report the opponent and say so."""
    visitor, game = visitor_and_game(context, request, game_id)
    opponent = social_panel.opponent_of(game, visitor.player)
    reported = opponent if opponent is not None and opponent.name else None
    event = ReportedEvent(game_id=game_id)
    return _report(_Reporting(context, request, key, event, f"/play/{game_id}"), reported)


def report_comment(
    context: AppContext, request: Request, game_id: str, key: str, number: str
) -> Response:
    """Ask what is wrong with a comment; with an answer, report its author and say so."""
    visitor, _ = visitor_and_game(context, request, game_id)
    author = comments.author_of(context, game_id, int(number))
    is_own = author is not None and visitor.player is not None and author.id == visitor.player.id
    reported = None if is_own else author
    event = ReportedEvent(game_id=game_id, comment_id=int(number))
    return _report(_Reporting(context, request, key, event, comments_path(game_id)), reported)


def report_notes(
    context: AppContext, request: Request, game_id: str, key: str, number: str
) -> Response:
    """Ask what is wrong with published notes; with an answer, report their author and say so."""
    visitor, _ = visitor_and_game(context, request, game_id)
    author = annotating.author_of(context, game_id, int(number))
    is_own = author is not None and visitor.player is not None and author.id == visitor.player.id
    reported = None if is_own else author
    event = ReportedEvent(game_id=game_id, annotation_number=int(number))
    return _report(_Reporting(context, request, key, event, notes_path(game_id)), reported)


def report_title(context: AppContext, request: Request, tournament_id: str, key: str) -> Response:
    """Ask what is wrong with a tournament; with an answer, report its announcer and say so."""
    visitor = identity.signed_in(context, request)
    with context.reading() as transaction:
        tournament = find_tournament(transaction, tournament_id)
    if tournament is None:
        raise NotFound
    stored = tournament.stored
    reported = None
    if stored.announced_by is not None and tournament.may_report(visitor.player):
        reported = Person(stored.announced_by, stored.announcer)
    event = ReportedEvent(tournament_id=tournament_id)
    return _report(_Reporting(context, request, key, event, stored.path), reported)


def report_profile(context: AppContext, request: Request, name: str, key: str) -> Response:
    """Ask what is wrong with a player's page; with an answer, report the player and say so."""
    visitor = identity.signed_in(context, request)
    found = reports.person_called(context, name)
    if found is None:
        raise NotFound
    is_own = visitor.player is not None and visitor.player.id == found.id
    path = f"/play/players/{found.name}"
    reporting = _Reporting(context, request, key, ReportedEvent(), path)
    return _report(reporting, None if is_own else found)


@dataclass(frozen=True, slots=True)
class _Reporting:
    """A request to report what is at `path`: a game, a tournament or a player's page."""

    context: AppContext
    request: Request
    key: str
    event: ReportedEvent
    path: str

    def came_late(self, reported: Person | None) -> Response:
        """Return that page, which says that nothing was sent."""
        typed = self.request.query or ""
        return outdated.attempt(self.context, self.request, SUBJECT, self.key).answer(
            self.path,
            outdated.NOTHING_SENT,
            typed=typed,
            is_done=lambda player: (
                reported is not None
                and reports.is_last_report(self.context, player, reported.id, self.event, typed)
            ),
        )


def _report(reporting: _Reporting, reported: Person | None) -> Response:
    context, request, event = reporting.context, reporting.request, reporting.event
    if reported is None:
        return reporting.came_late(reported)
    ask = _question(event, reported.name)
    try:
        player = identity.acting_player(context, request, SUBJECT, reporting.key)
        if not request.query:
            return responses.prompt(ROOM_FOR_TEXT, ask)
        reports.report(context, player, reported.id, event, request.query)
    except TextOverLimit as error:
        refused = outdated.always(message("Nothing was sent. {reason}.", reason=error.message))
        return outdated.page_below(reporting.path, refused, request.query, is_own=True)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return reporting.came_late(reported)
    return responses.page(
        player.settings,
        "moderation/reported.gmi",
        name=reported.name,
        event=event,
        back=reporting.path,
    )


def _question(event: ReportedEvent, name: str) -> Message:
    if event.comment_id:
        return message("What should the operator know about this comment by {name}?", name=name)
    if event.annotation_number:
        return message("What should the operator know about the notes of {name}?", name=name)
    if event.tournament_id:
        return message("What should the operator know about the name of this tournament?")
    return message("What should the operator know about {name}?", name=name)


ROUTES: Routes = (
    (f"/play/{GAME}/{KEY}/report", report_opponent, ANY),
    (f"/play/{GAME}/{KEY}/report-comment/(?P<number>{LINE_NUMBER})", report_comment, ANY),
    (f"/play/{GAME}/{KEY}/report-notes/(?P<number>{LINE_NUMBER})", report_notes, ANY),
    (f"/play/tournaments/{TOURNAMENT}/{KEY}/report", report_title, ANY),
    (f"/play/players/{PLAYER}/{KEY}/report", report_profile, ANY),
)
