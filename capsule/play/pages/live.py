"""A game's live page: one answer that stays open and grows with each move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from capsule.gemini.types import Live, Response
from capsule.play.visits import visit_of
from capsule.ui import responses
from capsule.ui.render import meta, translate
from capsule.ui.routes import GAME
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredMove
    from capsule.games.point_of_view import PointOfView
    from capsule.gemini.types import Request
    from capsule.ui.routes import Routes
    from engine.game import View


TEMPORARY_FAILURE = 40


@dataclass(frozen=True, slots=True)
class Told:
    """The last state sent to a live reader."""

    ply: int
    takebacks: int


@dataclass(frozen=True, slots=True)
class LivePart:
    """The next part for a live reader: the game as it is, and the changes since the last part.

    `told` is None at the beginning. `key` lets the reader act in the game at this turn; `view` is
    the game from the reader's seat, None for a spectator.
    """

    game: Game
    view: PointOfView | None
    key: str
    board: View
    told: Told | None

    @property
    def is_beginning(self) -> bool:
        """Whether nothing has been told before."""
        return self.told is None

    @property
    def has_taken_back(self) -> bool:
        """Whether moves have been taken back since."""
        return self.told is not None and self.told.takebacks != self.game.stored.takebacks

    @property
    def new_moves(self) -> Sequence[StoredMove]:
        """The moves played since, the oldest first; none after a takeback, which changes many."""
        if self.told is None or self.has_taken_back:
            return ()
        return [move for move in self.game.recent if move.ply > self.told.ply]

    @property
    def is_your_turn(self) -> bool:
        """Whether the reader is to move."""
        return self.view is not None and self.view.is_turn


def follow(context: AppContext, request: Request, game_id: str) -> Live:
    """Return the page that tells of a game as it goes on, from the position that it has now."""
    return _tell(context, request, game_id, None)


def _tell(context: AppContext, request: Request, game_id: str, told: Told | None) -> Live:
    with context.database.reading() as connection:
        visit = visit_of(context, connection, request, game_id)
    game, visitor, view = visit.game, visit.visitor, visit.view
    part = LivePart(
        game=game,
        view=view,
        key="" if view is None else visitor.game_key(context, game_id, game.stored.turn_counter),
        board=game.position.view(None, visit.style, game.latest),
        told=told,
    )
    text = _rendered(visitor, "play/live.gmi", part)
    return Live(
        subject=game_id,
        version=game.stored.turn_counter,
        text=text if part.is_beginning else f"\n{text}",
        more=partial(
            _tell, context, request, game_id, Told(game.stored.ply, game.stored.takebacks)
        ),
        when_late=partial(_farewell, visitor, "play/live_late.gmi", part),
        when_stopped=partial(_farewell, visitor, "play/live_stopped.gmi", part),
        otherwise=Response(
            TEMPORARY_FAILURE,
            meta(translate(message("You have two live pages open: close one, then try again"))),
        ),
        audience=visitor.preferences if view is None else None,
        owner=visitor.identity,
        is_over=not game.is_running,
    )


def _rendered(visitor: Visitor, template: str, part: LivePart) -> str:
    return responses.page(visitor.preferences, template, part=part, game=part.game).body


def _farewell(visitor: Visitor, template: str, part: LivePart) -> str:
    return f"\n{_rendered(visitor, template, part)}"


ROUTES: Routes = ((f"/play/{GAME}/live", follow),)
