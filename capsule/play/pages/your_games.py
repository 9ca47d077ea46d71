"""The page where players sign in and find their games, those that need them first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import identity, players, sign_in
from capsule.accounts.pages.devices import expiry, link_path
from capsule.games import reading, vacations
from capsule.gemini.types import AccountOf, Freshness, GamesOf, Response
from capsule.moderation.pages.notices import notice_section
from capsule.play import challenges
from capsule.play.game_entries import (
    PLACE_PATTERN,
    Section,
    entry_of,
    place_in,
    query_of,
    slice_at,
    with_unique_labels,
)
from capsule.play.pages.vacation import SUBJECT as VACATION
from capsule.social import messages
from capsule.ui import responses
from capsule.ui.durations import same_words_for
from capsule.ui.render import translate
from capsule.ui.routes import cacheable
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.clock import Vacation
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Request
    from capsule.play.game_entries import GameEntry
    from capsule.social.model import IncomingMessage
    from capsule.ui.routes import Routes


MAX_AGE = timedelta(minutes=1)
"""The maximum age of the cached page, whatever else on it depends on the time."""


@cacheable
def your_games(context: AppContext, request: Request) -> Response:
    """Return the page of the player's games; given a page below as query, redirect there.

    The query may also be a place in the list of running games, from a link of such a page, on which
    the list continues. Any other query counts as none.

    Only this page asks for a certificate, so that a browser uses one for all of `/play/`.
    """
    try:
        visitor = identity.signed_in(context, request)
    except identity.CertificateMissing:
        return Response(
            60,
            translate(
                message(
                    "Choose or make a client certificate: it is the key to your games. "
                    "The page /help/ says how"
                )
            ),
        )
    goal = sign_in.goal_of(request.query)
    if goal is not None:
        return responses.redirect(goal)
    player = visitor.player
    if player is None:
        return responses.page(
            visitor.preferences,
            "play/welcome.gmi",
            naming=players.naming(context, identity.certificate_of(visitor)),
            name_key=visitor.account_key(context, "account"),
            link=link_path(context, visitor),
        )
    page = _read_page(context, player, request.query or "")
    response = responses.page(
        visitor.preferences,
        "play/your_games.gmi",
        page=page,
        ending=expiry(context, visitor),
        vacation_key=visitor.account_key(context, VACATION),
        notices=notice_section(context, visitor),
    )
    return replace(response, freshness=_freshness(context, page))


@dataclass(frozen=True, slots=True)
class YourGamesPage:
    """A player's games, those that need the player first, with messages and vacation.

    `entries` are the running games of this page in the order of their sections and deadlines, from
    the whole list, in which `count_waiting_for_you` wait for the player to move or to answer an
    offer. `earlier` and `later` are the queries of the pages on which the list continues, None
    if it does not. The first page also has the last games to end and the messages. `challenged`
    has the names of the players for whom seats are kept, by game id.
    """

    player: Player
    entries: Sequence[GameEntry]
    count_waiting_for_you: int
    earlier: str | None
    later: str | None
    ended: Sequence[StoredGame]
    challenged: Mapping[str, str]
    messages: Sequence[IncomingMessage]
    vacation: Vacation | None
    vacation_days: int

    @property
    def is_first(self) -> bool:
        """Whether the list begins on this page."""
        return self.earlier is None

    @property
    def your_turn(self) -> Sequence[GameEntry]:
        """The games in which it is the player's turn."""
        return self._in(Section.YOUR_TURN)

    @property
    def offers(self) -> Sequence[GameEntry]:
        """The games with an offer that awaits the player's answer."""
        return self._in(Section.OFFERS)

    @property
    def waiting(self) -> Sequence[GameEntry]:
        """The games in which the opponent is to move, those to claim first."""
        return self._in(Section.CLAIMABLE, Section.WAITING)

    @property
    def solo(self) -> Sequence[GameEntry]:
        """The games that the player plays alone, which wait for nobody."""
        return self._in(Section.SOLO)

    @property
    def has_games(self) -> bool:
        """Whether any game is running."""
        return bool(self.entries)

    def _in(self, *sections: Section) -> Sequence[GameEntry]:
        return [entry for entry in self.entries if entry.section in sections]


def _freshness(context: AppContext, page: YourGamesPage) -> Freshness:
    """Return how long the page is fresh: until it says another time, or a game changes."""
    left = [entry.time_left for entry in page.entries if entry.time_left is not None]
    holds = [same_words_for(time) for time in left if time > timedelta(0)]
    return Freshness(
        context.clock() + min([MAX_AGE, *holds]),
        frozenset({GamesOf(page.player.id), AccountOf(page.player.id)}),
    )


def _read_page(context: AppContext, player: Player, query: str) -> YourGamesPage:
    now = context.clock.deadline_time()
    with context.database.reading() as connection:
        running, ended = reading.games_of(context, connection, player)
        clocks = reading.clocks_of(context, connection, running)
        received = reading.challenges_to(context, connection, player)
        vacation, vacation_days = vacations.vacation_of(context, connection, player)
        challenged = challenges.challenged_names(connection, running)
        recent = messages.recent_messages(context, connection, player)
    entries = with_unique_labels(
        sorted(
            [
                *(entry_of(game, clocks.get(game.id), player, now) for game in running),
                *(entry_of(game, None, player, now) for game in received),
            ],
            key=lambda entry: entry.place,
        ),
        tells_state=True,
    )
    place, backwards = place_in(query) or (None, False)
    shown = slice_at(entries, place, backwards=backwards)
    is_first = not shown.has_previous
    return YourGamesPage(
        player=player,
        entries=shown.items,
        count_waiting_for_you=sum(entry.section <= Section.OFFERS for entry in entries),
        earlier=None if is_first else query_of(shown.items[0].place, backwards=True),
        later=query_of(shown.items[-1].place, backwards=False) if shown.has_next else None,
        ended=ended if is_first else (),
        challenged=challenged,
        messages=recent if is_first else (),
        vacation=vacation,
        vacation_days=vacation_days,
    )


ROUTES: Routes = (("/play/", your_games, f"{sign_in.GOAL_PATTERN}|{PLACE_PATTERN}"),)
