"""The page of a tournament, its feed, and what can be done there: join, start, leave and cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import action_keys, identity
from capsule.accounts.pages import outdated
from capsule.accounts.pages.devices import link_path
from capsule.errors import NotFound, OutdatedAction
from capsule.games.event_addresses import turn_address
from capsule.social.pages.panel import SUBJECT
from capsule.tournaments import actions
from capsule.tournaments.actions import TournamentRefused
from capsule.tournaments.crosstable import crosstable
from capsule.tournaments.feed import tournament_feed
from capsule.tournaments.reading import find_tournament
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import ANY, FEED, KEY, TOURNAMENT, one_of
from capsule.ui.typed_words import CANCEL, LEAVE, is_typed, naming
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.tournaments.model import Tournament
    from capsule.ui.routes import Routes

    Action = Callable[[AppContext, Visitor, Tournament, str | None], Response | None]


def show(context: AppContext, request: Request, tournament_id: str) -> Response:
    """Return the page of a tournament, for anyone: its players, its standings and its games."""
    visitor = identity.visitor_of(context, request)
    tournament = _find(context, tournament_id)
    standings, columns = tournament.standings, visitor.preferences.columns
    table = crosstable(standings, tournament.results, tournament.names, columns)
    return responses.page(
        visitor.preferences,
        "tournaments/tournament.gmi",
        tournament=tournament,
        stored=tournament.stored,
        visitor=visitor,
        key=tournament_key(context, visitor, tournament),
        account_key=visitor.account_key(context, SUBJECT),
        link=link_path(context, visitor),
        table=table,
        turn_address=turn_address,
    )


def feed(context: AppContext, request: Request, tournament_id: str, form: str | None) -> Response:
    """Return the feed of a tournament, as Atom if `form` is ".xml", else as a page."""
    preferences = identity.preferences_of(context, request)
    found = tournament_feed(_find(context, tournament_id))
    return feed_response(preferences, found, form, context.origin, context.upgraded_at)


def act(context: AppContext, request: Request, tournament_id: str, key: str, verb: str) -> Response:
    """Join, start, leave or cancel a tournament, and go to its page.

    A key that does not fit, of an old page or a planted link, changes nothing.
    """
    visitor = identity.signed_in(context, request)
    tournament = _find(context, tournament_id)
    path = tournament.stored.path
    try:
        _require_key(context, visitor, tournament, key)
        answer = VERBS[verb](context, visitor, tournament, request.query)
    except TournamentRefused as error:
        return refusal(visitor, error, path)
    except OutdatedAction:
        # As it is now: it may have been changed since it was read.
        if IS_DONE[verb](_find(context, tournament_id), visitor.player):
            return responses.redirect(path)
        return outdated.page_below(path, outdated.NOTHING_CHANGED)
    return answer or responses.redirect(path)


def refusal(
    visitor: Visitor, error: TournamentRefused, back: str, typed: str | None = None
) -> Response:
    """Return the page that says why somebody cannot announce or join a tournament.

    The title that they `typed` with a key of their own is shown again.
    """
    return responses.refusal(
        visitor.preferences, "tournaments/not_possible.gmi", error, back, typed
    )


def _join(
    context: AppContext, visitor: Visitor, tournament: Tournament, _typed: str | None
) -> None:
    # Asked before the certificate becomes a player's: nobody is made a player without a seat.
    if not tournament.may_join(visitor.player):
        raise OutdatedAction
    player = identity.player_of(context, visitor)
    actions.join(context, player, tournament.stored.id, tournament.stored.changes)


def _start(
    context: AppContext, visitor: Visitor, tournament: Tournament, _typed: str | None
) -> None:
    if visitor.player is None:
        raise OutdatedAction
    actions.start_now(context, visitor.player, tournament.stored.id, tournament.stored.changes)


def _leave(
    context: AppContext, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_leave(visitor.player):
        raise OutdatedAction
    if not is_typed(typed, LEAVE):
        ask = message("Type {word} to leave for good. You lose all your games in progress")
        if tournament.stored.is_announced:
            ask = message("Type {word} to give up your seat")
        return responses.prompt(naming(ask, LEAVE))
    actions.leave(context, visitor.player, tournament.stored.id, tournament.stored.changes)
    return None


def _cancel(
    context: AppContext, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_cancel(visitor.player):
        raise OutdatedAction
    if not is_typed(typed, CANCEL):
        return responses.prompt(naming(message("Type {word} to call the tournament off"), CANCEL))
    actions.cancel(context, visitor.player, tournament.stored.id, tournament.stored.changes)
    return None


VERBS: Mapping[str, Action] = {
    "join": _join,
    "start": _start,
    "leave": _leave,
    "cancel": _cancel,
}
"""The actions on a tournament, by the last part of their address."""

IS_DONE: Mapping[str, Callable[[Tournament, Player | None], bool]] = {
    "join": lambda tournament, player: tournament.seat_of(player) is not None,
    "start": lambda tournament, _: tournament.stored.has_started,
    "leave": lambda tournament, player: tournament.seat_of(player) is None,
    "cancel": lambda tournament, _: tournament.stored.is_cancelled,
}
"""Whether a tournament is as each action would leave it."""


def _find(context: AppContext, tournament_id: str) -> Tournament:
    tournament = find_tournament(context, tournament_id)
    if tournament is None:
        raise NotFound
    return tournament


def _require_key(context: AppContext, visitor: Visitor, tournament: Tournament, key: str) -> None:
    if not action_keys.fits(key, tournament_key(context, visitor, tournament)):
        raise OutdatedAction


def tournament_key(context: AppContext, visitor: Visitor, tournament: Tournament) -> str:
    """Return the visitor's key to act on a tournament as it is now."""
    stored = tournament.stored
    return visitor.key(context, f"tournament {stored.id}", stored.changes)


ROUTES: Routes = (
    (f"/play/tournaments/{TOURNAMENT}", show),
    (f"/play/tournaments/{TOURNAMENT}/{FEED}", feed),
    (f"/play/tournaments/{TOURNAMENT}/{KEY}/{one_of('verb', VERBS)}", act, ANY),
)
