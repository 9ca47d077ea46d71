"""A game's live page: one answer that stays open and grows with each move."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from capsule.context import AppContext, Transaction, reading
from capsule.db.faults import DatabaseFault
from capsule.games import queries as game_queries
from capsule.games.feed_entries import draw_address, end_address, takeback_address, turn_address
from capsule.games.model import GameStatus, GameVersion, StoredGame, StoredMove, version_of
from capsule.gemini.types import Live, Request, Response, Status
from capsule.languages.model import PageLanguage, active_language, override_language, page_language
from capsule.play.pages.game import Visit, visit_of
from capsule.social import line_queries, lines
from capsule.social.model import number_of
from capsule.ui import responses
from capsule.ui.boards import linked_moves
from capsule.ui.render import meta, translate
from capsule.ui.routes import GAME, Routes
from engine import Side
from engine.game import Message, View, message

T = TypeVar("T")

MAX_NEW_MESSAGES = 20
"""The number of new messages of which the page names the authors."""


class FollowedVersion(NamedTuple):
    """The version of a live game, and the id of its newest message, 0 if there is none."""

    game: GameVersion
    newest_message: int


def followed_versions(
    context: AppContext, game_ids: Collection[str]
) -> Mapping[str, FollowedVersion]:
    """Return the versions of the games that exist; none while the database is unavailable."""
    try:
        with context.database.reading() as connection:
            versions = game_queries.versions(connection, game_ids)
            newest = line_queries.newest_messages(connection, game_ids)
    except DatabaseFault:
        return {}
    return {
        game_id: FollowedVersion(version, newest.get(game_id, 0))
        for game_id, version in versions.items()
    }


def _authors_since(transaction: Transaction, visit: Visit, message_id: int) -> Sequence[str]:
    """Return the names of the authors of messages after one, other than the reader.

    Only messages that the reader may read count, and none by players whom the reader has muted.
    """
    game, player = visit.game, visit.visitor.player
    if not lines.may_read_messages(game, player):
        return ()
    # Spectators all see the same.
    reader = player if player is not None and game.stored.has_player(player.id) else None
    found = line_queries.MESSAGES.from_number(
        transaction.connection, game.id, reader, message_id + 1, MAX_NEW_MESSAGES
    )
    authors = {message.author_id for message in found} - {number_of(reader)}
    return [
        seat.name or ""
        for seat in game.stored.seats.values()
        if seat.player_id is not None and seat.player_id in authors
    ]


@dataclass(frozen=True, slots=True)
class LivePart:
    """The next part for a live reader: the game as it is, and the changes since the last part.

    `known` is the version that the reader has been shown. At the beginning it is the current one
    without its offers, which are news. `authors` are the names of the players who have written
    messages to the reader since.
    """

    visit: Visit
    board: View
    is_beginning: bool
    known: GameVersion
    authors: Sequence[str]

    @property
    def stored(self) -> StoredGame:
        """The game as stored."""
        return self.visit.game.stored

    @property
    def has_taken_back(self) -> bool:
        """Whether moves have been taken back since."""
        return self.known.takebacks != self.stored.takebacks

    @property
    def new_moves(self) -> Sequence[StoredMove]:
        """The moves played since, the oldest first; none after a takeback, which changes many."""
        if self.has_taken_back:
            return ()
        return [move for move in self.visit.game.recent if move.ply > self.known.ply]

    @property
    def shows_board(self) -> bool:
        """Whether the part shows the board, which has changed since."""
        return self.is_beginning or self.has_taken_back or bool(self.new_moves)

    @property
    def seat_taken(self) -> Side | None:
        """The side whose seat has been taken since, None if none."""
        if self.known.status not in _OPEN or not self.stored.is_playing:
            return None
        taken = self.stored.seat_taken_by or self.stored.challenged_player_id
        return None if taken is None else self.stored.side_of(taken)

    @property
    def draw_offered_by(self) -> Side | None:
        """The side that has offered a draw since, None if none."""
        offered = self.stored.draw_offered_by
        return None if offered is self.known.draw_offered_by else offered

    @property
    def draw_declined_by(self) -> Side | None:
        """The side that has declined a draw since, None if none."""
        return self._declined_by(self.known.draw_offered_by, self.stored.draw_offered_by)

    @property
    def takeback_asked_by(self) -> Side | None:
        """The side that has asked for a takeback since, None if none."""
        asked = self.stored.takeback_asked_by
        return None if asked is self.known.takeback_asked_by else asked

    @property
    def takeback_declined_by(self) -> Side | None:
        """The side that has declined a takeback since, None if none."""
        return self._declined_by(self.known.takeback_asked_by, self.stored.takeback_asked_by)

    def _declined_by(self, before: Side | None, now: Side | None) -> Side | None:
        """Return the side that has declined an offer, None if a move let it lapse."""
        if before is None or now is not None:
            return None
        has_lapsed = self.known.turn_counter != self.stored.turn_counter
        return None if has_lapsed else before.other

    @property
    def calls_for_move(self) -> bool:
        """Whether it has become the reader's turn to move."""
        return self.visit.view.is_turn and (self.shows_board or self.seat_taken is not None)

    @property
    def move_links(self) -> Sequence[str]:
        """The moves that have a link each: all legal moves, if there are few."""
        return linked_moves(self.visit.game.position)

    @property
    def awaits_answer(self) -> bool:
        """Whether the reader may answer an offer on the game's page."""
        view = self.visit.view
        return view.may_answer_draw or view.may_answer_takeback

    @property
    def game_page(self) -> str:
        """The address of the game's page, which no browser has cached where the reader may act."""
        stored, view = self.stored, self.visit.view
        if not stored.is_running:
            return end_address(stored)
        if view.may_answer_draw:
            return draw_address(stored)
        if view.may_answer_takeback:
            return takeback_address(stored)
        return turn_address(stored) if view.is_turn else f"/play/{stored.id}"

    @property
    def is_news(self) -> bool:
        """Whether anything has happened that this reader should see."""
        changes = (
            self.seat_taken,
            self.draw_offered_by,
            self.draw_declined_by,
            self.takeback_asked_by,
            self.takeback_declined_by,
        )
        return (
            self.shows_board
            or not self.stored.is_running
            or bool(self.authors)
            or any(side is not None for side in changes)
        )


