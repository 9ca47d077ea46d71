"""The page of a tournament, its feed, and what can be done there: join, start, leave and cancel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, Counter, newcomer
from capsule.accounts.pages.devices import link_path
from capsule.context import reading
from capsule.errors import NotFound, OutdatedAction
from capsule.games.event_addresses import turn_address
from capsule.social.pages.panel import SUBJECT
from capsule.tournaments import actions
from capsule.tournaments.crosstable import crosstable
from capsule.tournaments.feed import tournament_feed
from capsule.tournaments.queries import tournament_by_id
from capsule.tournaments.reading import find_tournament
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import ANY, FEED, KEY, TOURNAMENT
from capsule.ui.typed_words import CANCEL, LEAVE
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.accounts.pages.action import Attempt
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request, Response
    from capsule.tournaments.model import StoredTournament, Tournament
    from capsule.ui.routes import Routes
    from engine import Message


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
        account_key=visitor.account_key(context, SUBJECT),
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

ROUTES: Routes = (
    (_TOURNAMENT, show),
    (f"{_TOURNAMENT}/{FEED}", feed),
    (f"{_TOURNAMENT}/{KEY}/join", JOIN),
    (f"{_TOURNAMENT}/{KEY}/start", START),
    (f"{_TOURNAMENT}/{KEY}/leave", LEAVE_TOURNAMENT, ANY),
    (f"{_TOURNAMENT}/{KEY}/cancel", CANCEL_TOURNAMENT, ANY),
)
