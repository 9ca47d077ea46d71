"""The page of a game, for anyone with its address, and its live page, which grows with moves."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from capsule.accounts import identity
from capsule.accounts.devices import Expiry
from capsule.accounts.pages.account import expiry, link_path
from capsule.context import AppContext, Transaction, reading
from capsule.db.faults import DatabaseFault
from capsule.errors import NotFound
from capsule.games import moves, player_queries, queries as game_queries, rated, results
from capsule.games.clock import DAY
from capsule.games.feed_entries import page_address
from capsule.games.game import Game
from capsule.games.model import GameStatus, StoredGame, StoredMove, Version, version_of
from capsule.games.point_of_view import PointOfView, Spectator, view_of
from capsule.games.reading import load_game
from capsule.games.visibility import ListingChoice, choice_of
from capsule.gemini.types import CachePolicy, Live, PlayerGames, Request, Response, Status
from capsule.languages.model import PageLanguage, active_language, override_language, page_language
from capsule.play.challenges import Rematch, rematch_of
from capsule.social import line_queries, lines, model
from capsule.social.pages import notes
from capsule.social.pages.messages import SocialSection, social_section
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import StoredTournament
from capsule.ui import boards, render, responses, routes
from engine import Message, Side, Style, View, message


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor and a game, with the visitor's point of view and action key for this turn."""

    game: Game
    visitor: identity.Visitor
    view: PointOfView | Spectator
    key: str

    @property
    def style(self) -> Style:
        """The style of the visitor's board."""
        style = self.visitor.preferences.style
        # A finished game has no cells to play in, so free ones look like the other empty ones.
        return style if self.game.is_running else replace(style, free=style.empty)

    def effect(self, move: str) -> Message | None:
        """Return the effect of a move, in as many words as the visitor's screen has room for."""
        is_narrow = self.visitor.preferences.narrow
        return boards.effect_of(self.game.position, move, is_narrow=is_narrow)


def visit_of(transaction: Transaction, request: Request, game_id: str) -> Visit:
    """Return the visitor of a game's page, and the game as of now; raises `NotFound`."""
    certificate = identity.valid_certificate(transaction, request)
    stored, user = game_queries.game_and_user(
        transaction.connection, game_id, certificate.fingerprint if certificate else ""
    )
    if stored is None:
        raise NotFound
    game = load_game(transaction, stored)
    visitor = identity.visitor_with(transaction, request, certificate, user[0] if user else None)
    key = visitor.game_key(transaction.context, game.id, game.stored.turn_counter)
    return Visit(game, visitor, view_of(game, visitor.player), key)


FIRST_MOVES = 3
"""The moves of a player's first game for which its page explains the rules."""


def is_first_game(transaction: Transaction, visit: Visit) -> bool:
    """Return whether the visitor's next move is one of the first in their first game."""
    player, view, game = visit.visitor.player, visit.view, visit.game
    if player is None or not view.is_turn:
        return False
    made = sum(move.side is view.own_side or game.stored.is_solo for move in game.recent)
    if made >= FIRST_MOVES or len(game.recent) < game.stored.plies_played:
        return False
    return not game_queries.has_decided_game(transaction.connection, player.id, game.variant)


def is_first_against_a_person(transaction: Transaction, visit: Visit) -> bool:
    """Return whether the capsule offers mail, and the visitor waits in a first game with a person.

    That visitor may want mail when it is their turn.
    """
    player, view, stored = visit.visitor.player, visit.view, visit.game.stored
    if not transaction.context.mail_from or player is None or not stored.is_between_people:
        return False
    if not stored.is_playing or not view.is_seated or view.is_turn:
        return False
    return not player_queries.has_met_a_person(transaction.connection, player.id, visit.game.now)


