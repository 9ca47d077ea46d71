"""Pages of moderation: reporting, and acknowledging the operator's notices."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from capsule.accounts.identity import AREA
from capsule.accounts.model import Player
from capsule.accounts.pages.action import NOTHING_SENT, Action, ActionsOf, Attempt
from capsule.accounts.queries import player_by_name
from capsule.context import Transaction
from capsule.db.schema.social import operator_actions, reports as report_table
from capsule.errors import NotFound, OutdatedAction
from capsule.feature import Feature
from capsule.gemini.types import Response
from capsule.moderation import queries
from capsule.moderation.model import ReportedEvent
from capsule.social import line_queries, lines
from capsule.social.model import Person
from capsule.social.pages import messages as message_pages, notes
from capsule.social.rate_limit import RateLimit
from capsule.tournaments.queries import load_tournament, tournament_by_id
from capsule.ui import responses, user_text
from capsule.ui.routes import ANY, GAME, KEY, PLAYER, TOURNAMENT, Routes, named
from engine import Message, message

DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can make {count} reports a day. Try again on {when}")
)
"""Reports that a player may make."""


def _reporting(
    name: str,
    back: Callable[[Attempt], str],
    event: Callable[[Attempt], ReportedEvent],
    reported: Callable[[Transaction, Attempt], Person | Player | None],
) -> Action:
    """Return the action that asks for a report on what is at an address, and stores it."""

    def other_player(transaction: Transaction, attempt: Attempt) -> Person | Player:
        found = reported(transaction, attempt)
        if found is None or found.id == attempt.player.id:
            raise OutdatedAction
        return found

    def asks(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
        name = other_player(transaction, attempt).name
        return user_text.ROOM_FOR_TEXT, _question(event(attempt), name)

    def does(transaction: Transaction, attempt: Attempt) -> Response:
        player, found = attempt.player, other_player(transaction, attempt)
        line = user_text.clean_line(attempt.text)
        DAILY_LIMIT.require(transaction, player, queries.times_by(player.id))
        queries.add_report(
            transaction.connection,
            event(attempt),
            reporter_id=player.id,
            reported_id=found.id,
            text=line,
            made_at=transaction.now,
        )
        return responses.page(
            player.settings,
            "moderation/reported.gmi",
            name=found.name,
            event=event(attempt),
            back=back(attempt),
        )

    return message_pages.people_action(
        name=name, back=back, asks=asks, does=does, notice=NOTHING_SENT, is_remembered=True
    )


def _question(event: ReportedEvent, name: str) -> Message:
    if event.comment_id:
        return message("What should the operator know about this comment by {name}?", name=name)
    if event.annotation_number:
        return message("What should the operator know about the notes of {name}?", name=name)
    if event.tournament_id:
        return message("What should the operator know about the name of this tournament?")
    return message("What should the operator know about {name}?", name=name)


def _announcer(transaction: Transaction, attempt: Attempt) -> Person | None:
    stored = tournament_by_id(transaction.connection, attempt["tournament_id"])
    if stored is None:
        raise NotFound
    tournament = load_tournament(transaction, stored)
    if stored.announced_by is None or not tournament.may_report(attempt.player):
        return None
    return Person(stored.announced_by, stored.announcer)


REPORT_OPPONENT = _reporting(
    "report_opponent",
    message_pages.game_path,
    lambda attempt: ReportedEvent(game_id=attempt["game_id"]),
    message_pages.opponent_in,
)

REPORT_COMMENT = _reporting(
    "report_comment",
    lambda attempt: message_pages.comments_path(attempt["game_id"]),
    lambda attempt: ReportedEvent(game_id=attempt["game_id"], comment_id=int(attempt["number"])),
    lambda transaction, attempt: lines.comment_author(
        transaction, attempt["game_id"], int(attempt["number"])
    ),
)

REPORT_NOTES = _reporting(
    "report_notes",
    lambda attempt: notes.notes_path(attempt["game_id"]),
    lambda attempt: ReportedEvent(
        game_id=attempt["game_id"], annotation_number=int(attempt["number"])
    ),
    lambda transaction, attempt: line_queries.authors_of(
        transaction.connection, attempt["game_id"]
    ).get(int(attempt["number"])),
)

REPORT_TITLE = _reporting(
    "report_title",
    lambda attempt: f"/play/tournaments/{attempt['tournament_id']}",
    lambda attempt: ReportedEvent(tournament_id=attempt["tournament_id"]),
    _announcer,
)

REPORT_PROFILE = _reporting(
    "report_profile",
    lambda attempt: f"/play/players/{attempt['name']}",
    lambda _: ReportedEvent(),
    lambda transaction, attempt: player_by_name(transaction.connection, attempt["name"]),
)


SUBJECT = "notices"
"""The subject of the keys of these actions."""


ACKNOWLEDGE = Action(
    name="acknowledge",
    counter=ActionsOf(SUBJECT),
    back=AREA,
    does=lambda transaction, attempt: queries.clear_notices(
        transaction.connection, attempt.player.id
    ),
)

_NUMBER = f"(?P<number>{message_pages.LINE_NUMBER})"

ROUTES: Routes = (
    *named(
        "moderation.pages.reports",
        (
            (f"/play/{GAME}/{KEY}/report", REPORT_OPPONENT, ANY),
            (f"/play/{GAME}/{KEY}/report-comment/{_NUMBER}", REPORT_COMMENT, ANY),
            (f"/play/{GAME}/{KEY}/report-notes/{_NUMBER}", REPORT_NOTES, ANY),
            (f"/play/tournaments/{TOURNAMENT}/{KEY}/report", REPORT_TITLE, ANY),
            (f"/play/players/{PLAYER}/{KEY}/report", REPORT_PROFILE, ANY),
        ),
    ),
    *named("moderation.pages.notices", ((f"/play/me/{KEY}/heard", ACKNOWLEDGE),)),
)

FEATURE = Feature(ROUTES, (operator_actions, report_table))
