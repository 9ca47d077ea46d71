"""The page of a tournament, its feed, and what can be done there: join, start, leave and cancel."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.pages.account import link_path
from capsule.accounts.pages.action import Action, Attempt, Counter, newcomer
from capsule.context import AppContext, Transaction, reading
from capsule.errors import NotFound, OutdatedAction
from capsule.games.feed_entries import turn_address
from capsule.gemini.types import Request, Response
from capsule.social.pages.panel import PEOPLE_SUBJECT
from capsule.tournaments import actions
from capsule.tournaments.feed import tournament_feed
from capsule.tournaments.model import StoredTournament, Tournament, TournamentStatus
from capsule.tournaments.queries import (
    tournament_by_id,
    tournaments_of_player,
    tournaments_of_status,
)
from capsule.tournaments.reading import count_players, find_tournament
from capsule.tournaments.standings import crosstable
from capsule.ui import paging, responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import ANY, FEED, KEY, TOURNAMENT, Routes, named
from capsule.ui.typed_words import CANCEL, LEAVE
from engine import Message
from engine.game import message


@reading
def show(transaction: Transaction, request: Request, tournament_id: str) -> Response:
    """Return the page of a tournament, for anyone: its players, its standings and its games."""
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    tournament = _find(transaction, tournament_id)
    standings, columns = tournament.standings, visitor.preferences.columns
    table = crosstable(standings, tournament.results, tournament.names, columns)
    return responses.page(
        visitor.preferences,
        "tournaments/tournament.gmi",
        tournament=tournament,
        stored=tournament.stored,
        visitor=visitor,
        key=tournament_key(context, visitor, tournament.stored),
        account_key=visitor.account_key(context, PEOPLE_SUBJECT),
        link=link_path(context, visitor),
        table=table,
        turn_address=turn_address,
    )


@reading
def feed(
    transaction: Transaction, request: Request, tournament_id: str, form: str | None
) -> Response:
    """Return the feed of a tournament, as Atom if `form` is ".xml", else as a page."""
    preferences, context = (
        identity.visitor_of(transaction, request).preferences,
        transaction.context,
    )
    found = tournament_feed(_find(transaction, tournament_id))
    return feed_response(preferences, found, form, context.origin, context.upgraded_at)


def tournament_key(context: AppContext, visitor: Visitor, stored: StoredTournament) -> str:
    """Return the visitor's key to act on a tournament as it is now."""
    return visitor.key(context, _subject(stored.id), stored.changes)


@dataclass(frozen=True)
class _ChangesOfTournament(Counter):
    """The count of a tournament's changes, which each action on it raises."""

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return _subject(attempt["tournament_id"])

    def count(self, transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the count of changes; raises `NotFound` if there is no such tournament."""
        found = tournament_by_id(
            transaction.connection, attempt["tournament_id"], to_change=transaction.is_writing
        )
        if found is None:
            raise NotFound
        return found.changes

    def last_counts(self, _transaction: Transaction, _attempt: Attempt) -> Sequence[int]:
        """Return none: nothing is typed that could be quoted."""
        return ()

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing: each use case counts its change."""


def _find(transaction: Transaction, tournament_id: str) -> Tournament:
    tournament = find_tournament(transaction, tournament_id)
    if tournament is None:
        raise NotFound
    return tournament


def _subject(tournament_id: str) -> str:
    return f"tournament {tournament_id}"


def _ask_to_leave(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    tournament = _find(transaction, attempt["tournament_id"])
    if not tournament.may_leave(attempt.player):
        raise OutdatedAction
    if tournament.stored.is_announced:
        return [message("Type {word} to give up your seat")]
    return [message("Type {word} to leave for good. You lose all your games in progress")]


def _ask_to_cancel(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    if not _find(transaction, attempt["tournament_id"]).may_cancel(attempt.player):
        raise OutdatedAction
    return [message("Type {word} to call the tournament off")]


_action = partial(
    Action,
    counter=_ChangesOfTournament(),
    back=lambda attempt: f"/play/tournaments/{attempt['tournament_id']}",
)

JOIN = _action(
    name="join",
    does=lambda transaction, attempt: actions.join(
        transaction, attempt.player, attempt["tournament_id"]
    ),
    makes_player=newcomer,
)

START = _action(
    name="start",
    does=lambda transaction, attempt: actions.start_now(
        transaction, attempt.player, attempt["tournament_id"]
    ),
)

LEAVE_TOURNAMENT = _action(
    name="leave",
    asks=_ask_to_leave,
    word=LEAVE,
    does=lambda transaction, attempt: actions.leave(
        transaction, attempt.player, attempt["tournament_id"]
    ),
)

CANCEL_TOURNAMENT = _action(
    name="cancel",
    asks=_ask_to_cancel,
    word=CANCEL,
    does=lambda transaction, attempt: actions.cancel(
        transaction, attempt.player, attempt["tournament_id"]
    ),
)

_TOURNAMENT = f"/play/tournaments/{TOURNAMENT}"


PAGE_SIZE = 20
"""The number of tournaments of a list on one page."""

LISTED = (TournamentStatus.ANNOUNCED, TournamentStatus.PLAYING, TournamentStatus.FINISHED)
"""The statuses that have a list; cancelled tournaments have none."""

_PLACE = re.compile(rf"({'|'.join(LISTED)})-({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})")


@reading
def lists(transaction: Transaction, request: Request) -> Response:
    """Return the lists of tournaments, at the top those that the visitor takes part in.

    The query is a place in one of the lists, from a link of such a page; then the page has the rest
    of that list alone. Any other query counts as none.
    """
    connection, visitor = transaction.connection, identity.visitor_of(transaction, request)
    place = _PLACE.fullmatch(request.query or "")
    before = None if place is None else (paging.decode_moment(place[2]), place[3])
    found = {
        status: tournaments_of_status(connection, status, PAGE_SIZE + 1, before)
        for status in (LISTED if place is None else [TournamentStatus(place[1])])
    }
    yours = (
        tournaments_of_player(connection, visitor.player.id)
        if visitor.player and place is None
        else ()
    )
    players = count_players(
        connection, [each for shown in (yours, *found.values()) for each in shown]
    )
    your_ids = {tournament.id for tournament in yours}
    return responses.page(
        visitor.preferences,
        "tournaments/lists.gmi",
        yours=yours,
        players=players,
        # Those that are listed as the visitor's own are left out, and one more than a page has is
        # read.
        lists={
            status: [each for each in tournaments[:PAGE_SIZE] if each.id not in your_ids]
            for status, tournaments in found.items()
        },
        older={
            status: _place_of(tournaments[PAGE_SIZE - 1])
            for status, tournaments in found.items()
            if len(tournaments) > PAGE_SIZE
        },
        is_first=place is None,
        is_signed_in=visitor.certificate is not None,
    )


def _place_of(tournament: StoredTournament) -> str:
    return f"{tournament.status}-{paging.encode_moment(tournament.created_at)}-{tournament.id}"


ROUTES: Routes = (
    *(
        (_TOURNAMENT, show),
        (f"{_TOURNAMENT}/{FEED}", feed),
        (f"{_TOURNAMENT}/{KEY}/join", JOIN),
        (f"{_TOURNAMENT}/{KEY}/start", START),
        (f"{_TOURNAMENT}/{KEY}/leave", LEAVE_TOURNAMENT, ANY),
        (f"{_TOURNAMENT}/{KEY}/cancel", CANCEL_TOURNAMENT, ANY),
    ),
    *named("tournaments.pages.lists", (("/play/tournaments/", lists, _PLACE.pattern),)),
)
