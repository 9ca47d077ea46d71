"""The page of a game, for its players and for everybody else who has its address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from capsule.accounts.pages.devices import expiry, link_path
from capsule.games.clock import DAY
from capsule.gemini.types import AccountOf, Freshness, GamesOf
from capsule.play.challenges import challenged_names
from capsule.play.desk import Desk, desk_of
from capsule.play.panels import clock_panel, offer_panel, plan_panel, rating_panel
from capsule.play.rematches import rematch_of
from capsule.play.visits import visit_of
from capsule.social import panel as social_panel
from capsule.social.pages.panel import social_section
from capsule.tournaments import queries as tournament_queries
from capsule.ui import boards, responses
from capsule.ui.routes import GAME, cacheable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from capsule.accounts.devices import Expiry
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.games.point_of_view import PointOfView
    from capsule.gemini.types import Request, Response
    from capsule.play.game_entries import GameEntry
    from capsule.play.panels import ClockPanel, OfferPanel, PlanPanel, RatingPanel
    from capsule.play.rematches import Rematch
    from capsule.social.pages.panel import SocialSection
    from capsule.tournaments.model import StoredTournament
    from capsule.ui.render import Block
    from capsule.ui.routes import Routes
    from engine import Side
    from engine.game import View
    from engine.style import Style

MAX_AGE = timedelta(minutes=10)
"""The maximum age of a cached page: everything on it that depends on the time is known."""

MAX_MOVE_LINKS = 12
"""If there are no more legal moves than this, each has a link of its own."""


TALL_BOARD = 13
"""The lines of a board that leaves little room below it on a screen of 24."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Everything that a game's page shows to one visitor, read from one state of the database.

    `view` is the game from the visitor's seat, None for visitors without one. `key` lets the
    visitor act in the game at this turn. `board` is the board as shown, and `last_move_boards` are
    those before and after the last move, if they are shown. `desk` is what waits for the visitor,
    here and elsewhere. `expiry` is the end of the visitor's certificate, if it is near, and `link`
    the address at which a visitor can add a new certificate to an existing player.
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
    desk: Desk
    expiry: Expiry | None
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
    def may_take_seat(self) -> bool:
        """Whether there is an open seat for the visitor, who may have to sign in first."""
        return self.open_side is not None and not self.is_player and not self.social.is_seat_refused

    @property
    def decides_about_seat(self) -> bool:
        """Whether the visitor may be about to take a seat, and should see the terms first."""
        return self.may_take_seat or (not self.is_player and self.reserved_side is not None)

    @property
    def tells_what_mover_may_do(self) -> bool:
        """Whether the page tells a visitor who is not to move what the mover may do."""
        return not self.is_your_turn and (self.open_side is None or self.is_player)

    @property
    def is_move_above_board(self) -> bool:
        """Whether the link to move stands above the board, which fills a narrow screen."""
        return self.is_your_turn and self.visitor.preferences.narrow

    @property
    def says_last_move_later(self) -> bool:
        """Whether what was played last stands below the links.

        That is so for somebody who waits to take a seat, and for whoever is to move on a tall
        board, below which a turn told at length would leave no room for the link to move.
        """
        is_tall = self.board.drawing.count("\n") >= TALL_BOARD
        return self.decides_about_seat or (
            self.is_your_turn and is_tall and not self.is_move_above_board
        )

    @property
    def move_links(self) -> Sequence[str]:
        """The moves that have a link of their own: all legal moves, if there are few."""
        if not self.is_your_turn or len(self.legal_moves) > MAX_MOVE_LINKS:
            return ()
        return self.legal_moves

    @property
    def waiting_elsewhere(self) -> Sequence[GameEntry]:
        """The other games that wait for the visitor, the most urgent first."""
        return self.desk.other_than(self.game.id)

    @property
    def next_game(self) -> GameEntry | None:
        """The game to go on to, if another one waits for the visitor, and this one does not."""
        elsewhere = self.waiting_elsewhere
        return elsewhere[0] if elsewhere and len(elsewhere) == len(self.desk.entries) else None

    @property
    def more_waiting(self) -> int:
        """The number of games that wait for the visitor besides the next one and this one."""
        return max(len(self.waiting_elsewhere) - 1, 0)

    @property
    def may_ask_hint(self) -> bool:
        """Whether the visitor may ask for a hint."""
        return self.view is not None and self.view.may_ask_hint

    @property
    def may_resign(self) -> bool:
        """Whether the visitor may resign."""
        return self.view is not None and self.view.may_resign

    @property
    def expiry_changes_at(self) -> datetime | None:
        """The next time at which the visitor's certificate has a whole number of days left."""
        certificate = self.visitor.certificate
        if certificate is None:
            return None
        return self.game.now + (certificate.not_after - self.game.now) % DAY

    @property
    def own_side(self) -> Side | None:
        """The visitor's side; None for visitors without a seat, and for those who have both."""
        return None if self.view is None or self.game.stored.is_solo else self.view.side

    @property
    def rematch_comes_first(self) -> bool:
        """Whether a rematch is there to answer or to play, before anything else."""
        return self.rematch.may_answer or self.rematch.is_accepted

    @property
    def recent_moves(self) -> str:
        """The last moves with their numbers, on one line."""
        return ", ".join(f"{move.ply}. {move.move}" for move in self.game.recent)

    @property
    def people(self) -> Sequence[str]:
        """The names of the players whom a visitor without a seat may want to know more about.

        A player finds the opponent where the messages are.
        """
        seats = self.game.stored.seats.values()
        names = dict.fromkeys(seat.player_name for seat in seats if seat.player_name)
        return () if self.is_player else tuple(names)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.game.is_running