TALL_BOARD = 13
"""The number of lines from which a board leaves little room below it on a screen of 24."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game's page for one visitor: the visit, the board, and the section of each feature.

    `explains_rules` adds the rules in a few lines as the visitor's first game begins. `offers_mail`
    adds the link to the page of mail in the first game against a person. `draw_key` and
    `takeback_key` are for the answer to such an offer. `plan` is the visitor's own, as sentences.
    `score` is the score between the visitor and the opponent. `expiry` is that of the visitor's
    certificate, if it is near, and `link` the address at which a visitor can add a new certificate
    to an existing player.
    """

    visit: Visit
    address: str
    board: View
    explains_rules: bool
    offers_mail: bool
    draw_key: str
    takeback_key: str
    plan: Sequence[Message]
    rematch: Rematch
    score: results.Score | None
    ratings: rated.RatingSection
    has_notes: bool
    tournament: StoredTournament | None
    social: SocialSection
    expiry: Expiry | None
    link: str | None

    @property
    def game(self) -> Game:
        return self.visit.game

    @property
    def is_move_above_board(self) -> bool:
        """Whether the link to move stands above the board, which fills a narrow screen."""
        return self.visit.view.is_turn and self.visit.visitor.preferences.narrow

    @property
    def is_last_move_below_links(self) -> bool:
        """Whether the last move stands below the links.

        Visitors who may take a seat read the terms first. Above the links, the moves of a long turn
        and a tall board would push the link to move off the player's screen.
        """
        is_tall = self.board.drawing.count("\n") >= TALL_BOARD
        return self.decides_about_seat or (
            self.visit.view.is_turn and is_tall and not self.is_move_above_board
        )

    @property
    def taken_back(self) -> Sequence[str]:
        """The moves that a takeback would remove: the takeback asked for, or else the visitor's."""
        side = self.game.stored.takeback_asked_by or self.visit.view.side_taken_back
        ply = None if side is None else self.game.ply_of_takeback(side)
        return () if ply is None else [move.move for move in self.game.recent if move.ply > ply]

    @property
    def leads_on(self) -> bool:
        """Whether to lead a player on to other games, since this one does not wait for them."""
        player, view = self.visit.visitor.player, self.visit.view
        if player is None or not view.is_seated:
            return False
        return not (view.is_turn or self.game.stored.waits_for(player.id))

    @property
    def may_take_seat(self) -> bool:
        """Whether the visitor may take the open seat, perhaps after signing in."""
        return (
            self.game.stored.open_side is not None
            and not self.visit.view.is_seated
            and not self.social.is_seat_refused
        )

    @property
    def decides_about_seat(self) -> bool:
        """Whether the visitor may take a seat or answer a challenge, and reads the terms before."""
        is_reserved = self.game.stored.reserved_side is not None
        return self.may_take_seat or (is_reserved and not self.visit.view.is_seated)

    @property
    def shows_ratings(self) -> bool:
        """Whether the page shows the rating section; before a seat is taken, only if surplus."""
        return not self.decides_about_seat or self.ratings.state is rated.RatingState.SURPLUS

    @property
    def listing(self) -> ListingChoice | None:
        """The choice of a listing, for a visitor who may take the seat; None for all others."""
        if not (self.may_take_seat or self.visit.view.may_answer_challenge):
            return None
        return choice_of(self.game.stored, self.visit.visitor.player)

    @property
    def move_links(self) -> Sequence[str]:
        """The moves that are shown as links: all legal moves, if there are few."""
        is_narrow = self.visit.visitor.preferences.narrow
        return boards.linked_moves(self.game.position, is_narrow=is_narrow)

    @property
    def recent_moves(self) -> Sequence[str]:
        """The last moves with their numbers."""
        return [f"{move.ply}. {move.move}" for move in self.game.recent]


