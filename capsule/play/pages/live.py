"""A game's live page: one answer that stays open and grows with each move."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

from capsule.context import AppContext, Transaction, reading
from capsule.db.faults import DatabaseFault
from capsule.games import queries as game_queries
from capsule.games.feed_entries import page_address
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

    `new_moves` are the moves played since, the oldest first; there are none after a takeback, which
    changes many. `seat_taken` is the side whose seat has been taken. `offers` are the offers made
    or declined, such as "draw declined", each with the side that did so; the first part has the
    offers that wait for an answer. `authors` are the players who have written to the reader.
    """

    visit: Visit
    board: View
    is_beginning: bool
    has_taken_back: bool
    new_moves: Sequence[StoredMove]
    seat_taken: Side | None
    offers: Sequence[tuple[str, Side]]
    authors: Sequence[str]

    @property
    def shows_board(self) -> bool:
        """Whether the part shows the board, which has changed since."""
        return self.is_beginning or self.has_taken_back or bool(self.new_moves)

    @property
    def calls_for_move(self) -> bool:
        """Whether it has become the reader's turn to move."""
        return self.visit.view.is_turn and (self.shows_board or self.seat_taken is not None)

    @property
    def is_news(self) -> bool:
        """Whether anything has happened that this reader should see."""
        is_over = not self.visit.game.is_running
        has_news = self.shows_board or is_over or self.seat_taken is not None
        return has_news or bool(self.offers) or bool(self.authors)


def _part_of(visit: Visit, last: GameVersion | None, authors: Sequence[str]) -> LivePart:
    """Return the part that follows a version of the game; None for the first part."""
    game, stored = visit.game, visit.game.stored
    # The offers that wait for an answer are news to a new reader.
    known = last or replace(version_of(stored), draw_offered_by=None, takeback_asked_by=None)
    has_taken_back = known.takebacks != stored.takebacks
    taken = None
    if known.status in _OPEN and stored.is_playing:
        taken = stored.seat_taken_by or stored.challenged_player_id
    return LivePart(
        visit,
        game.position.view(None, visit.style, game.latest),
        is_beginning=last is None,
        has_taken_back=has_taken_back,
        new_moves=[move for move in game.recent if move.ply > known.ply and not has_taken_back],
        seat_taken=None if taken is None else stored.side_of(taken),
        offers=[*_offers_since(known, stored)],
        authors=authors,
    )


def _offers_since(known: GameVersion, stored: StoredGame) -> Iterator[tuple[str, Side]]:
    for kind, before, now in (
        ("draw", known.draw_offered_by, stored.draw_offered_by),
        ("takeback", known.takeback_asked_by, stored.takeback_asked_by),
    ):
        if now is not None and now is not before:
            yield f"{kind} offered", now
        # An offer that is gone at another turn has lapsed.
        if now is None and before is not None and known.turn_counter == stored.turn_counter:
            yield f"{kind} declined", before.other


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
    part = _part_of(visit, last and last.game, authors)
    text = ""
    if part.is_news:
        text = _rendered(
            visit,
            "play/live.gmi",
            part=part,
            page=page_address(game.stored, visit.view.own_side, is_turn=visit.view.is_turn),
            move_links=linked_moves(game.position),
        )
    # All parts are in the language of the first, and that alone leads to others, below its title.
    in_language = partial(_in_language, page_language()._replace(page=""))
    return Live(
        subject=game_id,
        version=version,
        text=text if part.is_beginning or not text else f"\n{text}",
        more=partial(
            in_language, partial(reading(_part), transaction.context, request, game_id, version)
        ),
        on_expiry=partial(in_language, partial(_farewell, visit, is_late=True)),
        on_shutdown=partial(in_language, partial(_farewell, visit, is_late=False)),
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


def _rendered(visit: Visit, template: str, **values: object) -> str:
    return responses.page(visit.visitor.preferences, template, **values).body


def _farewell(visit: Visit, *, is_late: bool) -> str:
    last_words = _rendered(visit, "play/live_ended.gmi", game_id=visit.game.id, is_late=is_late)
    return f"\n{last_words}"


ROUTES: Routes = ((f"/play/{GAME}/live", follow),)