_OPEN = (GameStatus.WAITING, GameStatus.CHALLENGED)


@reading
def follow(transaction: Transaction, request: Request, game_id: str) -> Live:
    """Return the page that shows a game live, from its current position.

    Each part is read in its own transaction; while the page waits for the next, it has none.
    """
    return _part(transaction, request, game_id, None)


def _part(
    transaction: Transaction, request: Request, game_id: str, last: FollowedVersion | None
) -> Live:
    visit = visit_of(transaction, request, game_id)
    game, visitor = visit.game, visit.visitor
    newest = line_queries.newest_messages(transaction.connection, [game_id]).get(game_id, 0)
    version = FollowedVersion(version_of(game.stored), newest)
    authors: Sequence[str] = ()
    if last is not None and last.newest_message != version.newest_message:
        authors = _authors_since(transaction, visit, last.newest_message)
    board = game.position.view(None, visit.style, game.latest)
    known = version.game.without_offers if last is None else last.game
    part = LivePart(visit, board, last is None, known, authors)
    text = _rendered("play/live.gmi", part) if part.is_news else ""
    # All parts are in the language of the first, and that alone leads to others, below its title.
    in_language = partial(_in_language, page_language()._replace(page=""))
    return Live(
        subject=game_id,
        version=version,
        text=text if part.is_beginning or not text else f"\n{text}",
        more=partial(
            in_language, partial(reading(_part), transaction.context, request, game_id, version)
        ),
        on_expiry=partial(in_language, partial(_farewell, "play/live_late.gmi", part)),
        on_shutdown=partial(in_language, partial(_farewell, "play/live_stopped.gmi", part)),
        fallback=_refused(
            message("You or your network have two live pages open. Close one, then try again")
        ),
        on_full=_refused(
            message("This capsule has as many live pages open as it can. Try again later")
        ),
        audience=None if visit.view.is_seated else (active_language(), visitor.preferences),
        owner=visitor.identity,
        is_over=not game.is_running,
        meta=active_language().gemtext,
    )


def _in_language(begun: PageLanguage, text: Callable[[], T]) -> T:
    """Return the result of a function in the language of the page."""
    with override_language(begun):
        return text()


def _refused(reason: Message) -> Response:
    return Response(Status.TEMPORARY_FAILURE, meta(translate(reason)))


def _rendered(template: str, part: LivePart) -> str:
    return responses.page(part.visit.visitor.preferences, template, part=part).body


def _farewell(template: str, part: LivePart) -> str:
    return f"\n{_rendered(template, part)}"


ROUTES: Routes = ((f"/play/{GAME}/live", follow),)
