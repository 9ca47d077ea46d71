"""Tournaments: their list, the page of each with its crosstable, announcing, joining, leaving."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capsule import answers, identity, keys, players, tournament_feed, tournament_terms, tournaments
from capsule.bot_games import LONGEST_TINC
from capsule.clock import DAYS_A_MOVE
from capsule.crosstable import crosstable
from capsule.game import OutdatedAction
from capsule.pages import feeds, moments
from capsule.pages.devices import link_path
from capsule.render import words
from capsule.standings import winners
from capsule.store.tournaments import ANNOUNCED, FINISHED, PLAYING
from capsule.terms import TermsRefused
from capsule.tournament_terms import DAYS_UNTIL_START, SEATS, TournamentTerms
from capsule.tournaments import LONGEST_TITLE, TournamentRefused
from capsule.typed import TextRefused, is_word
from engine import VARIANTS
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capsule.exchange import Request, Response
    from capsule.identity import Visitor
    from capsule.site import Site
    from capsule.store.tournaments import StoredTournament
    from capsule.tournament import Tournament

    Action = Callable[[Site, Visitor, Tournament, str | None], Response | None]

SUBJECT = "tournaments"
"""What the keys of announcements are for."""

SECTIONS = (ANNOUNCED, PLAYING, FINISHED)
"""The lists of tournaments, by status."""

HERE = "/play/tournaments/"

A_LIST = 20
"""Tournaments of a list on one page."""

_PLACE = re.compile(rf"({'|'.join(SECTIONS)})-({moments.MOMENT})-([a-z2-7]{{10}})")


def every(site: Site, request: Request) -> Response:
    """Return the lists of tournaments: open to join, being played, finished; first one's own.

    The query is a place in one of the lists, from a link of such a page, and that list alone is
    shown from there on. Any other query counts as none.
    """
    visitor = identity.visitor_of(site, request)
    place = _PLACE.fullmatch(request.query or "")
    if place is None:
        lists = {status: tournaments.of_status(site, status, A_LIST + 1) for status in SECTIONS}
    else:
        status, time, tournament_id = place.groups()
        before = (moments.read(time), tournament_id)
        lists = {status: tournaments.of_status(site, status, A_LIST + 1, before)}
    own = tournaments.of_player(site, visitor.player) if visitor.player and not place else ()
    shown = [each for found in (own, *lists.values()) for each in found]
    return answers.page(
        visitor.reader,
        "tournaments.gmi",
        visitor=visitor,
        variants=VARIANTS,
        own=own,
        lists={status: found[:A_LIST] for status, found in lists.items()},
        older={
            status: _place_of(found[A_LIST - 1])
            for status, found in lists.items()
            if len(found) > A_LIST
        },
        taken=tournaments.count_taken(site, shown),
        is_whole=place is None,
    )


def _place_of(tournament: StoredTournament) -> str:
    return f"{tournament.status}-{moments.written(tournament.created_at)}-{tournament.id}"


def as_it_stands(site: Site, request: Request, tournament_id: str) -> Response:
    """Return the page of a tournament, for anyone: who takes part, who stands where, its games."""
    visitor = identity.visitor_of(site, request)
    tournament = _found(site, tournament_id)
    player = visitor.player
    table = tournament.standings if tournament.games else ()
    return answers.page(
        visitor.reader,
        "tournament.gmi",
        visitor=visitor,
        link=link_path(site, visitor),
        key=_key(site, visitor, tournament),
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
        longest_tinc=LONGEST_TINC,
        may_join=tournament.may_join(player),
        may_leave=tournament.may_leave(player),
        may_cancel=tournament.may_cancel(player),
        seat=tournament.seat_of(player),
    )


def feed(site: Site, request: Request, tournament_id: str, form: str | None) -> Response:
    """Return the feed of a tournament: its announcement, start, results and end."""
    made = tournament_feed.of_tournament(_found(site, tournament_id))
    return feeds.written(site, request, made, form, f"{HERE}{tournament_id}")


def new(site: Site, request: Request) -> Response:
    """Return the page on which the terms of a tournament are chosen.

    The terms stand in the addresses of the page alone: nothing is kept until it is announced. Terms
    that cannot be read are as if they were not there.
    """
    visitor = identity.signed_in(site, request)
    try:
        chosen = tournament_terms.read(request.query)
    except TermsRefused:
        chosen = TournamentTerms()
    return answers.page(
        visitor.reader,
        "new_tournament.gmi",
        link=link_path(site, visitor),
        key=visitor.account_key(site, SUBJECT),
        terms=chosen,
        title=_usual_title(site, visitor, chosen),
        variants=VARIANTS,
        others={
            "variant": _changed(chosen, "variant", VARIANTS),
            "days": _changed(chosen, "days", DAYS_A_MOVE),
            "seats": _changed(chosen, "seats", SEATS),
            "starts": _changed(chosen, "starts", (*DAYS_UNTIL_START, None)),
            "rated": _changed(chosen, "rated", (True, False)),
            "bots": _changed(chosen, "bots", (None, *LEVELS)) if chosen.starts else {},
        },
    )


def _usual_title(site: Site, visitor: Visitor, chosen: TournamentTerms) -> str:
    game = VARIANTS[chosen.variant].name
    player = visitor.player
    name = player.name if player else players.naming(site, identity.certificate_of(visitor)).name
    if name is None:
        return words(message("A tournament of {game}", game=game))
    return words(message("{name}'s {game}", name=name, game=game.lower()))


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


def announce(site: Site, request: Request, key: str, written: str | None) -> Response:
    """Ask for the tournament's name; with one, announce it and go to its page.

    The terms are in the path, since the query is what is typed.
    """
    visitor = identity.signed_in(site, request)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on(f"{HERE}new")
    ask = message("The tournament's name, at most {longest} characters:", longest=LONGEST_TITLE)
    try:
        chosen = tournament_terms.read(written)
        if not request.query:
            return answers.question(ask)
        # Asked first: a name that is not fit makes nobody a player.
        title = tournaments.title_of(request.query)
        player = identity.player_of(site, visitor)
        return answers.way_on(f"{HERE}{tournaments.announce(site, player, chosen, title)}")
    except TextRefused as error:
        return answers.question_again(error.message, ask)
    except TournamentRefused as error:
        return _refused(visitor, error, f"{HERE}new")
    except (OutdatedAction, TermsRefused):
        return answers.way_on(f"{HERE}new")


def act(site: Site, request: Request, tournament_id: str, key: str, verb: str) -> Response:
    """Join, leave or cancel a tournament, and go to its page.

    A key that does not fit, of an old page or a planted link, changes nothing.
    """
    visitor = identity.signed_in(site, request)
    tournament = _found(site, tournament_id)
    here = f"{HERE}{tournament_id}"
    if not keys.fits(key, _key(site, visitor, tournament)):
        return answers.way_on(here)
    try:
        answer = VERBS[verb](site, visitor, tournament, request.query)
    except TournamentRefused as error:
        return _refused(visitor, error, here)
    except OutdatedAction:
        return answers.way_on(here)
    return answer or answers.way_on(here)


def _join(site: Site, visitor: Visitor, tournament: Tournament, _typed: str | None) -> None:
    # Asked first, so that nobody becomes a player by a seat that they cannot have.
    if not tournament.may_join(visitor.player):
        raise OutdatedAction
    player = identity.player_of(site, visitor)
    tournaments.join(site, player, tournament.stored.id, tournament.stored.changes)


def _leave(
    site: Site, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_leave(visitor.player):
        raise OutdatedAction
    if not is_word(typed, "leave"):
        if tournament.stored.status == ANNOUNCED:
            return answers.question(message("Type leave to give up your seat:"))
        return answers.question(
            message("Type leave to leave for good and lose all your games that go on:")
        )
    which = tournament.stored.id, tournament.stored.changes
    tournaments.leave(site, visitor.player, *which)
    return None


def _cancel(
    site: Site, visitor: Visitor, tournament: Tournament, typed: str | None
) -> Response | None:
    if visitor.player is None or not tournament.may_cancel(visitor.player):
        raise OutdatedAction
    if not is_word(typed, "cancel"):
        return answers.question(message("Type cancel to call the tournament off:"))
    which = tournament.stored.id, tournament.stored.changes
    tournaments.cancel(site, visitor.player, *which)
    return None


VERBS: Mapping[str, Action] = {"join": _join, "leave": _leave, "cancel": _cancel}
"""What a player can do with a tournament, by the last part of the URL."""


def _refused(visitor: Visitor, error: TournamentRefused, back: str) -> Response:
    return answers.page(visitor.reader, "not_joined.gmi", reason=error.message, back=back)


def _found(site: Site, tournament_id: str) -> Tournament:
    tournament = tournaments.look_at(site, tournament_id)
    if tournament is None:
        raise answers.NotThere
    return tournament


def _key(site: Site, visitor: Visitor, tournament: Tournament) -> str:
    stored = tournament.stored
    return visitor.key(site, f"tournament {stored.id}", stored.changes)
