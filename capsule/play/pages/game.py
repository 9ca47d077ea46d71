"""The page of a game, for its players and for anyone else with its address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from capsule.accounts import identity
from capsule.accounts.devices import Expiry
from capsule.accounts.pages.account import expiry, link_path
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.clock import DAY
from capsule.games.game import Game
from capsule.games.moves import plan_in_words
from capsule.games.player_queries import has_met_a_person
from capsule.games.point_of_view import PointOfView, Spectator, view_of
from capsule.games.rated import RatingSection, RatingState, foreseen, next_day, rating_section
from capsule.games.reading import load_game
from capsule.games.results import Score, score_in
from capsule.games.visibility import ListingChoice, choice_of, guest, host_of
from capsule.gemini.types import CachePolicy, PlayerGames, Request, Response
from capsule.play.challenges import Rematch, rematch_of
from capsule.social import lines
from capsule.social.pages import notes
from capsule.social.pages.messages import SocialSection, social_section
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import StoredTournament
from capsule.ui import responses
from capsule.ui.boards import effect_of, linked_moves
from capsule.ui.routes import CELL, GAME, Routes, cacheable, named, narrowable
from engine import Message, Side
from engine.game import View
from engine.style import Style


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
        return effect_of(self.game.position, move, is_narrow=is_narrow)


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


def with_terms_foreseen(transaction: Transaction, visit: Visit) -> Visit:
    """Return a visit; if the game waits for a player, it is rated as it will be once it starts."""
    game = visit.game
    (as_it_will_be,) = foreseen(
        transaction.connection, [game.stored], visit.visitor.player, game.now
    )
    if as_it_will_be is game.stored:
        return visit
    return replace(visit, game=replace(game, stored=as_it_will_be))


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
    return not has_met_a_person(transaction.connection, player.id, visit.game.now)


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
    score: Score | None
    ratings: RatingSection
    has_notes: bool
    tournament: StoredTournament | None
    social: SocialSection
    expiry: Expiry | None
    link: str | None

    @property
    def game(self) -> Game:
        """The game of the visit."""
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
        return not self.decides_about_seat or self.ratings.state is RatingState.SURPLUS

    @property
    def listing(self) -> ListingChoice | None:
        """The choice of a listing, for a visitor who may take the seat; None for all others."""
        if not (self.may_take_seat or self.visit.view.may_answer_challenge):
            return None
        return choice_of(host_of(self.game.stored), guest(self.visit.visitor.player))

    @property
    def move_links(self) -> Sequence[str]:
        """The moves that are shown as links: all legal moves, if there are few."""
        is_narrow = self.visit.visitor.preferences.narrow
        return linked_moves(self.game.position, is_narrow=is_narrow)

    @property
    def recent_moves(self) -> Sequence[str]:
        """The last moves with their numbers."""
        return [f"{move.ply}. {move.move}" for move in self.game.recent]


@cacheable
@narrowable
@reading
def show(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page of a game."""
    context, connection = transaction.context, transaction.connection
    visit = with_terms_foreseen(transaction, visit_of(transaction, request, game_id))
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
        plan=plan_in_words(connection, view),
        rematch=rematch_of(transaction, game, visitor.player),
        score=score_in(transaction, game.stored, visitor.player),
        ratings=rating_section(connection, game),
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
        _expiry_changes_at(visitor, now),
        next_day(now),
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


def _expiry_changes_at(visitor: identity.Visitor, now: datetime) -> datetime | None:
    """Return the next time at which the visitor's certificate has full days left."""
    certificate = visitor.certificate
    return None if certificate is None else now + (certificate.not_after - now) % DAY


@narrowable
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


ROUTES: Routes = (
    *((f"/play/{GAME}", show, CELL),),
    *named("play.pages.more", ((f"/play/{GAME}/more", more),)),
)
