"""Tournaments: their list, the page of each with its crosstable, announcing, joining, leaving."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capsule import errors
from capsule.accounts import action_keys, identity, players
from capsule.accounts.pages.devices import link_path
from capsule.bots.turns import MAX_TOURNAMENT_PLIES
from capsule.errors import OutdatedAction
from capsule.games.clock import DAYS_PER_MOVE
from capsule.lobby import feed_pages
from capsule.tournaments import actions as tournament_actions
from capsule.tournaments import feed as tournament_feed
from capsule.tournaments import terms as tournament_terms
from capsule.tournaments.actions import MAX_TITLE_LENGTH, TournamentRefused
from capsule.tournaments.crosstable import crosstable
from capsule.tournaments.queries import ANNOUNCED, FINISHED, PLAYING
from capsule.tournaments.standings import winners
from capsule.tournaments.terms import DAYS_UNTIL_START, SEATS, TournamentTerms
from capsule.ui import paging, responses
from capsule.ui.query_terms import TermsRefused
from capsule.ui.render import translate
from capsule.ui.routes import FEED, KEY, TOURNAMENT, one_of
from capsule.ui.user_text import TextRefused, is_confirmed
from engine import VARIANTS
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.tournaments.model import Tournament
    from capsule.tournaments.queries import StoredTournament
    from capsule.ui.routes import Routes

    Action = Callable[[AppContext, Visitor, Tournament, str | None], Response | None]


SUBJECT = "tournaments"
"""What the keys of announcements are for."""

SECTIONS = (ANNOUNCED, PLAYING, FINISHED)
"""The lists of tournaments, by status."""

HERE = "/play/tournaments/"

PAGE_SIZE = 20
"""Tournaments of a list on one page."""

_PLACE = re.compile(rf"({'|'.join(SECTIONS)})-({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})")


def every(context: AppContext, request: Request) -> Response:
    """Return the lists of tournaments: open to join, being played, finished; first one's own.

    The query is a place in one of the lists, from a link of such a page, and that list alone is
    shown from there on. Any other query counts as none.
    """
    visitor = identity.visitor_of(context, request)
    place = _PLACE.fullmatch(request.query or "")
    if place is None:
        lists = {
            status: tournament_actions.of_status(context, status, PAGE_SIZE + 1)
            for status in SECTIONS
        }
    else:
        status, time, tournament_id = place.groups()
        before = (paging.decode_moment(time), tournament_id)
        lists = {status: tournament_actions.of_status(context, status, PAGE_SIZE + 1, before)}
    own = (
        tournament_actions.of_player(context, visitor.player)
        if visitor.player and not place
        else ()
    )
    shown = [each for found in (own, *lists.values()) for each in found]
    return responses.page(
        visitor.reader,
        "tournaments/tournaments.gmi",
        visitor=visitor,
        variants=VARIANTS,
        own=own,
        lists={status: found[:PAGE_SIZE] for status, found in lists.items()},
        older={
            status: _place_of(found[PAGE_SIZE - 1])
            for status, found in lists.items()
            if len(found) > PAGE_SIZE
        },
        taken=tournament_actions.count_taken(context, shown),
        is_whole=place is None,
    )


def _place_of(tournament: StoredTournament) -> str:
    return f"{tournament.status}-{paging.encode_moment(tournament.created_at)}-{tournament.id}"


def show(context: AppContext, request: Request, tournament_id: str) -> Response:
    """Return the page of a tournament, for anyone: who takes part, who stands where, its games."""
    visitor = identity.visitor_of(context, request)
    tournament = _found(context, tournament_id)
    player = visitor.player
    table = tournament.standings if tournament.games else ()
    return responses.page(
        visitor.reader,
        "tournaments/tournament.gmi",
        visitor=visitor,
        link=link_path(context, visitor),
        key=_key(context, visitor, tournament),
        tournament=tournament,
        stored=tournament.stored,
        variant=tournament.variant,
        variants=VARIANTS,
        reason=tournament.cancelled_for and tournament.cancelled_for.name,
        table=table,
        drawing=table and crosstable(table, tournament.results, tournament.names),
        left=[seat for seat in tournament.seats if seat.left_at is not None],
        winners=[tournament.names[each.seat] for each in winners(table)],
        yours=tournament.running_games_of(player),
        longest_tinc=MAX_TOURNAMENT_PLIES,
        may_join=tournament.may_join(player),
        may_leave=tournament.may_leave(player),
        may_cancel=tournament.may_cancel(player),
        seat=tournament.seat_of(player),
    )


def feed(context: AppContext, request: Request, tournament_id: str, form: str | None) -> Response:
    """Return the feed of a tournament: its announcement, start, results and end."""
    made = tournament_feed.of_tournament(_found(context, tournament_id))
    return feed_pages.written(context, request, made, form, f"{HERE}{tournament_id}")


def new(context: AppContext, request: Request) -> Response:
    """Return the page on which the terms of a tournament are chosen.

    The terms stand in the addresses of the page alone: nothing is kept until it is announced. Terms
    that cannot be read are as if they were not there.
    """
    visitor = identity.signed_in(context, request)
    try:
        chosen = tournament_terms.read(request.query)
    except TermsRefused:
        chosen = TournamentTerms()
    return responses.page(
        visitor.reader,
        "tournaments/new_tournament.gmi",
        link=link_path(context, visitor),
        key=visitor.account_key(context, SUBJECT),
        terms=chosen,
        title=_usual_title(context, visitor, chosen),
        variants=VARIANTS,
        others={
            "variant": _changed(chosen, "variant", VARIANTS),
            "days": _changed(chosen, "days", DAYS_PER_MOVE),
            "seats": _changed(chosen, "seats", SEATS),
            "starts": _changed(chosen, "starts", (*DAYS_UNTIL_START, None)),
            "rated": _changed(chosen, "rated", (True, False)),
            "bots": _changed(chosen, "bots", (None, *LEVELS)) if chosen.starts else {},
        },
    )


def _usual_title(context: AppContext, visitor: Visitor, chosen: TournamentTerms) -> str:
    game = VARIANTS[chosen.variant].name
    player = visitor.player
    name = player.name if player else players.naming(context, identity.certificate_of(visitor)).name
    if name is None:
        return translate(message("A tournament of {game}", game=game))
    return translate(message("{name}'s {game}", name=name, game=game.lower()))


def _changed(
    chosen: TournamentTerms, name: str, values: Sequence[object] | Mapping[str, object]
) -> Mapping[object, str]:
    """Return the queries of the terms with another value of one of them, by that value."""
    queries = {}
    for value in values:
        changes: dict[str, Any] = {name: value}
        if name == "starts" and value is None:
            # There is no day then on which bots could come.
            changes |= {"bots": None}
        if value != getattr(chosen, name):
            query = replace(chosen, **changes).query
            queries[value] = f"?{query}" if query else ""
    return queries


def announce(context: AppContext, request: Request, key: str, written: str | None) -> Response:
    """Ask for the tournament's name; with one, announce it and go to its page.

    The terms are in the path, since the query is what is typed.
    """
    visitor = identity.signed_in(context, request)
    if not visitor.may_act(context, SUBJECT, key):
        return responses.redirect(f"{HERE}new")
    ask = message("The tournament's name, at most {longest} characters:", longest=MAX_TITLE_LENGTH)
    try:
        chosen = tournament_terms.read(written)
        if not request.query:
            return responses.prompt(ask)
        # Asked first: a name that is not fit makes nobody a player.
        title = tournament_actions.title_of(request.query)
        player = identity.player_of(context, visitor)
        return responses.redirect(
            f"{HERE}{tournament_actions.announce(context, player, chosen, title)}"
        )
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except TournamentRefused as error:
        return _refused(visitor, error, f"{HERE}new")
    except (OutdatedAction, TermsRefused):
        return responses.redirect(f"{HERE}new")


def act(context: AppContext, request: Request, tournament_id: str, key: str, verb: str) -> Response:
    """Join, leave or cancel a tournament, and go to its page.

    A key that does not fit, of an old page or a planted link, changes nothing.
    """
    visitor = identity.signed_in(context, request)
    tournament = _found(context, tournament_id)
    here = f"{HERE}{tournament_id}"
    if not action_keys.fits(key, _key(context, visitor, tournament)):
        return responses.redirect(here)
    try:
        answer = VERBS[verb](context, visitor, tournament, request.query)
    except TournamentRefused as error:
        return _refused(visitor, error, here)
    except OutdatedAction:
        return responses.redirect(here)
    return answer or responses.redirect(here)


def _join(
    context: AppContext, visitor: Visitor, tournament: Tournament, _typed: str | None
) -> None:
    # Asked first, so that nobody becomes a player by a seat that they cannot have.
    if not tournament.may_join(visitor.player):
        raise OutdatedAction
    player = identity.player_of(context, visitor)
    tournament_actions.join(context, player, tournament.stored.id, tournament.stored.changes)


def _leave(
    context: AppContext, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_leave(visitor.player):
        raise OutdatedAction
    if not is_confirmed(typed, "leave"):
        if tournament.stored.status == ANNOUNCED:
            return responses.prompt(message("Type leave to give up your seat:"))
        return responses.prompt(
            message("Type leave to leave for good and lose all your games that go on:")
        )
    which = tournament.stored.id, tournament.stored.changes
    tournament_actions.leave(context, visitor.player, *which)
    return None


def _cancel(
    context: AppContext, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_cancel(visitor.player):
        raise OutdatedAction
    if not is_confirmed(typed, "cancel"):
        return responses.prompt(message("Type cancel to call the tournament off:"))
    which = tournament.stored.id, tournament.stored.changes
    tournament_actions.cancel(context, visitor.player, *which)
    return None


VERBS: Mapping[str, Action] = {"join": _join, "leave": _leave, "cancel": _cancel}
"""What a player can do with a tournament, by the last part of the URL."""


def _refused(visitor: Visitor, error: TournamentRefused, back: str) -> Response:
    return responses.page(
        visitor.reader, "tournaments/not_joined.gmi", reason=error.message, back=back
    )


def _found(context: AppContext, tournament_id: str) -> Tournament:
    tournament = tournament_actions.find_tournament(context, tournament_id)
    if tournament is None:
        raise errors.NotFound
    return tournament


def _key(context: AppContext, visitor: Visitor, tournament: Tournament) -> str:
    stored = tournament.stored
    return visitor.key(context, f"tournament {stored.id}", stored.changes)


ROUTES: Routes = (
    ("/play/tournaments/", every),
    ("/play/tournaments/new", new),
    (f"/play/tournaments/{TOURNAMENT}", show),
    (f"/play/tournaments/{TOURNAMENT}/{FEED}", feed),
    (f"/play/tournaments/{TOURNAMENT}/{KEY}/{one_of('verb', VERBS)}", act),
    (f"/play/tournaments/{KEY}/(?:(?P<written>[^/]+)/)?announce", announce),
)
