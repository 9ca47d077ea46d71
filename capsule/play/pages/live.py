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

    from capsule.context import AppContext
    from capsule.games.model import StoredMove
    from capsule.gemini.types import Request
    from capsule.play.visits import Visit
    from capsule.ui.routes import Routes
    from engine.game import Message, View


TEMPORARY_FAILURE = 40


@dataclass(frozen=True, slots=True)
class LastSent:
    """The last state sent to a live reader."""

    ply: int
    takebacks: int


@dataclass(frozen=True, slots=True)
class LivePart:
    """The next part for a live reader: the game as it is, and the changes since the last part.

    `last_sent` is None at the beginning.
    """

    visit: Visit
    board: View
    last_sent: LastSent | None

    @property
    def is_beginning(self) -> bool:
        """Whether this is the first part."""
        return self.last_sent is None

    @property
    def has_taken_back(self) -> bool:
        """Whether moves have been taken back since."""
        return (
            self.last_sent is not None
            and self.last_sent.takebacks != self.visit.game.stored.takebacks
        )

    @property
    def new_moves(self) -> Sequence[StoredMove]:
        """The moves played since, the oldest first; none after a takeback, which changes many."""
        if self.last_sent is None or self.has_taken_back:
            return ()
        return [move for move in self.visit.game.recent if move.ply > self.last_sent.ply]


def follow(context: AppContext, request: Request, game_id: str) -> Live:
    """Return the page that follows a game move by move, from its current position on."""
    return _next_part(context, request, game_id, None)


def _next_part(
    context: AppContext, request: Request, game_id: str, last_sent: LastSent | None
) -> Live:
    with context.database.reading() as connection:
        visit = visit_of(context, connection, request, game_id)
    game, visitor = visit.game, visit.visitor
    part = LivePart(visit, game.position.view(None, visit.style, game.latest), last_sent)
    text = _rendered("play/live.gmi", part)
    return Live(
        subject=game_id,
        version=game.stored.turn_counter,
        text=text if part.is_beginning else f"\n{text}",
        more=partial(
            _next_part, context, request, game_id, LastSent(game.stored.ply, game.stored.takebacks)
        ),
        when_late=partial(_farewell, "play/live_late.gmi", part),
        when_stopped=partial(_farewell, "play/live_stopped.gmi", part),
        otherwise=_refused(
            message("You or your network have two live pages open: close one, then try again")
        ),
        when_full=_refused(
            message("This capsule has as many live pages open as it can: try again later")
        ),
        audience=None if visit.view.is_seated else visitor.preferences,
        owner=visitor.identity,
        is_over=not game.is_running,
    )


def _refused(reason: Message) -> Response:
    return Response(TEMPORARY_FAILURE, meta(translate(reason)))


def _rendered(template: str, part: LivePart) -> str:
    return responses.page(part.visit.visitor.preferences, template, part=part).body


def _farewell(template: str, part: LivePart) -> str:
    return f"\n{_rendered(template, part)}"


ROUTES: Routes = ((f"/play/{GAME}/live", follow),)