@routes.cacheable
@routes.narrowable
@reading
def show(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page of a game."""
    context, connection = transaction.context, transaction.connection
    visit = visit_of(transaction, request, game_id)
    # A game that waits for a player is rated as it will be once it starts.
    (foreseen,) = rated.foreseen(transaction, [visit.game.stored], visit.visitor.player)
    if foreseen is not visit.game.stored:
        visit = replace(visit, game=replace(visit.game, stored=foreseen))
    game, visitor, view = visit.game, visit.visitor, visit.view
    turn = game.id, game.stored.turn_counter
    page = GamePage(
        visit=visit,
        address=f"{context.origin}/play/{game_id}",
        board=game.position.view(request.query, visit.style, game.latest),
        explains_rules=is_first_game(transaction, visit),
        offers_mail=is_first_against_a_person(transaction, visit),
        draw_key=visitor.draw_key(context, *turn) if view.may_answer_draw else "",
        takeback_key=visitor.takeback_key(context, *turn) if view.may_answer_takeback else "",
        plan=moves.plan_in_words(connection, view),
        rematch=rematch_of(transaction, game, visitor.player),
        score=results.score_in(transaction, game.stored, visitor.player),
        ratings=rated.rating_section(connection, game),
        has_notes=lines.has_notes(connection, game, visitor.player),
        tournament=tournament_queries.tournament_of_game(connection, game.stored),
        social=social_section(transaction, game, visitor),
        expiry=expiry(visitor, transaction.now),
        link=link_path(context, visitor, game_id),
    )
    response = responses.page(visitor.preferences, "play/game.gmi", page=page)
    return replace(response, cache_policy=_cache_policy(page), ignores_query=not page.board.ways)


def _cache_policy(page: GamePage) -> CachePolicy:
    """Return the cache policy of a game's page, fresh until a time passes or the game changes."""
    game, visitor = page.game, page.visit.visitor
    stored, now, clock, player = game.stored, game.now, game.clock, visitor.player
    vacations = [game.vacation_of(side) for side in Side]
    moments = [
        stored.lapses_at,
        page.social.panel.opponent_banned_until,
        # The next time at which the certificate has full days left.
        visitor.certificate and now + (visitor.certificate.not_after - now) % DAY,
        rated.next_day(now),
        *(vacation.ends for vacation in vacations if vacation),
        *((clock.deadline, clock.end) if clock else ()),
    ]
    games = {stored.id, stored.next_id or stored.id}
    # The end of another game changes the score, and makes this game no longer the first.
    depends_on_others = page.score is not None or page.explains_rules or page.offers_mail
    others = {player.id} if player is not None and depends_on_others else set()
    # When another game begins, this one may become surplus, and so not be rated.
    others |= {each for each in (_guest_id(page),) if each is not None}
    return identity.cache_policy(player, now, *games, *map(PlayerGames, others), until=moments)


def _guest_id(page: GamePage) -> int | None:
    """Return the id of the player who may take the seat of a rated game; None if there is none."""
    stored, player = page.game.stored, page.visit.visitor.player
    if stored.reserved_side is not None:
        return stored.challenged_player_id if stored.rated else None
    return player.id if player is not None and page.may_take_seat and stored.rated else None


@routes.narrowable
@reading
def more(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page with a game's moves, records and players, and with the visitor's notes."""
    visit, context = visit_of(transaction, request, game_id), transaction.context
    game, visitor = visit.game, visit.visitor
    return responses.page(
        visitor.preferences,
        "play/more.gmi",
        game=game,
        has_live=game.stored.has_live,
        social=social_section(transaction, game, visitor),
        annotation=lines.own_annotation(transaction, game, visitor.player),
        annotation_key=visitor.account_key(context, notes.SUBJECT),
        people=game.stored.player_names,
        visitor=visitor,
    )


T = TypeVar("T")

MAX_NEW_MESSAGES = 20
"""The number of new messages of which the page names the authors."""


def followed_versions(
    context: AppContext, game_ids: Collection[str]
) -> Mapping[str, tuple[Version, int]]:
    """Return the versions of the games that exist, each with the id of the newest message.

    That is 0 if there is none. While the database is unavailable, nothing is returned.
    """
    try:
        with context.database.reading() as connection:
            versions = game_queries.versions(connection, game_ids)
            newest = line_queries.newest_messages(connection, game_ids)
    except DatabaseFault:
        return {}
    return {game_id: (version, newest.get(game_id, 0)) for game_id, version in versions.items()}


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
    authors = {message.author_id for message in found} - {model.number_of(reader)}
    return [
        seat.name or ""
        for seat in game.stored.seats.values()
        if seat.player_id is not None and seat.player_id in authors
    ]


@dataclass(frozen=True, slots=True)
class LivePart:
    """The next part for a live reader: the game as it is, and the changes since the last part.

    `new_moves` are the moves played since, the oldest first; there are none after a takeback, which
    changes many. `seat_taken` is the side whose seat has been taken. `offers` are offers of a
    "draw" or a "takeback": whether each was declined, and the side that did so or made it. The
    first part has the offers that wait for an answer. `authors` are the players who have written to
    the reader.
    """

    visit: Visit
    board: View
    is_beginning: bool
    has_taken_back: bool
    new_moves: Sequence[StoredMove]
    seat_taken: Side | None
    offers: Sequence[tuple[str, bool, Side]]
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


def _part_of(visit: Visit, last: StoredGame | None, authors: Sequence[str]) -> LivePart:
    """Return the part that follows the `last` one, with the game as it was; None for the first."""
    game, stored = visit.game, visit.game.stored
    # The offers that wait for an answer are news to a new reader.
    known = last or replace(stored, draw_offered_by=None, takeback_asked_by=None)
    has_taken_back = known.takebacks != stored.takebacks
    taken = None
    if stored.is_playing and known.status is not GameStatus.PLAYING:
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


def _offers_since(known: StoredGame, stored: StoredGame) -> Iterator[tuple[str, bool, Side]]:
    for kind, before, now in (
        ("draw", known.draw_offered_by, stored.draw_offered_by),
        ("takeback", known.takeback_asked_by, stored.takeback_asked_by),
    ):
        if now is not None and now is not before:
            yield kind, False, now
        # An offer that is gone at another turn has lapsed.
        if now is None and before is not None and known.turn_counter == stored.turn_counter:
            yield kind, True, before.other


@reading
def follow(transaction: Transaction, request: Request, game_id: str) -> Live:
    """Return the page that shows a game live, from its current position.

    Each part is read in its own transaction; while the page waits for the next, it has none.
    """
    return _part(transaction, request, game_id, None)


def _part(
    transaction: Transaction, request: Request, game_id: str, last: tuple[StoredGame, int] | None
) -> Live:
    visit = visit_of(transaction, request, game_id)
    game, visitor = visit.game, visit.visitor
    newest = line_queries.newest_messages(transaction.connection, [game_id]).get(game_id, 0)
    authors: Sequence[str] = ()
    if last is not None and last[1] != newest:
        authors = _authors_since(transaction, visit, last[1])
    part = _part_of(visit, last and last[0], authors)
    text = ""
    if part.is_news:
        text = _rendered(
            visit,
            "play/live.gmi",
            part=part,
            page=page_address(game.stored, visit.view.own_side, is_turn=visit.view.is_turn),
            move_links=boards.linked_moves(game.position),
        )
    # All parts are in the language of the first, and that alone leads to others, below its title.
    in_language = partial(_in_language, page_language()._replace(page=""))
    shown = game.stored, newest
    more_of = partial(reading(_part), transaction.context, request, game_id, shown)
    return Live(
        subject=game_id,
        version=(version_of(game.stored), newest),
        text=text if part.is_beginning or not text else f"\n{text}",
        more=partial(in_language, more_of),
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
    return Response(Status.TEMPORARY_FAILURE, render.meta(render.translate(reason)))


def _rendered(visit: Visit, template: str, **values: object) -> str:
    return responses.page(visit.visitor.preferences, template, **values).body


def _farewell(visit: Visit, *, is_late: bool) -> str:
    last_words = _rendered(visit, "play/live_ended.gmi", game_id=visit.game.id, is_late=is_late)
    return f"\n{last_words}"


ROUTES: routes.Routes = (
    *((f"/play/{routes.GAME}", show, routes.CELL),),
    *routes.named("play.pages.more", ((f"/play/{routes.GAME}/more", more),)),
    *routes.named("play.pages.live", ((f"/play/{routes.GAME}/live", follow),)),
)