@cacheable
def show(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the page of a game."""
    with context.database.reading() as connection:
        visit = visit_of(context, connection, request, game_id)
        game, visitor, view, style = visit.game, visit.visitor, visit.view, visit.style
        desk = Desk() if visitor.player is None else desk_of(context, connection, visitor.player)
        page = GamePage(
            game=game,
            visitor=visitor,
            view=view,
            key=visitor.game_key(context, game_id, game.stored.turn_counter),
            address=f"{context.origin}/play/{game_id}",
            board=game.position.view(request.query, style, game.latest),
            # Players of a running game need the current board and their links, not the last move.
            last_move_boards=None
            if game.is_running and view is not None
            else last_move_boards(game, style),
            legal_moves=tuple(islice(game.position.legal_moves(), MAX_MOVE_LINKS + 1)),
            clock=clock_panel(game, view),
            offers=offer_panel(
                context,
                game,
                visitor,
                view,
                challenged_names(connection, [game.stored]).get(game_id),
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
            desk=desk,
            expiry=expiry(context, visitor),
            link=link_path(context, visitor, game_id),
        )
    response = responses.page(
        visitor.preferences,
        "play/game.gmi",
        page=page,
        game=game,
        link=page.link,
        ending=page.expiry,
    )
    return replace(response, freshness=_freshness(page))


def _freshness(page: GamePage) -> Freshness:
    """Return how long the page of a game is fresh: until a clock moves, or a game changes.

    That may also be one of the visitor's other games, since the page tells which of them wait.
    """
    stored, now = page.game.stored, page.game.now
    clock, player = page.clock.clock, page.visitor.player
    moments = [
        now + MAX_AGE,
        page.clock.lapses_at,
        page.desk.until,
        page.expiry_changes_at,
        *(ends for _, ends in page.clock.vacations),
        *((clock.deadline, clock.end) if clock else ()),
    ]
    games = {stored.id, stored.next_id or stored.id}
    own = () if player is None else (GamesOf(player.id), AccountOf(player.id))
    return Freshness(
        until=min(moment for moment in moments if moment is not None and moment > now),
        subjects=frozenset({*games, *own}),
    )


def last_move_boards(game: Game, style: Style) -> Block | None:
    """Return the boards before and after the last move, None if there are none to put beside."""
    if game.before is None or game.last_move is None:
        return None
    return boards.last_move_beside(game.before, game.last_move.move, style)


ROUTES: Routes = ((f"/play/{GAME}", show),)
