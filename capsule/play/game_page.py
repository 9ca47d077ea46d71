"""The page of a game, for its players and for everybody else who has its address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.devices import link_path
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.point_of_view import view_of
from capsule.games.reading import load_game
from capsule.gemini.types import Freshness
from capsule.play.challenges import challenged_names
from capsule.play.panels import clock_panel, offer_panel, plan_panel, rating_panel
from capsule.play.rematches import rematch_of
from capsule.social import panel as social_panel
from capsule.social.pages.panel import social_section
from capsule.tournaments import queries as tournament_queries
from capsule.ui import boards, responses
from capsule.ui.routes import GAME, quick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.games.point_of_view import PointOfView
    from capsule.gemini.types import Request, Response
    from capsule.play.panels import ClockPanel, OfferPanel, PlanPanel, RatingPanel
    from capsule.play.rematches import Rematch
    from capsule.social.pages.panel import SocialSection
    from capsule.tournaments.model import StoredTournament
    from capsule.ui.preferences import Preferences
    from capsule.ui.render import Block
    from capsule.ui.routes import Routes
    from engine import Side
    from engine.game import View

MAX_AGE = timedelta(minutes=10)
"""How long a page is given again at most: everything on it that depends on the time is known."""

MAX_MOVE_LINKS = 12
"""If there are no more legal moves than this, each has a link of its own."""

MAX_LINKS_FIRST = 3
"""If there are no more legal moves than this, their links precede the link to type a move."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Everything that a game's page shows to one visitor, read from one state of the database.

    `view` is the game from the visitor's seat, None for visitors without one. `key` lets the
    visitor act in the game at this turn. `board` is the board as shown, and `last_move_boards` are
    those before and after the last move, if they are shown. `link` is the address at which a
    visitor can add a new certificate to an existing player.
    """

    game: Game
    visitor: Visitor
    view: PointOfView | None
    key: str
    address: str
    board: View
    last_move_boards: Block | None
    legal_moves: Sequence[str]
    clock: ClockPanel
    offers: OfferPanel
    plans: PlanPanel
    rematch: Rematch
    ratings: RatingPanel
    tournament: StoredTournament | None
    social: SocialSection
    link: str | None

    @property
    def is_player(self) -> bool:
        """Whether the visitor has a seat."""
        return self.view is not None

    @property
    def is_your_turn(self) -> bool:
        """Whether the visitor is to move."""
        return self.view is not None and self.view.is_turn

    @property
    def has_certificate(self) -> bool:
        """Whether the visitor presented a certificate."""
        return self.visitor.certificate is not None

    @property
    def open_side(self) -> Side | None:
        """The side whose seat anyone may take, if there is one."""
        return self.game.stored.open_side

    @property
    def reserved_side(self) -> Side | None:
        """The side whose seat is reserved for a challenged player, if there is one."""
        return self.game.stored.reserved_side

    @property
    def is_inviting(self) -> bool:
        """Whether the visitor is a player waiting for somebody to take the other seat."""
        return self.is_player and self.open_side is not None

    @property
    def may_sit_down(self) -> bool:
        """Whether there is an open seat for the visitor, who has a certificate and no seat yet."""
        return not self.is_player and self.open_side is not None and self.has_certificate

    @property
    def decides_about_seat(self) -> bool:
        """Whether the visitor may be about to take a seat, and should see the terms first."""
        return self.may_sit_down or (not self.is_player and self.reserved_side is not None)

    @property
    def tells_what_mover_may_do(self) -> bool:
        """Whether the page tells a visitor who is not to move what the mover may do."""
        return not self.is_your_turn and (self.open_side is None or self.is_player)

    @property
    def move_links(self) -> Sequence[str]:
        """The moves that have a link of their own: all legal moves, if there are few."""
        if not self.is_your_turn or len(self.legal_moves) > MAX_MOVE_LINKS:
            return ()
        return self.legal_moves

    @property
    def types_move_last(self) -> bool:
        """Whether the link to type a move comes after the links of the moves."""
        return 0 < len(self.move_links) <= MAX_LINKS_FIRST

    @property
    def may_ask_hint(self) -> bool:
        """Whether the visitor may ask for a hint."""
        return self.view is not None and self.view.may_ask_hint

    @property
    def may_resign(self) -> bool:
        """Whether the visitor may resign."""
        return self.view is not None and self.view.may_resign

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.game.is_running

    @property
    def shows_winning_line(self) -> bool:
        """Whether marks outside the board show the winning line."""
        outcome = self.game.position.outcome
        return outcome is not None and outcome.winner is not None


@quick
def show(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the page of a game."""
    certificate = identity.valid_certificate(context, request)
    with context.database.reading() as connection:
        stored, player = game_queries.game_and_visitor(
            connection, game_id, certificate.fingerprint if certificate else ""
        )
        if stored is None:
            raise NotFound
        game = load_game(context, connection, stored)
        visitor = identity.visitor_with(context, certificate, player)
        view = view_of(game, visitor.player)
        page = GamePage(
            game=game,
            visitor=visitor,
            view=view,
            key=visitor.game_key(context, game_id, game.stored.turn_counter),
            address=f"{context.origin}/play/{game_id}",
            board=game.position.view(request.query, visitor.preferences.style, game.latest),
            # Players of a running game need the current board and their links, not the last move.
            last_move_boards=None
            if game.is_running and view is not None
            else last_move_boards(game, visitor.preferences),
            legal_moves=tuple(islice(game.position.legal_moves(), MAX_MOVE_LINKS + 1)),
            clock=clock_panel(game, view),
            offers=offer_panel(
                game,
                view,
                challenged_names(connection, [game.stored]).get(game_id),
                may_answer_challenge=game.may_answer_challenge(visitor.player),
            ),
            plans=plan_panel(connection, game, view),
            rematch=rematch_of(context, connection, game, visitor.player),
            ratings=rating_panel(connection, game),
            tournament=tournament_queries.tournament_of_game(connection, game.stored),
            social=social_section(
                context,
                game,
                visitor,
                social_panel.panel_for(connection, game, visitor.player),
            ),
            link=link_path(context, visitor, game_id),
        )
    response = responses.page(
        visitor.preferences,
        "play/game.gmi",
        page=page,
        game=game,
        link=page.link,
    )
    return replace(response, freshness=_freshness(page))


def _freshness(page: GamePage) -> Freshness:
    """Return how long the page of a game is fresh: until a clock moves, or the game changes."""
    stored, now = page.game.stored, page.game.now
    clock = page.clock.clock
    moments = [
        now + MAX_AGE,
        page.clock.lapses_at,
        *(ends for _, ends in page.clock.vacations),
        *((clock.deadline, clock.end) if clock else ()),
    ]
    return Freshness(
        until=min(moment for moment in moments if moment is not None and moment > now),
        subjects=frozenset({stored.id, stored.next_id or stored.id}),
    )


def last_move_boards(game: Game, preferences: Preferences) -> Block | None:
    """Return the boards before and after the last move, None if there is none."""
    if game.before is None or game.last_move is None:
        return None
    return boards.last_move(game.before, game.last_move.move, preferences.style)


ROUTES: Routes = ((f"/play/{GAME}", show),)
