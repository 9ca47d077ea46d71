"""The lists of tournaments: those to join, those being played, and those that have finished."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.tournaments.model import TournamentStatus
from capsule.tournaments.queries import tournaments_of_player, tournaments_of_status
from capsule.tournaments.reading import count_players
from capsule.ui import paging, responses

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.tournaments.model import StoredTournament
    from capsule.ui.routes import Routes


PAGE_SIZE = 20
"""The number of tournaments of a list on one page."""

LISTED = (TournamentStatus.ANNOUNCED, TournamentStatus.PLAYING, TournamentStatus.FINISHED)
"""The statuses that have a list; cancelled tournaments have none."""

_PLACE = re.compile(rf"({'|'.join(LISTED)})-({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})")


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament in a list, and how many players it has."""

    tournament: StoredTournament
    players: int


@dataclass(frozen=True, slots=True)
class TournamentList:
    """The tournaments of one status, newest first, without those that the page lists as yours.

    `older` is the query of the page on which the list continues, None at its end.
    """

    status: TournamentStatus
    listed: Sequence[ListedTournament]
    older: str | None


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
        yours=[ListedTournament(each, players[each.id]) for each in yours],
        lists=[
            _list_of(status, tournaments, players, your_ids)
            for status, tournaments in found.items()
        ],
        is_first=place is None,
        is_signed_in=visitor.certificate is not None,
    )


def _list_of(
    status: TournamentStatus,
    found: Sequence[StoredTournament],
    players: Mapping[str, int],
    your_ids: Collection[str],
) -> TournamentList:
    """Return a list of tournaments; `found` has one more than a page if the list continues."""
    shown = found[:PAGE_SIZE]
    return TournamentList(
        status,
        [ListedTournament(each, players[each.id]) for each in shown if each.id not in your_ids],
        older=_place_of(shown[-1]) if len(found) > PAGE_SIZE else None,
    )


def _place_of(tournament: StoredTournament) -> str:
    return f"{tournament.status}-{paging.encode_moment(tournament.created_at)}-{tournament.id}"


ROUTES: Routes = (("/play/tournaments/", lists, _PLACE.pattern),)
